import type { Node } from 'yaml'
import { editYaml, removeKey, tableIn } from '../../config/edit-yaml.ts'
import { pairNamed } from '../../config/text/yaml-text.ts'

/**
 * Changes, adds or (`cameras` undefined) removes one camera group; everything else stays, including comments.
 *
 * @throws ServiceError `conflict` if the text can only be edited by hand.
 */
export const withCameraGroup = (text: string, name: string, cameras: readonly string[] | undefined): string =>
  editYaml(text, ({ document, top }) => {
    if (!cameras && !pairNamed(top, 'camera_groups')) return
    const groups = tableIn(document, top, 'camera_groups')
    if (!cameras) return removeKey(groups, name)
    const list: Node = document.createNode([...cameras], { flow: true })
    const pair = pairNamed(groups, name)
    if (!pair) return groups.add(document.createPair(name, list))
    const before = pair.value as { commentBefore?: string | null; comment?: string | null } | null
    list.commentBefore = before?.commentBefore ?? null
    list.comment = before?.comment ?? null
    pair.value = list
  })

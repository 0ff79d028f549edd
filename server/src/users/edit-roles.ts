import { type Document, type YAMLMap } from 'yaml'
import { editYaml, tableIn } from '../config/edit-yaml.ts'
import { keyText, pairNamed } from '../config/yaml-text.ts'

/**
 * Changes, adds or (`cameras` undefined) removes one role; everything else stays, including comments.
 *
 * @throws ServiceError `conflict` if the text can only be edited by hand.
 */
export function withRole(text: string, name: string, cameras: readonly string[] | undefined): string {
  return editYaml(text, ({ document, top }) => {
    if (!cameras && !pairNamed(top, 'auth')) return
    const roles = tableIn(document, tableIn(document, top, 'auth'), 'roles')
    if (cameras) setName(document, roles, name, cameras)
    else roles.items = roles.items.filter(({ key }) => keyText(key) !== name)
  })
}

function setName(document: Document.Parsed, roles: YAMLMap, name: string, cameras: readonly string[]): void {
  const list = document.createNode([...cameras], { flow: true })
  const pair = pairNamed(roles, name)
  if (!pair) {
    roles.add(document.createPair(name, list))
    return
  }
  const old = pair.value as { commentBefore?: string | null; comment?: string | null } | null
  list.commentBefore = old?.commentBefore ?? null
  list.comment = old?.comment ?? null
  pair.value = list
}

import type { CameraConfig } from '../cameras.config.ts'
import { isDeepStrictEqual } from 'node:util'
import { isNode, isSeq, type Document, type Node, type YAMLMap, type YAMLSeq } from 'yaml'
import { camerasIn, cameraIn } from './edit-cameras.ts'
import { notEditable, editYaml, removeKey, setOrDefault, tableIn } from '../../config/edit-yaml.ts'
import { pairNamed } from '../../config/text/yaml-text.ts'

/** A polygon: points as fractions of the frame, from the left and from the top. */
export type Mask = readonly (readonly number[])[]

export type MotionSettings = Pick<CameraConfig['motion'], 'enabled' | 'sensitivity' | 'masks'>

/**
 * Changes the motion settings of one camera; comments stay, including those beside changed masks.
 *
 * @throws ServiceError `not-found` for an unknown camera; `conflict` if the text can only be edited by hand.
 */
export const withMotion = (text: string, camera: string, { enabled, sensitivity, masks }: MotionSettings): string =>
  editYaml(text, ({ document, top }) => {
    const above = cameraIn(camerasIn(document, top), camera)
    const table = tableIn(document, above, 'motion')
    setOrDefault(document, table, 'enabled', { value: enabled, byDefault: true })
    setOrDefault(document, table, 'sensitivity', { value: sensitivity, byDefault: 'medium' })
    setMasks(document, table, masks)
    if (table.items.length === 0) above.items = above.items.filter(({ value }) => value !== table)
  })

function setMasks(document: Document.Parsed, table: YAMLMap, masks: readonly Mask[]): void {
  if (masks.length === 0) {
    removeKey(table, 'masks')
    return
  }
  const pair = pairNamed(table, 'masks')
  const list = isSeq(pair?.value) ? pair.value : (document.createNode([]) as YAMLSeq)
  const before = list.items
  // An empty list is written as `[]`; block style puts each new item on its own line.
  if (before.length === 0) list.flow = false
  list.items = maskNodes(document, before, masks)
  if (pair) pair.value = list
  else table.add(document.createPair('masks', list))
}

/** An unchanged mask keeps its node, and so its comment; so does a mask changed in place. */
function maskNodes(document: Document.Parsed, before: readonly unknown[], masks: readonly Mask[]): Node[] {
  const left = new Set(before)
  const found = masks.map((mask) => {
    const same = before.find((node) => left.has(node) && isNode(node) && isDeepStrictEqual(node.toJS(document), mask))
    left.delete(same)
    return same
  })
  return masks.map((mask, index) => {
    const same = found[index]
    if (isNode(same)) return same
    const next = maskNode(document, mask)
    const old = before[index]
    if (masks.length < before.length || !left.has(old) || !isSeq(old)) return next
    old.items = next.items
    return old
  })
}

/** Formats a mask on one line: `[[0, 0], [0.3, 0], [0.3, 0.1]]`. */
function maskNode(document: Document.Parsed, mask: Mask): YAMLSeq {
  const node = document.createNode(mask, { flow: true })
  if (!isSeq(node)) throw notEditable("A mask isn't a list.")
  return node
}

import { isNode, isSeq, type Document, type YAMLMap, type YAMLSeq } from 'yaml'
import { ByHand, pairNamed, read, written, type CameraEntry } from '../cameras/edit-cameras.ts'
import { cameraTable, put, tableIn } from '../cameras/yaml-tables.ts'
import { sameCorners, type Corner, type MotionSettings } from './motion-settings.ts'

const usual: MotionSettings = { enabled: true, sensitivity: 'medium', masks: [] }

interface Place {
  readonly camera: string
  /** Written first where the file names no cameras. */
  readonly keep: ReadonlyMap<string, CameraEntry>
}

/** A mask, and which of those in the file it was; undefined for a new one. */
export interface MaskToWrite {
  readonly corners: readonly Corner[]
  readonly was: number | undefined
}

/**
 * What the text says of motion at a camera, as it stands there: what is wrong in it is for the service to tell.
 *
 * @throws ByHand where it takes a person
 */
export function motionIn(text: string, { camera, keep }: Place): unknown {
  const document = read(text)
  const said: unknown = tableIn(document, cameraTable(document, camera, keep), 'motion').toJS(document)
  const { enabled, sensitivity, masks } = { ...usual, ...(said as object) }
  return { enabled, sensitivity, masks: masks ?? [] }
}

/**
 * The text with other settings; comments stay, also those beside masks that changed.
 *
 * @throws ByHand where it takes a person
 */
export function withMotion(
  text: string,
  settings: Omit<MotionSettings, 'masks'> & { readonly masks: readonly MaskToWrite[] } & Place,
): string {
  const { camera, keep, enabled, sensitivity, masks } = settings
  const document = read(text)
  const above = cameraTable(document, camera, keep)
  const table = tableIn(document, above, 'motion')
  // What is as it would be without a word is not written, unless the word is there already.
  put(document, table, 'enabled', enabled ? undefined : false, true)
  put(document, table, 'sensitivity', sensitivity === usual.sensitivity ? undefined : sensitivity, usual.sensitivity)
  putMasks(document, table, masks)
  if (table.items.length === 0) above.items = above.items.filter(({ value }) => value !== table)
  return written(document, text)
}

function putMasks(document: Document.Parsed, table: YAMLMap, masks: readonly MaskToWrite[]): void {
  const pair = pairNamed(table, 'masks')
  if (masks.length === 0) {
    table.delete('masks')
    return
  }
  const list = isSeq(pair?.value) ? pair.value : (document.createNode([]) as YAMLSeq)
  const before = [...list.items]
  list.items = masks.map(({ corners, was }) => {
    const old = was === undefined ? undefined : before[was]
    if (isNode(old) && sameCorners(old.toJS(document) as unknown[], corners)) return old
    const next = cornersNode(document, corners)
    if (!isSeq(old)) return next
    old.items = next.items
    return old
  })
  // An empty list is written as `[]`; what comes into it stands on lines of its own.
  if (before.length === 0) list.flow = false
  if (pair) pair.value = list
  else table.add(document.createPair('masks', list))
}

/** In one line: `[[0, 0], [0.3, 0], [0.3, 0.1]]`. */
function cornersNode(document: Document.Parsed, corners: readonly Corner[]): YAMLSeq {
  const node = document.createNode(corners, { flow: true })
  if (!isSeq(node)) throw new ByHand()
  return node
}

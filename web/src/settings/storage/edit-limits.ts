import { isMap, type Document, type YAMLMap } from 'yaml'
import { ByHand, read, written, type CameraEntry } from '../cameras/edit-cameras.ts'
import { cameraTable, put, tableIn } from '../cameras/yaml-tables.ts'

/** What recordings are limited to, of all cameras or of one. */
export interface Limits {
  readonly enabled: boolean
  /** null: as for all cameras. */
  readonly retain_days: number | null
  /** null: no limit of its own. */
  readonly max_gb: number | null
  /** Of a camera. */
  readonly mode?: 'all' | 'motion'
}

/**
 * The text with other limits; comments stay.
 *
 * @param camera undefined: of all cameras together
 * @param keep written first where the file names no cameras
 * @throws ByHand where it takes a person
 */
export function withLimits(
  text: string,
  { camera, limits, keep }: { camera: string | undefined; limits: Limits; keep: ReadonlyMap<string, CameraEntry> },
): string {
  const document = read(text)
  const above = camera === undefined ? topOf(document) : cameraTable(document, camera, keep)
  const table = tableIn(document, above, camera === undefined ? 'recording' : 'record')
  // What is as it would be without a word is not written, unless the word is there already.
  put(document, table, 'enabled', limits.enabled ? undefined : false, true)
  if (limits.mode !== undefined) put(document, table, 'mode', limits.mode === 'all' ? undefined : limits.mode, 'all')
  put(document, table, 'retain_days', limits.retain_days ?? undefined, undefined)
  put(document, table, 'max_gb', limits.max_gb ?? undefined, undefined)
  if (table.items.length === 0) above.items = above.items.filter(({ value }) => value !== table)
  return written(document, text)
}

function topOf(document: Document.Parsed): YAMLMap {
  const blank: unknown = document.contents
  if (!isMap(blank)) document.contents = document.createNode({}) as typeof document.contents
  const top: unknown = document.contents
  if (!isMap(top)) throw new ByHand()
  return top
}

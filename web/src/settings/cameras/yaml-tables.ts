import { isMap, isScalar, type Document, type YAMLMap } from 'yaml'
import { ByHand, camerasTable, pairNamed, setValue, type CameraEntry } from './edit-cameras.ts'

/** @param usual what it is when nothing is said; undefined: the key goes */
export function put(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  value: string | number | boolean | undefined,
  usual: string | boolean | undefined,
): void {
  if (value !== undefined) setValue(document, table, key, value)
  else if (usual !== undefined && table.has(key)) setValue(document, table, key, usual)
  else table.delete(key)
}

/**
 * What `config.yml` says of one camera.
 *
 * @param keep written first where the file names no cameras
 */
export function cameraTable(
  document: Document.Parsed,
  camera: string,
  keep: ReadonlyMap<string, CameraEntry>,
): YAMLMap {
  const found = pairNamed(camerasTable(document, keep), camera)?.value
  if (!isMap(found)) throw new ByHand()
  return found
}

/** A table within another, made where there is none. */
export function tableIn(document: Document.Parsed, above: YAMLMap, key: string): YAMLMap {
  const pair = pairNamed(above, key)
  if (isMap(pair?.value)) return pair.value
  if (pair && !(pair.value === null || (isScalar(pair.value) && pair.value.value === null))) throw new ByHand()
  const made = document.createNode({}) as YAMLMap
  made.flow = false
  if (pair) pair.value = made
  else above.add(document.createPair(key, made))
  return made
}

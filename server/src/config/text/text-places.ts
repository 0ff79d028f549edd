import type { Path, Place } from '../problem-collector.ts'
import { targetOf, type TextKey, type TextNode, type TextTable, type TextValue } from './text-node.ts'

export interface Location {
  /** The position of a value is its own; that of a table or list is its name. If it's missing: that of what contains it. */
  readonly place: Place
  /** Position of the key's name. */
  readonly name: Place
  /** undefined if missing, null if empty. */
  readonly node: TextValue | null | undefined
}

/** Finds the lines of a text when they are first needed. */
export function placesIn(text: string): (offset: number) => Place {
  let starts: readonly number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Where a path leads; aliases on the way are followed. */
export function createLocator(root: TextNode | null, placeAt: (offset: number) => Place): (path: Path) => Location {
  const tables = new WeakMap<TextTable, ReadonlyMap<string, TextKey>>()
  const keysOf = (table: TextTable) => {
    const keys = tables.get(table) ?? firstKeys(table)
    tables.set(table, keys)
    return keys
  }
  const placeOf = (node: TextNode | null) => placeAt(node?.start ?? 0)
  return (path) => {
    let at: Location = { place: placeOf(root), name: placeOf(root), node: targetOf(root) }
    for (const part of path) {
      const { node } = at
      if (typeof part === 'number') {
        const item = node?.kind === 'list' ? node.items[part] : undefined
        if (item === undefined) return { ...at, node: undefined }
        at = { place: placeOf(item), name: placeOf(item), node: targetOf(item) }
      } else {
        const key = node?.kind === 'table' ? keysOf(node).get(part) : undefined
        if (!key) return { ...at, node: undefined }
        const { value, start } = key
        const isWritten = value?.kind === 'scalar' && value.source !== ''
        at = { place: isWritten ? placeOf(value) : placeAt(start), name: placeAt(start), node: targetOf(value) }
      }
    }
    return at
  }
}

/** The keys of a table by name; if a name is there twice, the first. */
function firstKeys({ keys }: TextTable): ReadonlyMap<string, TextKey> {
  const found = new Map<string, TextKey>()
  for (const key of keys) if (key.name !== undefined && !found.has(key.name)) found.set(key.name, key)
  return found
}

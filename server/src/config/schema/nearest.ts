/** The value that a misspelled text most likely means; undefined if none is near. */
export const nearest = (text: string, values: readonly string[]): string | undefined =>
  nearestBy(text, values, (value) => value, editsIn(text, 3))

/**
 * The item whose name a misspelled text most likely means; undefined if none is near.
 *
 * @param max edits that it may be apart
 */
export function nearestBy<Item>(
  text: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  max: number,
): Item | undefined {
  let found: Item | undefined
  let fewest = max + 1
  for (const item of items) {
    const apart = editDistance(nameOf(item).toLowerCase(), text.toLowerCase(), fewest - 1)
    if (apart < fewest) [found, fewest] = [item, apart]
  }
  return found
}

/** Edits in a misspelled text, at most: one in `length` characters, and at least one. */
export const editsIn = (text: string, length: number): number => Math.max(1, Math.floor(text.length / length))

/**
 * Insertions, deletions, replacements and swaps of neighbors between two texts: optimal string alignment. Not from a
 * library: those that are kept don't count a swap as one.
 *
 * @param max more than these need not be counted: then the result is Infinity
 */
export function editDistance(one: string, other: string, max = Infinity): number {
  if (Math.abs(one.length - other.length) > max) return Infinity
  /** Distances of the part of `one` so far, and of those one and two characters shorter, from each start of `other`. */
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  let [before, beforeThat] = [row, row]
  for (let at = 1; at <= one.length; at += 1) {
    ;[beforeThat, before, row] = [before, row, [at]]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      row[to] = Math.min(
        before[to]! + 1,
        row[to - 1]! + 1,
        before[to - 1]! + (isSame ? 0 : 1),
        isSwap ? beforeThat[to - 2]! + 1 : Infinity,
      )
    }
    // A swap can lead back from the row before.
    if (Math.min(...row) > max && Math.min(...before) > max) return Infinity
  }
  const edits = row[other.length]!
  return edits > max ? Infinity : edits
}

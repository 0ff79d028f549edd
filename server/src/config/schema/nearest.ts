/** The value that a misspelled text most likely means; undefined if none is near. */
export function nearest(text: string, values: readonly string[]): string | undefined {
  const [first] = values
    .map((value) => ({ value, apart: editDistance(value.toLowerCase(), text.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)
  return first && first.apart <= Math.max(1, Math.floor(text.length / 3)) ? first.value : undefined
}

/** Insertions, deletions, replacements and swaps of neighbors between two texts: optimal string alignment. */
export function editDistance(one: string, other: string): number {
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
  }
  return row[other.length]!
}

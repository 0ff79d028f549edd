import { distance } from 'fastest-levenshtein'

/** The value that a misspelled text most likely means; undefined if none is near. */
export function nearest(text: string, values: readonly string[]): string | undefined {
  const [first] = values
    .map((value) => ({ value, apart: distance(value.toLowerCase(), text.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)
  return first && first.apart <= Math.max(1, Math.floor(text.length / 3)) ? first.value : undefined
}

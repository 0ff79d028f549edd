import type { Allowed } from './allowed.ts'
import type { Banned } from './banned.ts'
import type { Piece } from './texts.ts'

/** A banned word in a piece of text. */
export interface Hit {
  /** Position in the file, in UTF-16 units. */
  readonly start: number
  readonly word: string
  readonly instead: string
  /** The entry that allows the word here. */
  readonly allowedBy: Allowed | undefined
}

/** Whether a text has a word of some row, in one pass over it: most texts have none. */
export function someWordOf(rows: readonly Banned[]): (text: string) => boolean {
  const byFlags = Map.groupBy(rows, ({ pattern }) => pattern.flags)
  const patterns = [...byFlags].map(
    ([flags, ofFlags]) => new RegExp(ofFlags.map(({ pattern }) => `(?:${pattern.source})`).join('|'), flags),
  )
  return (text) => patterns.some((pattern) => pattern.test(text))
}

/** Finds the words of one row in a file's pieces. @param allowed entries for this file */
export function findWords(
  { pattern, instead }: Banned,
  pieces: readonly Piece[],
  allowed: readonly Allowed[],
): readonly Hit[] {
  const everywhere = new RegExp(pattern, `${pattern.flags}g`)
  return pieces.flatMap(({ start, text }) =>
    [...text.matchAll(everywhere)].map(({ index, 0: word }) => ({
      start: start + index,
      word,
      instead,
      allowedBy: allowed.find((entry) => covers(entry.word, text, index, index + word.length)),
    })),
  )
}

/** Whether some occurrence of a text includes the whole range. */
function covers(allowedText: string, text: string, from: number, to: number): boolean {
  const at = text.indexOf(allowedText, Math.max(0, to - allowedText.length))
  return at !== -1 && at <= from
}

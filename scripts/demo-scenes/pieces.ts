/** Seconds. Every piece is a multiple of this, and constant motion repeats within it: no cut is seen or heard. */
export const beat = 4

/** A part of the drawing, from and to in seconds. */
export interface Piece {
  readonly from: number
  readonly to: number
}

/** Consecutive pieces, by their lengths in seconds. */
export function piecesOf<Name extends string>(lengths: Readonly<Record<Name, number>>): Readonly<Record<Name, Piece>> {
  let to = 0
  const pieces = Object.entries<number>(lengths).map(([name, seconds]) => [name, { from: to, to: (to += seconds) }])
  return Object.fromEntries(pieces) as Record<Name, Piece>
}

/** Outside the frame, to the left. */
export const away = '-999'

/** A position during pieces, each an expression of the seconds since its start; otherwise elsewhere. */
export const during = (stays: readonly (readonly [Piece, (since: string) => string])[], otherwise = away): string =>
  stays.reduceRight(
    (others, [{ from, to }, place]) => `if(gte(t,${from})*lt(t,${to}),${place(`(t-${from})`)},${others})`,
    otherwise,
  )

/** Moves from one number to another during some seconds, and stays there before and after. */
export const going = (since: string, from: number, to: number, begin: number, end: number): string =>
  `(${from}+${to - from}*clip((${since}-${begin})/${end - begin},0,1))`

/** A sound between two seconds of the drawing. It is an `if`, so that it costs nothing before and after. */
export const received = (from: number, to: number, tone: string): string => `if(between(t,${from},${to}),${tone},0)`

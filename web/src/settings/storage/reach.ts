/** What a camera records, and how long that may stay. */
export interface Recorded {
  readonly camera: string
  /** Bytes a day; null while not known. */
  readonly perDay: number | null
  /** Days at most. */
  readonly days: number
  /** Bytes at most; null: only what all cameras together may take. */
  readonly bytes: number | null
}

export interface Reach {
  /** How far back its recordings will reach once they are as many as may be. */
  readonly days: number
  /** What ends them: their age, or the space. */
  readonly by: 'age' | 'space'
}

/**
 * How far back the recordings of each camera will reach, at the pace so far.
 *
 * The oldest go first, whosever they are; so where all together are too much, all reach back to the same day, but for
 * those whose own limits end them sooner.
 *
 * @param whole bytes that all cameras may take together
 */
export function reachOf(cameras: readonly Recorded[], whole: number): ReadonlyMap<string, Reach> {
  const known = cameras.flatMap(({ camera, perDay, days, bytes }) => {
    if (perDay === null || perDay <= 0) return []
    const bySpace = bytes === null ? Number.POSITIVE_INFINITY : bytes / perDay
    const own: Reach = bySpace < days ? { days: bySpace, by: 'space' } : { days, by: 'age' }
    return [{ camera, perDay, own }]
  })
  const together = daysTogether(known, whole)
  return new Map(
    known.map(({ camera, own }) => [camera, together < own.days ? { days: together, by: 'space' } : own] as const),
  )
}

/** Days after which all that is kept fills the whole; endless where their own limits end them all before. */
function daysTogether(cameras: readonly { readonly perDay: number; readonly own: Reach }[], whole: number): number {
  let rest = whole
  let pace = cameras.reduce((sum, { perDay }) => sum + perDay, 0)
  let day = 0
  for (const { perDay, own } of cameras.toSorted((a, b) => a.own.days - b.own.days)) {
    const needed = pace * (own.days - day)
    if (needed > rest) return day + rest / pace
    rest -= needed
    pace -= perDay
    day = own.days
  }
  return Number.POSITIVE_INFINITY
}

/** How much a camera records, and its limits. */
export interface Recorded {
  readonly camera: string
  /** Bytes per day; null if not known yet. */
  readonly perDay: number | null
  /** Retention in days. */
  readonly days: number
  /** Limit in bytes; null if only the limit of all cameras together applies. */
  readonly bytes: number | null
}

export interface Reach {
  /** Days that the recordings will reach back once a limit is reached. */
  readonly days: number
  /** The limit that is reached first. */
  readonly by: 'age' | 'space'
}

/**
 * How far back the recordings of each camera will reach at the current rate.
 *
 * The oldest recordings are deleted first, whichever camera they belong to. So if space runs out, all cameras reach
 * back to the same day, except those whose own limits are stricter.
 *
 * @param whole bytes that all cameras can use together
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

/** Days after which all recordings fill `whole`; infinite if the cameras' own limits prevent that. */
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

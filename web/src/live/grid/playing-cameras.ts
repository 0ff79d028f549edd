export interface Wall {
  /** Every camera, in the grid's order. */
  readonly names: readonly string[]
  /** The cameras the user can see on the screen. */
  readonly seen: ReadonlySet<string>
  /** The cameras the user tapped, newest last. */
  readonly tapped: readonly string[]
  /** Data saver: only tapped cameras play. */
  readonly low: boolean
  /** Maximum number of cameras that play concurrently. */
  readonly max: number
}

/** Which cameras play; the rest show snapshots. The last tapped has the highest priority. */
export function playingCameras({ names, seen, tapped, low, max }: Wall): ReadonlySet<string> {
  const crowded = names.length > max
  const requested = [...tapped.toReversed(), ...(low ? [] : names)]
  // If all can play, a camera scrolled out of view keeps its slot and resumes immediately.
  const fitting = requested.filter((name) => !crowded || seen.has(name))
  return new Set([...new Set(fitting)].slice(0, max))
}

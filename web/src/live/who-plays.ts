export interface Wall {
  /** Every camera, in the grid's order. */
  readonly names: readonly string[]
  /** Those that somebody could see. */
  readonly seen: ReadonlySet<string>
  /** Those that somebody tapped, the newest last. */
  readonly tapped: readonly string[]
  /** Only what was tapped plays. */
  readonly low: boolean
  /** How many may play at once. */
  readonly max: number
}

/** Which cameras play; the rest show pictures. What was tapped last goes first. */
export function whoPlays({ names, seen, tapped, low, max }: Wall): ReadonlySet<string> {
  const crowded = names.length > max
  const requested = [...tapped.toReversed(), ...(low ? [] : names)]
  // Where all may play, one that is scrolled out of sight keeps its place and comes back at once.
  const fitting = requested.filter((name) => !crowded || seen.has(name))
  return new Set([...new Set(fitting)].slice(0, max))
}

import type { Clock } from '../shared/clock.ts'

export interface PaceDeps<Key> {
  /** What has been counted so far, by what it was counted of. */
  readonly counters: () => ReadonlyMap<Key, number>
  readonly clock: Pick<Clock, 'elapsed'>
  /** Milliseconds between two looks. */
  readonly every: number
}

export interface Pace<Key> {
  /** How fast a counter grew between the last two looks; null where there were not two, or it began anew. */
  perSecond(key: Key): number | null
  stop(): void
}

interface Look<Key> {
  /** Milliseconds. */
  readonly at: number
  readonly counts: ReadonlyMap<Key, number>
}

/** How fast counters grow. It looks by itself, so that however many ask, all are told the same and pay nothing. */
export function createRateSampler<Key>({ counters, clock, every }: PaceDeps<Key>): Pace<Key> {
  const sample = (): Look<Key> => ({ at: clock.elapsed(), counts: counters() })
  let before: Look<Key> | undefined
  let last = sample()
  const timer = setInterval(() => {
    before = last
    last = sample()
  }, every).unref()

  return {
    perSecond(key) {
      const from = before?.counts.get(key)
      const to = last.counts.get(key)
      if (!before || from === undefined || to === undefined || to < from || last.at <= before.at) return null
      return ((to - from) * 1000) / (last.at - before.at)
    },
    stop: () => clearInterval(timer),
  }
}

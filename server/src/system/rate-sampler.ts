import type { Clock, Timers } from '../shared/time/clock.ts'

export interface RateSamplerDeps<Key> {
  /** Returns the current value of each counter. */
  readonly counters: () => ReadonlyMap<Key, number>
  readonly clock: Pick<Clock, 'elapsed'> & Timers
  /** Milliseconds between two samples. */
  readonly every: number
}

export interface RateSampler<Key> {
  /** Growth per second of a counter between the last two samples; null if there aren't two or the counter was reset. */
  perSecond(key: Key): number | null
  stop(): void
}

interface CounterSample<Key> {
  /** Milliseconds. */
  readonly at: number
  readonly counts: ReadonlyMap<Key, number>
}

/** Measures how fast counters grow. Samples on a timer, so that all callers get the same value at no cost. */
export function createRateSampler<Key>({ counters, clock, every }: RateSamplerDeps<Key>): RateSampler<Key> {
  const sample = (): CounterSample<Key> => ({ at: clock.elapsed(), counts: counters() })
  let before: CounterSample<Key> | undefined
  let last = sample()
  const stopSampling = clock.every(every, () => {
    before = last
    last = sample()
  })

  return {
    perSecond(key) {
      const from = before?.counts.get(key)
      const to = last.counts.get(key)
      if (!before || from === undefined || to === undefined || to < from || last.at <= before.at) return null
      return ((to - from) * 1000) / (last.at - before.at)
    },
    stop: stopSampling,
  }
}

import type { Clock } from '../shared/clock.ts'

/** Milliseconds by which the wall clock must differ from the steady clock to count as set. */
const jump = 500

/** Milliseconds by which media can be ahead of the estimate: no frame arrives before it was taken. */
const ahead = 1000

/**
 * Milliseconds by which all media must be late, and for how long: no network delays that much for so long. A single
 * frame can be later, and so can a burst after this process stood still.
 */
const behind = { by: 5000, lasting: 20_000 }

/** Maximum milliseconds per correction of a stream's times: the drift of a camera's clock is far slower. */
const step = 20

export interface WallTime {
  /** Reports that media up to `time` (seconds of the stream) has just arrived. */
  observe(time: number): void
  /** Unix milliseconds of a time of the stream, as far as known. */
  of(time: number): number
  /** Applies the observations since the last call: completely at first, later in small steps. */
  settle(): void
  /** The wall clock was set since the stream began: later media must be counted from the start. */
  readonly jumped: boolean
  /** The camera's own clock was set: the last media has another time than it claims. */
  readonly strayed: boolean
}

/**
 * Maps the times of a stream to the wall clock.
 *
 * The first media can be old: many sources begin with frames from some seconds ago. The media with the least delay
 * gives the best estimate. From there on, the stream's own times count, so that every frame keeps its place, and only
 * the drift between the source's clock and ours is corrected.
 */
export function createWallTime(clock: Clock): WallTime {
  const base = clock.now() - clock.elapsed()
  const now = (): number => base + clock.elapsed()
  let offset: number | undefined
  /** The least difference between arrival and media time, since the last correction. */
  let min: number | undefined
  /** Since when all media has been late, milliseconds of the steady clock. */
  let lateSince: number | undefined
  let late = false

  const isAhead = (): boolean => offset !== undefined && min !== undefined && offset - min > ahead

  return {
    observe(time) {
      const delay = now() - time * 1000
      min = min === undefined ? delay : Math.min(min, delay)
      if (delay - (offset ?? min) <= behind.by) lateSince = undefined
      else if (clock.elapsed() - (lateSince ??= clock.elapsed()) > behind.lasting) late = true
    },
    of: (time) => (offset ?? min ?? now() - time * 1000) + time * 1000,
    settle() {
      if (min === undefined) return
      if (isAhead()) return
      // Media this late says nothing about the drift.
      if (offset !== undefined && lateSince !== undefined) return void (min = undefined)
      offset = offset === undefined ? min : offset + Math.max(-step, Math.min(step, min - offset))
      min = undefined
    },
    get jumped() {
      return Math.abs(clock.now() - clock.elapsed() - base) > jump
    },
    get strayed() {
      return late || isAhead()
    },
  }
}

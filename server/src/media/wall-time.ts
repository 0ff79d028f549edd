import type { Clock } from '../shared/clock.ts'

/** Milliseconds by which the wall clock may differ from the steady one before it counts as set anew. */
const jump = 500

/** Milliseconds by which media may be ahead of what was known: no picture comes before it was taken. */
const ahead = 1000

/**
 * Milliseconds by which all of what comes may be late, and for how long: no network holds back so much for so long.
 * One picture may be later than that, and what comes at once after a standstill of ours is.
 */
const behind = { by: 5000, lasting: 20_000 }

/** Milliseconds by which one correction moves the times of a stream: the drift of a camera's clock is far slower. */
const step = 20

export interface WallTime {
  /** Tells that media up to `time` (seconds of the stream) has come just now. */
  observe(time: number): void
  /** Unix milliseconds at which this moment of the stream was, as far as is known. */
  of(time: number): number
  /** Takes what was heard since the last time into account: wholly at first, later in small steps. */
  settle(): void
  /** The wall clock was set since this stream began: what comes has to be counted anew. */
  readonly jumped: boolean
  /** The camera's own clock was set: what came last has another time than it says. */
  readonly strayed: boolean
}

/**
 * Says when the moments of a stream were, by the wall clock.
 *
 * What comes first may be old: many sources begin with pictures from some seconds ago. What came with the least delay
 * tells the truth. From there on the stream's own times count, so that every frame has its place, and only the drift
 * between the source's clock and ours is made up for.
 */
export function createWallTime(clock: Clock): WallTime {
  const base = clock.now() - clock.elapsed()
  const now = (): number => base + clock.elapsed()
  let offset: number | undefined
  /** The least difference between arrival and media time, since the last settling. */
  let min: number | undefined
  /** Since when everything has come late, milliseconds of the steady clock. */
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
      // Of what is as late as that it says nothing about the drift.
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

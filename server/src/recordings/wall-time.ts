import type { Clock } from '../shared/clock.ts'

/** Milliseconds by which the wall clock may differ from the steady one before it counts as set anew. */
const jump = 500

/** Milliseconds by which one correction moves the times of a stream: the drift of a camera's clock is far slower. */
const step = 20

export interface WallTime {
  /** Tells that media up to `time` (seconds of the stream) has come just now. */
  heard(time: number): void
  /** Unix milliseconds at which this moment of the stream was, as far as is known. */
  of(time: number): number
  /** Takes what was heard since the last time into account: wholly at first, later in small steps. */
  settle(): void
  /** The wall clock was set since this stream began: what comes has to be counted anew. */
  readonly jumped: boolean
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
  let least: number | undefined

  return {
    heard(time) {
      const delay = now() - time * 1000
      least = least === undefined ? delay : Math.min(least, delay)
    },
    of: (time) => (offset ?? least ?? now() - time * 1000) + time * 1000,
    settle() {
      if (least === undefined) return
      offset = offset === undefined ? least : offset + Math.max(-step, Math.min(step, least - offset))
      least = undefined
    },
    get jumped() {
      return Math.abs(clock.now() - clock.elapsed() - base) > jump
    },
  }
}

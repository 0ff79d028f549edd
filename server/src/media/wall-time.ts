import type { Instant } from '../shared/time/clock.ts'

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

/**
 * Maps the times of a stream to the wall clock.
 *
 * The first media can be old: many sources begin with frames from some seconds ago. The media with the least delay
 * gives the best estimate. From there on, the stream's own times count, so that every frame keeps its place, and only
 * the drift between the source's clock and ours is corrected.
 */
export interface WallTime {
  /** Wall time minus steady time when the stream began. */
  readonly base: number
  /** Wall time minus stream time, milliseconds; undefined before the first correction. */
  readonly offset: number | undefined
  /** The least difference between arrival and media time, since the last correction. */
  readonly min: number | undefined
  /** Since when all media has been late, milliseconds of the steady clock. */
  readonly lateSince: number | undefined
  readonly wasLate: boolean
}

/** The wall time of a stream that begins now. */
export const startWallTime = ({ now, elapsed }: Instant): WallTime => ({
  base: now - elapsed,
  offset: undefined,
  min: undefined,
  lateSince: undefined,
  wasLate: false,
})

/** Media up to `time` (seconds of the stream) has just arrived. */
export function observe(wall: WallTime, time: number, { elapsed }: Instant): WallTime {
  const delay = wall.base + elapsed - time * 1000
  const min = wall.min === undefined ? delay : Math.min(wall.min, delay)
  if (delay - (wall.offset ?? min) <= behind.by) return { ...wall, min, lateSince: undefined }
  const lateSince = wall.lateSince ?? elapsed
  return { ...wall, min, lateSince, wasLate: wall.wasLate || elapsed - lateSince > behind.lasting }
}

/** Unix milliseconds of a time of the stream in seconds, as far as known. */
export const wallTimeOf = ({ base, offset, min }: WallTime, time: number, { elapsed }: Instant): number =>
  (offset ?? min ?? base + elapsed - time * 1000) + time * 1000

/**
 * Milliseconds by which media up to `time`, which has just arrived, is ahead of the estimate; negative if it is late;
 * undefined if there is no estimate.
 */
export function aheadBy(wall: WallTime, time: number, { elapsed }: Instant): number | undefined {
  const estimate = wall.offset ?? wall.min
  return estimate === undefined ? undefined : estimate + time * 1000 - wall.base - elapsed
}

/** Applies the observations since the last call: completely at first, later in small steps. */
export function settle(wall: WallTime): WallTime {
  const { offset, min, lateSince } = wall
  if (min === undefined || isAhead(wall)) return wall
  // Media this late says nothing about the drift.
  if (offset !== undefined && lateSince !== undefined) return { ...wall, min: undefined }
  const corrected = offset === undefined ? min : offset + Math.max(-step, Math.min(step, min - offset))
  return { ...wall, offset: corrected, min: undefined }
}

/**
 * Seconds that a frame can last while nothing says when it was taken: a camera that sends nothing for as long is
 * offline.
 */
const longestFrame = 20

/**
 * Far more time than has passed since the end of the last frame: the times jumped before the delay of the stream was
 * known.
 *
 * @param last end of the last frame, seconds of the stream
 * @param time end of the one that has just arrived
 * @param longest seconds that it can last
 */
export const seemsTooLong = (
  wall: WallTime,
  last: number,
  time: number,
  now: Instant,
  longest = longestFrame,
): boolean => time - last > longest && (aheadBy(wall, time, now) ?? Infinity) > longest * 1000

/** The wall clock was set since the stream began: later media must be counted from the start. */
export const hasJumped = ({ base }: WallTime, { now, elapsed }: Instant): boolean =>
  Math.abs(now - elapsed - base) > jump

/** The camera's own clock was set: the last media has another time than it claims. */
export const hasDrifted = (wall: WallTime): boolean => wall.wasLate || isAhead(wall)

const isAhead = ({ offset, min }: WallTime): boolean =>
  offset !== undefined && min !== undefined && offset - min > ahead

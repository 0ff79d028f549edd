import type { Instant } from '../../shared/time/clock.ts'
import { unchanged, type Step } from '../../shared/with-web/step.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import {
  hasJumped,
  hasDrifted,
  observe,
  seemsTooLong,
  settle,
  startWallTime,
  wallTimeOf,
  type WallTime,
} from '../wall-time.ts'
import { streamProblem, type StreamProblem } from './reason.ts'

const limits = {
  /** Frames after a key frame that the decoder may need before it outputs that key frame, in a stream with B-frames. */
  extras: 8,
  /**
   * Milliseconds per frame. On a machine too busy for a decoder, starting another makes it worse: each time a decoder
   * times out without output, the timeout doubles, up to `max`.
   */
  timeout: { first: 8000, max: 64_000 },
  /** Key frames per decoder: its memory grows by some hundred bytes with each fragment. */
  keyFrames: 10_000,
  /** Milliseconds between two corrections of the stream's time. */
  settle: 10_000,
} as const

interface Stream {
  readonly init: InitSegment
  readonly wall: WallTime
  /** Milliseconds of the steady clock. */
  readonly settledAt: number
  /** Stream time of the last key frame, and of the last one given to a decoder. Seconds. */
  readonly lastKey: number | undefined
  readonly lastRequested: number | undefined
}

/** The decoder gets one key frame at a time. */
type Decoder =
  | { readonly state: 'none' }
  /** `keyFrames`: number that the decoder has received. */
  | { readonly state: 'idle'; readonly id: number; readonly keyFrames: number }
  | {
      readonly state: 'decoding'
      readonly id: number
      readonly keyFrames: number
      /** Time of the key frame, Unix milliseconds. */
      readonly at: number
      /** When the key frame arrived, Unix milliseconds. */
      readonly arrivedAt: number
      /** Milliseconds of the steady clock. */
      readonly since: number
      /** Frames after the key frame that the decoder has received. */
      readonly extras: number
    }

interface History {
  /** Seconds between the last key frames of the stream; undefined before the second. */
  readonly interval: number | undefined
  /** Unix milliseconds of the last key frame given to a decoder: no two are equal. */
  readonly lastAt: number
  /** Number of decoders started. */
  readonly decoders: number
  /** Consecutive failures. */
  readonly failures: number
  /** Milliseconds of the steady clock. */
  readonly retryAt: number
  /** Milliseconds for one key frame. */
  readonly timeout: number
}

interface WithoutStream extends History {
  readonly state: 'no-stream'
}
interface Streaming extends History {
  readonly state: 'streaming'
  readonly stream: Stream
  readonly decoder: Decoder
}

export type KeyFrameState = WithoutStream | Streaming

/** `wait`: milliseconds until the next decoder can start. `arrivedAt`: Unix milliseconds. */
export type KeyFrameEvent =
  | { readonly kind: 'stream-began'; readonly init: InitSegment }
  | { readonly kind: 'stream-ended' }
  | { readonly kind: 'fragment-arrived'; readonly fragment: Fragment; readonly arrivedAt: number }
  | { readonly kind: 'frame-decoded'; readonly decoder: number; readonly data: Uint8Array }
  | {
      readonly kind: 'decoder-exited'
      readonly decoder: number
      readonly problem: StreamProblem
      readonly wait: number
    }
  /** The decoder had no output in time. `hasComplained`: it wrote an error, so the input is broken. */
  | { readonly kind: 'decoder-abandoned'; readonly hasComplained: boolean; readonly wait: number }

export type KeyFrameEffect =
  | { readonly kind: 'start-decoder'; readonly decoder: number; readonly init: InitSegment }
  | { readonly kind: 'feed-decoder'; readonly data: Buffer }
  | { readonly kind: 'stop-decoder' }
  /** Stops it; the event is `decoder-abandoned`. */
  | { readonly kind: 'abandon-decoder' }
  | { readonly kind: 'emit-frame'; readonly at: number; readonly arrivedAt: number; readonly data: Uint8Array }
  /** undefined: decoding works again. */
  | { readonly kind: 'report-problem'; readonly problem: StreamProblem | undefined }

export type KeyFrameStep = Step<KeyFrameState, KeyFrameEffect>

export const withoutStream: KeyFrameState = {
  state: 'no-stream',
  interval: undefined,
  lastAt: 0,
  decoders: 0,
  failures: 0,
  retryAt: 0,
  timeout: limits.timeout.first,
}

/**
 * One step of a key frame decoder, which gives one key frame at a time to a child and restarts it after a failure.
 *
 * @param minInterval seconds of the stream between two key frames that are decoded
 */
export function step(before: KeyFrameState, event: KeyFrameEvent, now: Instant, minInterval: number): KeyFrameStep {
  switch (event.kind) {
    case 'stream-began':
      return begin(before, event.init, now)
    case 'stream-ended':
      return { state: { ...historyOf(before), state: 'no-stream' }, effects: stopEffects(before) }
    case 'fragment-arrived':
      return before.state === 'streaming' && event.fragment.video
        ? videoArrived(before, event, now, minInterval)
        : unchanged(before)
    case 'frame-decoded':
      return frameDecoded(before, event.decoder, event.data)
    case 'decoder-exited': {
      if (before.state !== 'streaming' || !isCurrent(before.decoder, event.decoder)) return unchanged(before)
      return failed({ ...before, decoder: { state: 'none' } }, event.problem, event.wait, now)
    }
    case 'decoder-abandoned': {
      if (event.hasComplained) return failed(before, streamProblem('unreadable-video'), event.wait, now)
      const timeout = Math.min(before.timeout * 2, limits.timeout.max)
      return failed({ ...before, timeout }, streamProblem('decoder-slow'), event.wait, now)
    }
  }
}

const historyOf = ({ interval, lastAt, decoders, failures, retryAt, timeout }: KeyFrameState): History => ({
  interval,
  lastAt,
  decoders,
  failures,
  retryAt,
  timeout,
})

const stopEffects = (state: KeyFrameState): KeyFrameEffect[] =>
  state.state === 'streaming' && state.decoder.state !== 'none' ? [{ kind: 'stop-decoder' }] : []

const isCurrent = (decoder: Decoder, id: number): boolean => decoder.state !== 'none' && decoder.id === id

/** A stream that continues with the same parameters keeps its decoder. */
function begin(before: KeyFrameState, init: InitSegment, now: Instant): KeyFrameStep {
  const isSame = before.state === 'streaming' && before.stream.init.data.equals(init.data)
  const wall = startWallTime(now)
  const stream: Stream = { init, wall, settledAt: now.elapsed, lastKey: undefined, lastRequested: undefined }
  return {
    state: {
      ...historyOf(before),
      state: 'streaming',
      stream,
      decoder: isSame ? before.decoder : { state: 'none' },
    },
    effects: isSame ? [] : stopEffects(before),
  }
}

function failed(before: KeyFrameState, problem: StreamProblem, wait: number, { elapsed }: Instant): KeyFrameStep {
  return {
    state: { ...before, failures: before.failures + 1, retryAt: elapsed + wait },
    effects: [{ kind: 'report-problem', problem }],
  }
}

function frameDecoded(before: KeyFrameState, id: number, data: Uint8Array): KeyFrameStep {
  if (before.state !== 'streaming') return unchanged(before)
  const { decoder } = before
  if (decoder.state !== 'decoding' || decoder.id !== id) return unchanged(before)
  const frame: KeyFrameEffect = { kind: 'emit-frame', at: decoder.at, arrivedAt: decoder.arrivedAt, data }
  return {
    state: {
      ...before,
      decoder: { state: 'idle', id, keyFrames: decoder.keyFrames },
      failures: 0,
      timeout: limits.timeout.first,
    },
    effects: before.failures > 0 ? [{ kind: 'report-problem', problem: undefined }, frame] : [frame],
  }
}

type FragmentArrived = Extract<KeyFrameEvent, { kind: 'fragment-arrived' }>

function videoArrived(before: Streaming, event: FragmentArrived, now: Instant, minInterval: number): KeyFrameStep {
  const { stream } = before
  const { fragment } = event
  const end = fragment.time + fragment.duration
  const wall = seemsTooLong(stream.wall, fragment.time, end, now) ? stream.wall : observe(stream.wall, end, now)
  const observed: Streaming = { ...before, stream: { ...stream, wall } }
  return fragment.key ? keyFrameArrived(observed, event, now, minInterval) : extraArrived(observed, fragment)
}

function extraArrived(before: Streaming, { data }: Fragment): KeyFrameStep {
  const { decoder } = before
  if (decoder.state !== 'decoding' || decoder.extras >= limits.extras) return unchanged(before)
  return {
    state: { ...before, decoder: { ...decoder, extras: decoder.extras + 1 } },
    effects: [{ kind: 'feed-decoder', data }],
  }
}

function keyFrameArrived(before: Streaming, event: FragmentArrived, now: Instant, minInterval: number): KeyFrameStep {
  const { fragment } = event
  const { lastKey, lastRequested } = before.stream
  const isLater = lastKey !== undefined && fragment.time > lastKey
  const current: Streaming = {
    ...before,
    interval: isLater ? fragment.time - lastKey : before.interval,
    stream: { ...before.stream, lastKey: fragment.time },
  }
  if (before.decoder.state === 'decoding') {
    if (now.elapsed - before.decoder.since < before.timeout) return unchanged(current)
    return { state: { ...current, decoder: { state: 'none' } }, effects: [{ kind: 'abandon-decoder' }] }
  }
  const since = lastRequested === undefined ? Infinity : fragment.time - lastRequested
  if (now.elapsed < before.retryAt || (since >= 0 && since < minInterval)) return unchanged(current)
  return request(current, event, now)
}

/** Gives a key frame to the decoder, which is started or replaced if necessary. */
function request(before: Streaming, { fragment, arrivedAt }: FragmentArrived, now: Instant): KeyFrameStep {
  const { init } = before.stream
  const { decoder } = before
  const isUsable = decoder.state !== 'none' && decoder.keyFrames < limits.keyFrames
  const id = isUsable ? decoder.id : before.decoders + 1
  const { at, wall, settledAt } = timeOf(before, fragment, now)
  const feed: KeyFrameEffect = { kind: 'feed-decoder', data: fragment.data }
  return {
    state: {
      ...before,
      lastAt: at,
      decoders: Math.max(id, before.decoders),
      stream: { ...before.stream, wall, settledAt, lastRequested: fragment.time },
      decoder: {
        state: 'decoding',
        id,
        keyFrames: isUsable ? decoder.keyFrames + 1 : 1,
        at,
        arrivedAt,
        since: now.elapsed,
        extras: 0,
      },
    },
    effects: isUsable ? [feed] : [...stopEffects(before), { kind: 'start-decoder', decoder: id, init }, feed],
  }
}

/** Arrival time of the key frame. No two are equal, even if the clock was set back between them. */
function timeOf(
  { stream, lastAt }: Streaming,
  { time, duration }: Fragment,
  now: Instant,
): Pick<Stream, 'wall' | 'settledAt'> & { readonly at: number } {
  const isReset = hasJumped(stream.wall, now) || hasDrifted(stream.wall)
  const current = isReset ? observe(startWallTime(now), time + duration, now) : stream.wall
  const isDue = now.elapsed - stream.settledAt > limits.settle
  const wall = isDue ? settle(current) : current
  const earliest = isReset ? 1 : lastAt + 1
  return {
    at: Math.max(earliest, Math.round(wallTimeOf(wall, time, now))),
    wall,
    settledAt: isDue ? now.elapsed : stream.settledAt,
  }
}

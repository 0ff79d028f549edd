import type { Clock, StopTimer, Timers } from '../../shared/time/clock.ts'
import { initSegmentIn } from '../mp4/init-segment.ts'
import { videoOnlyFragments } from '../mp4/video-only-fragments.ts'
import { videoOnlyInit } from '../mp4/video-only-init.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import {
  idleFrom,
  listedSegments,
  step,
  type HlsSegment,
  type LiveHlsEffect,
  type LiveHlsEvent,
  type LiveHlsState,
} from './live-hls-state.ts'

/** The last seconds of a stream as HLS, kept in memory while there are requests. */
export interface LiveHls {
  /** Waits for the first segment. @returns undefined if none arrives, or the last one is stale */
  playlist(): Promise<string | undefined>
  /**
   * The init segment of one stream.
   *
   * @param audio false: without audio (GRANT-2)
   * @throws Fmp4Error if the audio can't be taken out
   */
  init(stream: number, audio: boolean): Buffer | undefined
  /** As {@link init}. */
  segment(number: number, audio: boolean): Buffer | undefined
  /** Deletes all segments. */
  forget(): void
}

export interface LiveHlsDeps {
  /** Subscribes to the stream. @returns a function that unsubscribes */
  readonly follow: (consumer: StreamConsumer) => () => void
  readonly clock: Clock & Timers
}

/**
 * `min`: seconds of a segment, up to the next key frame; the first can be shorter. Milliseconds: `idle` after the last
 * request, `timeout` for the first segment, `stale` until the last segment is outdated.
 */
const { min, idle, timeout, stale } = { min: 2, idle: 30_000, timeout: 10_000, stale: 20_000 }

/**
 * Cuts a live stream into segments at its key frames. The decisions are in `live-hls-state.ts`; this carries them out.
 *
 * Sequence numbers start at the current time and only increase, so that a player continues after a pause or a restart.
 */
export function createLiveHls({ follow, clock }: LiveHlsDeps): LiveHls {
  let state: LiveHlsState = idleFrom(Math.floor(clock.now() / 1000))
  let unfollow: (() => void) | undefined
  let stopIdling: StopTimer | undefined
  const waiting = new Set<() => void>()
  /** When the last segment ended, by the steady clock: the time of day can be set while a camera hangs. */
  let endedAt = 0

  const dispatch = (event: LiveHlsEvent): void => {
    const { state: next, effects } = step(state, event, min)
    state = next
    for (const effect of effects) carryOut(effect)
  }
  const carryOut = (effect: LiveHlsEffect): void => {
    switch (effect.kind) {
      case 'follow-stream':
        unfollow = follow(consumer)
        return
      case 'unfollow-stream':
        return unfollow?.()
      case 'wake-requests':
        endedAt = clock.elapsed()
        for (const wake of waiting) wake()
    }
  }
  const consumer: StreamConsumer = {
    begin: (init) => dispatch({ kind: 'stream-began', init }),
    fragment: (fragment, at) => dispatch({ kind: 'fragment-arrived', fragment, at }),
    end: () => dispatch({ kind: 'stream-ended' }),
  }

  const forget = (): void => {
    stopIdling?.()
    dispatch({ kind: 'forgotten' })
  }
  const requested = (): void => {
    stopIdling?.()
    stopIdling = clock.after(idle, forget)
    dispatch({ kind: 'requested' })
  }
  const first = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        stopWaiting()
        waiting.delete(done)
        resolve()
      }
      const stopWaiting = clock.after(timeout, done)
      waiting.add(done)
    })

  return {
    async playlist() {
      requested()
      if (listedSegments(state).length === 0) await first()
      if (state.state === 'idle') return undefined
      const listed = listedSegments(state)
      if (listed.length === 0 || clock.elapsed() - endedAt > stale) return undefined
      return playlistOf(listed, state.target)
    },
    init(of, audio) {
      requested()
      const data = initOf(state, of)
      return audio || !data ? data : videoOnlyInit(initSegmentIn(data)).data
    },
    segment(number, audio) {
      requested()
      if (state.state === 'idle') return undefined
      const segment = state.segments.find((each) => each.number === number)
      if (audio || !segment) return segment?.data
      const init = initOf(state, segment.stream)
      return init && videoOnlyFragments(segment.data, initSegmentIn(init).tracks)
    },
    forget,
  }
}

const initOf = (state: LiveHlsState, stream: number): Buffer | undefined =>
  state.state === 'following' ? state.inits.get(stream) : undefined

/** @param listed at least one segment */
function playlistOf(listed: readonly HlsSegment[], target: number): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-MEDIA-SEQUENCE:${listed[0]?.number}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${listed[0]?.breaks}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  let before: HlsSegment | undefined
  for (const segment of listed) {
    if (before && before.breaks !== segment.breaks) lines.push('#EXT-X-DISCONTINUITY')
    if (before?.stream !== segment.stream) lines.push(`#EXT-X-MAP:URI="${segment.stream}/init.mp4"`)
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.at).toISOString()}`,
      `#EXTINF:${segment.duration.toFixed(3)},`,
      `${segment.number}/video.m4s`,
    )
    before = segment
  }
  return [...lines, ''].join('\n')
}

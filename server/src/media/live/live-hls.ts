import type { Clock } from '../../shared/clock.ts'
import type { Fragment, InitSegment } from '../mp4/fmp4.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

/** The last seconds of a stream as HLS, kept in memory while there are requests. */
export interface LiveHls {
  /** Waits for the first segment. @returns undefined if none arrives, or the last one is stale */
  playlist(): Promise<string | undefined>
  /** The init segment of one stream. */
  init(stream: number): Buffer | undefined
  segment(number: number): Buffer | undefined
  /** Deletes all segments. */
  forget(): void
}

export interface LiveHlsDeps {
  /** Subscribes to the stream. @returns a function that unsubscribes */
  readonly follow: (tap: StreamConsumer) => () => void
  readonly clock: Clock
  readonly times?: Partial<typeof usualTimes>
}

/**
 * `min`: seconds of a segment, up to the next key frame; the first can be shorter. Milliseconds: `idle` after the last
 * request, `timeout` for the first segment, `stale` until the last segment is outdated.
 */
const usualTimes = { min: 2, idle: 30_000, timeout: 10_000, stale: 20_000 }

/** Segments listed in a playlist, and segments kept: a player can follow an old playlist for its own length (RFC 8216, 6.2.2). */
const count = { listed: 6, held: 13 }

/** Bytes of all kept segments, and of one. Beyond, old segments are deleted, or the next key frame is awaited. */
const max = { held: 64 << 20, segment: 24 << 20 }

/** Seconds without a key frame after which a segment is discarded. */
const longest = 20

interface Segment {
  readonly number: number
  readonly stream: number
  /** Number of discontinuities up to this segment. */
  readonly breaks: number
  /** Arrival time, Unix milliseconds. */
  readonly at: number
  /** Seconds. */
  readonly duration: number
  readonly data: Buffer
}

interface OpenSegment {
  readonly parts: Buffer[]
  readonly at: number
  readonly breaks: number
  /** Seconds of the stream. */
  readonly from: number
  to: number
  bytes: number
}

/**
 * Cuts a live stream into segments at its key frames.
 *
 * Sequence numbers start at the current time and only increase, so that a player continues after a pause or a restart.
 */
export function createLiveHls({ follow, clock, times }: LiveHlsDeps): LiveHls {
  const { min, idle, timeout, stale } = { ...usualTimes, ...times }
  let next = Math.floor(clock.now() / 1000)
  let stream = next
  let breaks = next
  /** By stream. */
  const inits = new Map<number, Buffer>()
  let segments: Segment[] = []
  let open: OpenSegment | undefined
  let flowing = false
  /** The next segment does not continue the last one. */
  let broken = false
  /** Estimated maximum duration of a segment, seconds: players rely on it, so it must not change. */
  let target = 0
  let unfollow: (() => void) | undefined
  let idling: NodeJS.Timeout | undefined
  const waiting = new Set<() => void>()

  const close = (to: number): void => {
    const done = open
    open = undefined
    if (!done || to <= done.from) return
    const duration = to - done.from
    // The first segment lasts one key frame interval; each other as many intervals as needed.
    if (segments.length === 0) target = Math.round(duration * Math.max(1, Math.ceil(min / duration)))
    target = Math.max(1, target, Math.round(duration))
    segments.push({
      number: next++,
      stream,
      breaks: done.breaks,
      at: done.at,
      duration,
      data: Buffer.concat(done.parts),
    })
    let held = segments.reduce((sum, { data }) => sum + data.length, 0)
    while (segments.length > count.held || (held > max.held && segments.length > 1)) {
      held -= segments.shift()?.data.length ?? 0
    }
    for (const known of inits.keys()) {
      if (known !== stream && !segments.some((each) => each.stream === known)) inits.delete(known)
    }
    for (const wake of waiting) wake()
  }

  const tap: StreamConsumer = {
    begin(init: InitSegment) {
      if (open) close(open.to)
      if (flowing || segments.length > 0) broken = true
      stream += 1
      inits.set(stream, init.data)
      flowing = true
    },
    fragment(fragment: Fragment, now: number) {
      if (!flowing) return
      const key = fragment.video && fragment.key
      if (key && open && (segments.length === 0 || fragment.time - open.from >= min)) close(fragment.time)
      if (!open) {
        if (!key) return
        if (broken) breaks += 1
        broken = false
        open = { parts: [], at: now, breaks, from: fragment.time, to: fragment.time, bytes: 0 }
      }
      open.parts.push(fragment.data)
      open.bytes += fragment.data.length
      if (fragment.video) open.to = Math.max(open.to, fragment.time + fragment.duration)
      if (open.bytes > max.segment || open.to - open.from > longest) {
        open = undefined
        broken = true
      }
    },
    end() {
      if (open) close(open.to)
      flowing = false
    },
  }

  const forget = (): void => {
    unfollow?.()
    unfollow = undefined
    clearTimeout(idling)
    if (segments.length > 0) broken = true
    segments = []
    inits.clear()
    open = undefined
    flowing = false
    target = 0
    for (const wake of waiting) wake()
  }

  const requested = (): void => {
    clearTimeout(idling)
    idling = setTimeout(forget, idle).unref()
    unfollow ??= follow(tap)
  }

  const first = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(late)
        waiting.delete(done)
        resolve()
      }
      const late = setTimeout(done, timeout)
      waiting.add(done)
    })

  return {
    async playlist() {
      requested()
      if (segments.length === 0) await first()
      const last = segments.at(-1)
      if (!last || clock.now() - last.at - last.duration * 1000 > stale) return undefined
      return playlistOf(segments.slice(-count.listed), target)
    },
    init(of) {
      requested()
      return inits.get(of)
    },
    segment(number) {
      requested()
      return segments.find((each) => each.number === number)?.data
    },
    forget,
  }
}

/** @param listed at least one segment */
function playlistOf(listed: readonly Segment[], target: number): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-MEDIA-SEQUENCE:${listed[0]?.number}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${listed[0]?.breaks}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  let before: Segment | undefined
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

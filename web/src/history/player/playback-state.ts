import type { RecordingState } from '../../player/recording/recording-state.ts'
import type { TimeRange } from '../../lib/day.ts'
import { anyRecordedFrom, rounding, spanAt, type Span } from '../recorded/spans.ts'

/** What is known of the recordings when an event happens. Times are Unix seconds. */
export interface Recordings {
  readonly cameras: readonly string[]
  /** Each camera's recordings of the day, in the same order; undefined while loading. */
  readonly spans: readonly (readonly Span[] | undefined)[]
  /** The day that contains the current time. */
  readonly day: TimeRange
  /** The first time after the day that may have recordings; undefined if none does. */
  readonly afterDay: number | 'searching' | 'failed' | undefined
  readonly now: number
}

/** A time that a video is sent to. A new object sends it there again. */
export interface Place {
  readonly at: number
}

/** A camera's reported playback time. */
export interface Clock {
  readonly at: number
  /** Milliseconds on the page's clock (`performance.now`). */
  readonly when: number
  /** The place that the video had been sent to. */
  readonly place: Place
}

export interface PlaybackState {
  /** The time shown, Unix seconds. */
  readonly at: number
  readonly playing: boolean
  readonly rate: number
  /** The user is dragging on the timeline. */
  readonly scrubbing: boolean
  /** Seconds that playback just skipped because nothing was recorded. */
  readonly skipped: number | undefined
  /** Everything has been played, up to now. */
  readonly caughtUp: boolean
  /** Where playback ended; it continues once the recordings that follow are known. */
  readonly pending: number | undefined
  /** The user pressed Play there, so that it continues even if the day has no recordings. */
  readonly isRequested: boolean
  /** Where all videos were sent. */
  readonly place: Place
  /** Cameras that were sent elsewhere since, to join the others or catch up with them. */
  readonly places: ReadonlyMap<string, Place>
  /** Cameras that play faster or slower than the others to meet them, by which factor. */
  readonly paces: ReadonlyMap<string, number>
  readonly videos: ReadonlyMap<string, RecordingState>
  /** Which cameras covered the time when that last changed; see {@link covers}. */
  readonly covered: readonly boolean[]
}

export type PlaybackEvent =
  | { readonly type: 'go'; readonly at: number }
  /** Follows the drag, over gaps too. */
  | { readonly type: 'scrub'; readonly at: number }
  | { readonly type: 'play'; readonly playing: boolean }
  | { readonly type: 'rate'; readonly rate: number }
  | { readonly type: 'video'; readonly camera: string; readonly video: RecordingState }
  /**
   * A camera's video has reached a time. `clocks` are the last reports of all cameras, this one included. A report from
   * before the video was sent elsewhere is ignored.
   */
  | {
      readonly type: 'time'
      readonly camera: string
      readonly at: number
      readonly when: number
      readonly clocks: ReadonlyMap<string, Clock>
    }
  /** A camera's video has nothing to play from here on. */
  | { readonly type: 'end'; readonly camera: string; readonly at: number }
  /** The recordings of the day were loaded or have grown, or the first time after the day is known. */
  | { readonly type: 'recordings' }
  /** Recordings of some camera began or ended at the current time. */
  | { readonly type: 'coverage' }

/** Seconds two videos can differ before one jumps (`apart`), and before its rate changes (`near`). */
const apart = 0.8
const near = 0.15
/** Seconds before the end of the day or before now within which it is unknown what follows. */
const open = 45
/** Seconds between two recordings that do not count as a gap. */
const seam = 0.4
/** Seconds skipped from which the user is notified. */
const minNotifiedSkip = 2

export const playbackFrom = (at: number): PlaybackState => ({
  at,
  playing: true,
  rate: 1,
  scrubbing: false,
  skipped: undefined,
  caughtUp: false,
  pending: undefined,
  isRequested: false,
  place: { at },
  places: new Map(),
  paces: new Map(),
  videos: new Map(),
  covered: [],
})

/** The state after an event. Pure: time comes with the event. */
export function afterEvent(state: PlaybackState, event: PlaybackEvent, recordings: Recordings): PlaybackState {
  switch (event.type) {
    case 'go':
      return goTo({ ...state, scrubbing: false }, event.at, recordings)
    case 'scrub':
      return placeAt({ ...state, scrubbing: true, skipped: undefined }, possible(event.at, recordings))
    case 'play':
      return setPlaying({ ...state, playing: event.playing, skipped: undefined, isRequested: false }, recordings)
    case 'rate':
      return { ...state, rate: event.rate }
    case 'video':
      return { ...state, videos: withEntry(state.videos, event.camera, event.video) }
    case 'time':
      return reached(state, event, recordings)
    case 'end':
      return ended(state, event, recordings)
    case 'recordings':
      return resumed(state, recordings)
    case 'coverage':
      return joined(state, recordings)
  }
}

/** Playback leads with the first camera that recorded the current time and plays; undefined without cameras. */
export function leaderOf(state: PlaybackState, recordings: Recordings): string | undefined {
  const { cameras } = recordings
  return cameras.find((camera, index) => !isOut(state, camera) && covers(state, recordings, index)) ?? cameras[0]
}

/** Whether a camera recorded the current time, or may have while its recordings are loading. */
export function covers({ at }: PlaybackState, { spans }: Recordings, index: number): boolean {
  const known = spans[index]
  return known === undefined || spanAt(known, at) !== undefined
}

/** Where a camera's playback stops, Unix seconds. */
export function boundOf({ at }: PlaybackState, { spans, day, now }: Recordings, index: number): number {
  const known = spans[index]
  const span = known && spanAt(known, at)
  // The recording may continue past the part that is known.
  if (!span || span.end > day.to - open || span.end > now - open) return Number.POSITIVE_INFINITY
  return span.end
}

export const placeOf = ({ place, places }: PlaybackState, camera: string): Place => places.get(camera) ?? place

const isOut = ({ videos }: PlaybackState, camera: string): boolean =>
  ['ended', 'unsupported', 'broken', 'gone'].includes(videos.get(camera)?.kind ?? 'waiting')

const isComplete = ({ spans }: Recordings): boolean => !spans.includes(undefined)
const knownSpans = ({ spans }: Recordings) => spans.filter((each) => each !== undefined)
const possible = (at: number, { now }: Recordings): number => Math.min(Math.max(0, at), now)

/** Sends all videos to a time. */
const placeAt = (state: PlaybackState, at: number): PlaybackState => ({
  ...state,
  at,
  caughtUp: false,
  pending: undefined,
  isRequested: false,
  place: { at },
  places: new Map(),
  paces: new Map(),
})

function goTo(state: PlaybackState, at: number, recordings: Recordings): PlaybackState {
  const { day } = recordings
  const requested = possible(at, recordings)
  const inside = requested >= day.from && requested < day.to
  const skips = inside && isComplete(recordings) && state.playing
  const next = (skips ? anyRecordedFrom(knownSpans(recordings), requested) : undefined) ?? requested
  return placeAt({ ...state, skipped: skipBetween(requested, next) }, next)
}

function setPlaying(state: PlaybackState, recordings: Recordings): PlaybackState {
  const anyCovers = recordings.cameras.some((_camera, index) => covers(state, recordings, index))
  if (!state.playing || !isComplete(recordings) || anyCovers) return state
  // From a time that no camera recorded, playback starts with the next recording.
  return continueFrom({ ...state, isRequested: true }, state.at, state.at, recordings)
}

function reached(
  state: PlaybackState,
  { camera, at, when, clocks }: Extract<PlaybackEvent, { type: 'time' }>,
  recordings: Recordings,
): PlaybackState {
  if (camera !== leaderOf(state, recordings) || state.scrubbing) return state
  if (clocks.get(camera)?.place !== placeOf(state, camera)) return state
  const bound = boundOf(state, recordings, recordings.cameras.indexOf(camera))
  if (state.playing && isComplete(recordings) && at >= bound - rounding)
    return continueFrom(state, bound + seam, bound, recordings)
  const others = recordings.cameras.filter(
    (other, index) => other !== camera && covers(state, recordings, index) && state.videos.get(other)?.kind === 'shown',
  )
  return others.reduce<PlaybackState>((next, other) => keptTogether(next, other, clocks.get(other), { at, when }), {
    ...state,
    at,
    caughtUp: false,
  })
}

/** A camera that is ahead of the leader or behind plays slower or faster; if it is too far away, it jumps. */
function keptTogether(
  state: PlaybackState,
  camera: string,
  clock: Clock | undefined,
  leader: { readonly at: number; readonly when: number },
): PlaybackState {
  if (clock?.place !== placeOf(state, camera)) return state
  const reckoned = clock.at + (state.playing ? ((leader.when - clock.when) / 1000) * state.rate : 0)
  const ahead = (reckoned - leader.at) / Math.max(1, state.rate)
  if (Math.abs(ahead) > apart)
    return { ...state, places: withEntry(state.places, camera, { at: leader.at + 0.2 * state.rate }) }
  const pace = Math.abs(ahead) < near ? 1 : ahead > 0 ? 0.93 : 1.07
  return (state.paces.get(camera) ?? 1) === pace ? state : { ...state, paces: withEntry(state.paces, camera, pace) }
}

function ended(
  state: PlaybackState,
  { camera, at }: Extract<PlaybackEvent, { type: 'end' }>,
  recordings: Recordings,
): PlaybackState {
  const { scrubbing, playing, pending } = state
  if (camera !== leaderOf(state, recordings) || scrubbing || !playing || pending !== undefined) return state
  // The recordings of the day may not be loaded yet.
  return isComplete(recordings) ? endedAt(state, at, recordings) : { ...state, pending: at, isRequested: false }
}

/** Playback ended at a time, and the recordings of the day are known. */
function endedAt(state: PlaybackState, at: number, recordings: Recordings): PlaybackState {
  const { day } = recordings
  // The video of a day without recordings ends as well, often before the day is known to have none. The page says that
  // it has none, and skips to no other day.
  if (!state.isRequested && at >= day.from && knownSpans(recordings).every(({ length }) => length === 0))
    return { ...state, pending: undefined }
  return continueFrom(state, Math.max(day.from, at + seam), at, recordings)
}

function resumed(state: PlaybackState, recordings: Recordings): PlaybackState {
  if (!isComplete(recordings)) return state
  const { pending, caughtUp, playing, at } = state
  if (pending !== undefined) return endedAt(state, pending, recordings)
  if (!caughtUp || !playing) return state
  const next = anyRecordedFrom(knownSpans(recordings), at + 0.5)
  if (next !== undefined) return placeAt(state, next)
  // The day is over, and the next one has recordings by now.
  const { afterDay, now } = recordings
  const isFollowed = typeof afterDay === 'number' && afterDay <= now
  return isFollowed ? continueFrom({ ...state, caughtUp: false }, at + 0.5, at, recordings) : state
}

/** A camera whose recordings begin while the others play joins them, as does one that is shown again. */
function joined(state: PlaybackState, recordings: Recordings): PlaybackState {
  const { at, places, covered: before, playing, scrubbing } = state
  const { cameras } = recordings
  const leader = leaderOf(state, recordings)
  const covered = cameras.map((_camera, index) => covers(state, recordings, index))
  const joining = cameras.filter(
    (camera, index) => camera !== leader && before.length > 0 && before[index] !== true && covered[index] === true,
  )
  const next = {
    ...state,
    covered,
    places: new Map([...places, ...joining.map((camera) => [camera, { at }] as const)]),
  }
  // Cameras that are no longer shown were perhaps the only ones with recordings of this time.
  const isStuck = before.length > cameras.length && playing && !scrubbing && !covered.includes(true)
  return isStuck && isComplete(recordings) ? endedAt(next, at, recordings) : next
}

/** Continues with the next recorded time, from a time that no camera recorded. `played`: where playback was. */
function continueFrom(state: PlaybackState, from: number, played: number, recordings: Recordings): PlaybackState {
  const next = anyRecordedFrom(knownSpans(recordings), from)
  if (next !== undefined) return placeAt({ ...state, skipped: skipBetween(played, next) ?? state.skipped }, next)
  const { day, afterDay, now } = recordings
  if (afterDay === 'searching' || afterDay === 'failed') return { ...state, pending: played }
  if (afterDay === undefined || afterDay > now) return { ...state, caughtUp: true }
  return { ...state, at: Math.max(afterDay, day.to), pending: played }
}

const skipBetween = (from: number, to: number): number | undefined =>
  to - from > minNotifiedSkip ? to - from : undefined

const withEntry = <Value>(all: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> =>
  new Map(all).set(key, value)

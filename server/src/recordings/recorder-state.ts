import type { Fragment } from '../media/mp4/fragment.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import {
  hasJumped,
  hasDrifted,
  observe,
  seemsTooLong,
  settle,
  startWallTime,
  wallTimeOf,
  type WallTime,
} from '../media/wall-time.ts'
import type { Instant } from '../shared/time/clock.ts'
import { andThen, unchanged, type Step } from '../shared/with-web/step.ts'
import { pausedBy, type RecordingProblem } from './pause.ts'
import type { DiskError } from './segments/segment-draft.ts'

/** `off`: not requested. `waiting`: the camera sends no video. `paused`: the disk cannot store it, see `problem`. */
export interface RecorderStatus {
  readonly state: 'off' | 'waiting' | 'recording' | 'paused'
  /** Why recording is paused. */
  readonly problem?: RecordingProblem
}

/** Consecutive segments of one stream. */
interface Run {
  readonly wall: WallTime
  /** Start of the run's first segment, Unix milliseconds; undefined until that segment ends. */
  readonly id: number | undefined
}

interface Stream {
  readonly init: InitSegment
  readonly run: Run | undefined
}

interface OpenSegment {
  readonly draft: number
  /** Stream time, seconds. */
  readonly from: number
  readonly to: number
  /** Milliseconds of the steady clock. */
  readonly begunAt: number
  readonly flushedAt: number
  /** Largest value so far, percent. */
  readonly motion: number
}

/** `retryAt`: milliseconds of the steady clock. */
type Disk =
  | { readonly state: 'working' }
  | { readonly state: 'failing'; readonly kind: DiskError['kind']; readonly retryAt: number }

interface Files {
  readonly disk: Disk
  /** Number of drafts so far. */
  readonly drafts: number
  /** Number of drafts that accept no more data but aren't closed yet. */
  readonly closing: number
  /** Drafts that are on disk without their final name, until the disk is writable again. */
  readonly unclosed: readonly number[]
  readonly reported: RecorderStatus
}

interface Off extends Files {
  readonly mode: 'off'
  readonly stream: Stream | undefined
}
interface WaitingToRecord extends Files {
  readonly mode: 'waiting'
  readonly stream: Stream | undefined
}
interface Recording extends Files {
  readonly mode: 'recording'
  readonly stream: Stream & { readonly run: Run }
  readonly segment: OpenSegment
}

/** `waiting`: for a key frame, or for the disk. */
export type RecorderState = Off | WaitingToRecord | Recording

/** What is known of the open segment's draft when a fragment arrives. */
export interface DraftCondition {
  /** Whether any of it is on the disk. */
  readonly isWritten: boolean
  readonly error: DiskError | undefined
}

export type RecorderEvent =
  | { readonly kind: 'recording-enabled' }
  | { readonly kind: 'recording-disabled' }
  | { readonly kind: 'stream-began'; readonly init: InitSegment }
  | { readonly kind: 'stream-ended' }
  | { readonly kind: 'fragment-arrived'; readonly fragment: Fragment; readonly draft: DraftCondition | undefined }
  /** Motion in the open segment, percent. */
  | { readonly kind: 'motion-detected'; readonly percent: number }
  /** An error that ended a draft early: only its beginning is on disk. */
  | { readonly kind: 'draft-shortened'; readonly error: DiskError }
  /** The draft keeps its name and is closed again later. */
  | { readonly kind: 'close-failed'; readonly draft: number; readonly error: DiskError }
  /** The attempt to close a draft is over. */
  | { readonly kind: 'close-ended' }
  | { readonly kind: 'stopped' }

/** A segment that ended. Times in Unix milliseconds with fractions. */
export interface EndedSegment {
  readonly start: number
  readonly end: number
  readonly streamId: number
  readonly initBytes: number
  readonly motion: number
}

export type RecorderEffect =
  | { readonly kind: 'open-draft'; readonly draft: number; readonly start: number; readonly data: Buffer }
  | { readonly kind: 'write'; readonly data: Buffer }
  | { readonly kind: 'flush' }
  | { readonly kind: 'close-draft'; readonly draft: number; readonly segment: EndedSegment }
  | { readonly kind: 'close-again'; readonly draft: number }
  | { readonly kind: 'log-paused'; readonly error: DiskError }
  | { readonly kind: 'log-resumed' }
  /** Frames are recorded this many seconds later than the times before them say; earlier if negative. */
  | { readonly kind: 'log-shifted'; readonly seconds: number }
  | { readonly kind: 'report-disk-error'; readonly error: DiskError }
  | { readonly kind: 'publish-status' }

export type RecorderStep = Step<RecorderState, RecorderEffect>

/** Minimum length of a segment, in seconds. The segment ends at the next key frame after that. */
const length = 10

/** Milliseconds, by our clock or the stream's times, after which a segment ends without a key frame: the index looks no further back, and a file must fit into memory. */
const keyFrameTimeout = 5 * 60_000

/** Maximum seconds between two frames of a stream whose timestamps can be trusted. */
const leap = 1

/**
 * Minimum milliseconds of a run's first segment by our clock: a source can begin with more old frames than a segment
 * contains, and only those after them show when they were taken.
 */
const firstLength = 5000

/** Milliseconds by our clock after which the first segment isn't one of old frames, unless more than that is in it. */
const liveAfter = 3000

/** Milliseconds after a disk error until the next try, and milliseconds of error-free writing until recording counts as resumed. */
const diskTimeout = 5000
const probation = 3000

/** Milliseconds between two writes of a stream with little data. */
const flushInterval = 1000

export const recorderOff: RecorderState = {
  mode: 'off',
  stream: undefined,
  disk: { state: 'working' },
  drafts: 0,
  closing: 0,
  unclosed: [],
  reported: { state: 'off' },
}

export function statusOf({ mode, disk }: RecorderState): RecorderStatus {
  if (mode === 'off') return { state: 'off' }
  if (disk.state === 'failing') return { state: 'paused', problem: pausedBy(disk.kind) }
  return { state: mode }
}

/** Whether a time, Unix milliseconds, is in the open segment or after it. */
export const isInOpenSegment = (state: RecorderState, at: number, now: Instant): boolean =>
  state.mode === 'recording' && at >= wallTimeOf(state.stream.run.wall, state.segment.from, now)

/** One step of a recorder, which cuts a camera's stream into files of about ten seconds. */
export function step(before: RecorderState, event: RecorderEvent, now: Instant): RecorderStep {
  const after = transition(before, event, now)
  // A stream that begins is reported with its first fragment.
  if (event.kind === 'stream-began' || event.kind === 'stopped') return after
  return andThen(after, publishStatus)
}

function publishStatus(state: RecorderState): RecorderStep {
  const status = statusOf(state)
  const { reported } = state
  if (status.state === reported.state && status.problem?.code === reported.problem?.code) return unchanged(state)
  return { state: { ...state, reported: status }, effects: [{ kind: 'publish-status' }] }
}

function transition(before: RecorderState, event: RecorderEvent, now: Instant): RecorderStep {
  switch (event.kind) {
    case 'recording-enabled':
      return unchanged(before.mode === 'off' ? { ...before, mode: 'waiting' } : before)
    case 'recording-disabled':
    case 'stopped':
      return andThen(endSegment(before, now), (ended) => unchanged(off(ended)))
    case 'stream-began':
      return andThen(endSegment(before, now), (ended) =>
        unchanged({ ...ended, stream: { init: event.init, run: undefined } }),
      )
    case 'stream-ended':
      return andThen(endSegment(before, now), (ended) => unchanged({ ...ended, stream: undefined }))
    case 'fragment-arrived':
      return fragmentArrived(before, event.fragment, event.draft, now)
    case 'motion-detected': {
      if (before.mode !== 'recording') return unchanged(before)
      const motion = Math.max(before.segment.motion, event.percent)
      return unchanged({ ...before, segment: { ...before.segment, motion } })
    }
    case 'draft-shortened':
      return pause(before, event.error, now)
    case 'close-failed':
      return andThen(pause(before, event.error, now), (paused) =>
        unchanged({ ...paused, unclosed: [...paused.unclosed, event.draft] }),
      )
    case 'close-ended':
      return unchanged({ ...before, closing: before.closing - 1 })
  }
}

const off = (state: Off | WaitingToRecord): Off => ({ ...state, mode: 'off' })

function pause<S extends RecorderState>(before: S, error: DiskError, now: Instant): Step<S, RecorderEffect> {
  const disk: Disk = { state: 'failing', kind: error.kind, retryAt: now.elapsed + diskTimeout }
  const report: RecorderEffect = { kind: 'report-disk-error', error }
  return {
    state: { ...before, disk },
    effects: before.disk.state === 'working' ? [{ kind: 'log-paused', error }, report] : [report],
  }
}

/** The disk accepts data again: the drafts that could not be closed are closed now. */
function resume<S extends RecorderState>(before: S, now: Instant): Step<S, RecorderEffect> {
  const { disk, unclosed, closing } = before
  if (disk.state === 'working' || now.elapsed < disk.retryAt) return unchanged(before)
  return {
    state: { ...before, disk: { state: 'working' }, unclosed: [], closing: closing + unclosed.length },
    effects: [{ kind: 'log-resumed' }, ...unclosed.map((draft): RecorderEffect => ({ kind: 'close-again', draft }))],
  }
}

const canTry = ({ disk, closing }: RecorderState, now: Instant): boolean =>
  disk.state === 'working' || (closing === 0 && now.elapsed >= disk.retryAt)

const endOf = ({ time, duration }: Fragment): number => time + duration

/** @param to stream time in seconds; undefined: the end of the last frame received. */
function endSegment(before: RecorderState, now: Instant, to?: number): Step<Off | WaitingToRecord, RecorderEffect> {
  if (before.mode !== 'recording') return unchanged(before)
  const { segment, stream, ...files } = before
  const wall = settle(stream.run.wall)
  const start = wallTimeOf(wall, segment.from, now)
  const id = stream.run.id ?? Math.round(start)
  const ended: EndedSegment = {
    start,
    end: start + ((to ?? segment.to) - segment.from) * 1000,
    streamId: id,
    initBytes: stream.init.data.length,
    motion: segment.motion,
  }
  return {
    state: { ...files, mode: 'waiting', stream: { ...stream, run: { wall, id } }, closing: files.closing + 1 },
    effects: [{ kind: 'close-draft', draft: segment.draft, segment: ended }],
  }
}

function fragmentArrived(
  before: RecorderState,
  fragment: Fragment,
  draft: DraftCondition | undefined,
  now: Instant,
): RecorderStep {
  if (before.mode === 'off' || !before.stream) return unchanged(before)
  if (before.mode === 'waiting') return begin(before, fragment, now)
  const current = fragment.video ? withObserved(before, fragment, now) : before
  if (hasUnknownLength(before, fragment, now) || hasLostTime(current, fragment, now)) {
    // The duration of this fragment is unknown, and says nothing about those before it.
    return andThen(endSegment(before, now), (ended) => unchanged(withoutRun(ended)))
  }
  return andThen(continueOrEnd(current, fragment, draft, now), (next) =>
    next.mode === 'recording' ? append(next, fragment, now) : begin(next, fragment, now),
  )
}

const withObserved = (state: Recording, fragment: Fragment, now: Instant): Recording => {
  const { run } = state.stream
  return { ...state, stream: { ...state.stream, run: { ...run, wall: observe(run.wall, endOf(fragment), now) } } }
}

const withoutRun = (state: Off | WaitingToRecord): Off | WaitingToRecord => ({
  ...state,
  stream: state.stream && { ...state.stream, run: undefined },
})

/** The times of the stream jumped in its first segment: among old frames, only a long jump differs from a frame. */
function hasUnknownLength({ stream, segment }: Recording, fragment: Fragment, now: Instant): boolean {
  const { wall } = stream.run
  const lasted = now.elapsed - segment.begunAt
  const isLive = lasted > liveAfter && (segment.to - segment.from) * 1000 < lasted + liveAfter
  const longest = isLive && wall.offset === undefined ? leap : undefined
  return fragment.video && seemsTooLong(wall, segment.to, endOf(fragment), now, longest)
}

/** The times of the stream can no longer be trusted, or no key frame arrives. */
function hasLostTime({ stream, segment }: Recording, fragment: Fragment, now: Instant): boolean {
  const leapt = fragment.video && endOf(fragment) - segment.to > leap
  const lasted = Math.max(now.elapsed - segment.begunAt, fragment.video ? (endOf(fragment) - segment.from) * 1000 : 0)
  return (hasDrifted(stream.run.wall) && leapt) || lasted > keyFrameTimeout
}

function continueOrEnd(
  before: Recording,
  fragment: Fragment,
  draft: DraftCondition | undefined,
  now: Instant,
): RecorderStep {
  const { segment } = before
  const { wall } = before.stream.run
  if (draft?.error)
    return andThen<RecorderState, RecorderEffect>(pause(before, draft.error, now), (paused) => endSegment(paused, now))
  const canResume = draft?.isWritten === true && now.elapsed - segment.begunAt >= probation
  const current: RecorderStep = canResume ? resume(before, now) : unchanged(before)
  const isDated = wall.offset !== undefined || now.elapsed - segment.begunAt >= firstLength
  const isNext = (fragment.time - segment.from >= length && isDated) || hasJumped(wall, now) || hasDrifted(wall)
  if (!fragment.video || !fragment.key || !isNext) return current
  return andThen(current, (state) => endSegment(state, now, fragment.time))
}

/** Begins a segment with a key frame. */
function begin(before: RecorderState, fragment: Fragment, now: Instant): RecorderStep {
  if (before.mode !== 'waiting' || !before.stream) return unchanged(before)
  if (!fragment.video || !fragment.key || !canTry(before, now)) return unchanged(before)
  const { init, run: last } = before.stream
  const isSame = last !== undefined && !hasJumped(last.wall, now) && !hasDrifted(last.wall)
  const run = isSame ? last : { wall: startWallTime(now), id: undefined }
  const { time } = fragment
  if (seemsTooLong(run.wall, time, endOf(fragment), now)) return unchanged(withoutRun(before))
  const wall = observe(run.wall, endOf(fragment), now)
  const draft = before.drafts + 1
  const begun: Recording = {
    ...before,
    mode: 'recording',
    stream: { init, run: { ...run, wall } },
    drafts: draft,
    segment: { draft, from: time, to: time, begunAt: now.elapsed, flushedAt: now.elapsed, motion: 0 },
  }
  const open: RecorderEffect = { kind: 'open-draft', draft, start: wallTimeOf(wall, time, now), data: init.data }
  return andThen({ state: begun, effects: [...shifted(last?.wall, wall, time, now), open] }, () =>
    append(begun, fragment, now),
  )
}

/** The gap or overlap in the recording has no other reason: no frame is missing. */
function shifted(last: WallTime | undefined, next: WallTime, time: number, now: Instant): RecorderEffect[] {
  if (!last || !hasDrifted(last)) return []
  const seconds = (wallTimeOf(next, time, now) - wallTimeOf(last, time, now)) / 1000
  return [{ kind: 'log-shifted', seconds: Math.round(seconds * 10) / 10 }]
}

function append(before: Recording, fragment: Fragment, now: Instant): RecorderStep {
  const { segment } = before
  const isFlushDue = now.elapsed - segment.flushedAt >= flushInterval
  const write: RecorderEffect = { kind: 'write', data: fragment.data }
  return {
    state: {
      ...before,
      segment: {
        ...segment,
        to: fragment.video ? Math.max(segment.to, endOf(fragment)) : segment.to,
        flushedAt: isFlushDue ? now.elapsed : segment.flushedAt,
      },
    },
    effects: isFlushDue ? [write, { kind: 'flush' }] : [write],
  }
}

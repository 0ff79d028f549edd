import { join, relative } from 'node:path'
import type { Fragment, InitSegment } from '../media/mp4/fmp4.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { createWallTime, type WallTime } from '../media/wall-time.ts'
import type { Clock } from '../shared/clock.ts'
import { pausedBy, type RecordingProblem } from './pause.ts'
import type { NewSegment } from './recording-store.ts'
import { segmentOf } from './segment-file.ts'
import { DiskError, draftSegment, kindOf, type Backlog, type SegmentDraft } from './segment-draft.ts'
import { draftOf, segmentFile } from './segment-name.ts'
import { createSegmentIndexer, type ShelfDeps } from './segment-indexer.ts'

/** `off`: not requested. `waiting`: the camera sends no video. `paused`: the disk cannot store it, see `problem`. */
export type RecorderState = 'off' | 'waiting' | 'recording' | 'paused'

export interface RecorderStatus {
  readonly state: RecorderState
  /** Why recording is paused. */
  readonly problem?: RecordingProblem
}

export interface RecorderDeps extends ShelfDeps {
  /** Id of this process in draft names. */
  readonly writer: string
  readonly clock: Clock
  /** Called when the status changed. */
  readonly onStatus?: () => void
  /** Called when recording pauses, and after each failed retry. */
  readonly onTrouble?: (kind: DiskError['kind']) => void
}

export interface Recorder extends StreamConsumer {
  /** Uses the recorder's own clock, so it takes no time argument. */
  fragment(fragment: Fragment): void
  readonly status: RecorderStatus
  /** Sets whether to record from now on. */
  want(requested: boolean): void
  /**
   * Notes how much of the frame moved (percent) at a time, Unix milliseconds.
   *
   * @returns whether the time is in a segment that isn't in the index yet; for an older segment the caller updates the
   * index
   */
  moved(at: number, percent: number): boolean
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** Minimum length of a segment, in seconds. The segment ends at the next key frame after that. */
const length = 10

/** Milliseconds after which a segment ends without a key frame: the index looks no further back, and a file must fit into memory. */
const keyFrameTimeout = 5 * 60_000

/** Maximum seconds between two frames of a stream whose timestamps can be trusted. */
const leap = 1

/** Milliseconds after a disk error until the next try, and milliseconds of error-free writing until recording counts as resumed. */
const diskTimeout = 5000
const probation = 3000

interface OpenSegment {
  readonly draft: SegmentDraft
  readonly initBytes: number
  /** Stream time, seconds. */
  readonly from: number
  to: number
  /** Milliseconds of {@link Clock.elapsed}. */
  readonly begunAt: number
  flushedAt: number
  motion: number
}

interface Run {
  readonly init: InitSegment
  readonly wall: WallTime
  /** Start of the run's first segment, Unix milliseconds; undefined until that segment ends. */
  id: number | undefined
}

/** Cuts a camera's stream into files of about ten seconds. Each file begins with a key frame and plays by itself. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { camera, folder, writer, clock, log, onTrouble } = deps
  const indexer = createSegmentIndexer(deps)
  let requested = false
  let init: InitSegment | undefined
  let run: Run | undefined
  let segment: OpenSegment | undefined
  let trouble: DiskError['kind'] | undefined
  let retryAt = 0
  const backlog: Backlog = { bytes: 0 }
  /** Number of segments that ended but aren't closed yet. */
  let closing = 0
  let work: Promise<void> = Promise.resolve()
  let drafts = 0
  /** Closes drafts that are on disk without their final name; called when the disk is writable again. */
  let unclosed: (() => Promise<void>)[] = []
  let reported: RecorderStatus = { state: 'off' }

  const status = (): RecorderStatus => {
    if (!requested) return { state: 'off' }
    if (trouble !== undefined) return { state: 'paused', problem: pausedBy(trouble) }
    return { state: segment ? 'recording' : 'waiting' }
  }
  const notify = (): void => {
    const now = status()
    if (now.state === reported.state && now.problem?.code === reported.problem?.code) return
    reported = now
    deps.onStatus?.()
  }

  const pauseFor = ({ kind, cause }: DiskError): void => {
    const before = trouble
    trouble = kind
    retryAt = clock.elapsed() + diskTimeout
    notify()
    if (before === undefined) log.error({ camera, trouble: kind, err: cause }, 'recording paused')
    onTrouble?.(kind)
  }
  const recover = (): void => {
    if (trouble === undefined || clock.elapsed() < retryAt) return
    trouble = undefined
    log.info({ camera }, 'recording resumed')
    const late = unclosed
    unclosed = []
    for (const close of late) closeLater(close)
    notify()
  }
  const mayTry = (): boolean => trouble === undefined || (closing === 0 && clock.elapsed() >= retryAt)

  const begin = (fragment: Fragment): void => {
    if (!init) return
    if (!run || run.init !== init || run.wall.jumped || run.wall.strayed)
      run = { init, wall: createWallTime(clock), id: undefined }
    run.wall.observe(fragment.time + fragment.duration)
    const draftPath = join(folder, draftOf(segmentFile(camera, run.wall.of(fragment.time)), writer, ++drafts))
    const draft = draftSegment(draftPath, backlog)
    draft.add(init.data)
    const { time } = fragment
    segment = {
      draft,
      initBytes: init.data.length,
      from: time,
      to: time,
      begunAt: clock.elapsed(),
      flushedAt: clock.elapsed(),
      motion: 0,
    }
  }

  /** @param to stream time in seconds; undefined: the end of the last frame received. */
  const finish = (to?: number): void => {
    if (!segment || !run) return
    const { draft, initBytes, from, motion } = segment
    const end = to ?? segment.to
    segment = undefined
    run.wall.settle()
    const start = run.wall.of(from)
    run.id ??= Math.round(start)
    const file = segmentFile(camera, start)
    const known = { camera, start: Math.round(start), end: Math.round(start + (end - from) * 1000), run: run.id }
    const late = indexer.ended(known.start, known.end, motion)
    const close = async (): Promise<void> => {
      const path = await draft.finish(join(folder, file)).catch((cause: unknown) => {
        pauseFor(new DiskError(kindOf(cause), cause))
        unclosed.push(close)
        return undefined
      })
      if (draft.trouble) pauseFor(draft.trouble)
      if (path === undefined) return
      const kept = relative(folder, path)
      const made = draft.trouble
        ? await rest(kept, known.run, late.motion)
        : { ...known, bytes: draft.bytes, initBytes, motion: late.motion, file: kept }
      if (made) await indexer.put(made, late)
    }
    closeLater(close)
  }
  const closeLater = (close: () => Promise<void>): void => {
    closing++
    work = work
      .then(close)
      .catch((err: unknown) => log.error({ camera, err }, 'failed to finalize segment'))
      .finally(() => void closing--)
  }

  /** Reads the part of a segment that reached the disk before an error. */
  const rest = async (file: string, run: number, motion: number): Promise<NewSegment | undefined> => {
    const found = await segmentOf(folder, file)
    return found && { ...found, run, motion }
  }

  const take = (fragment: Fragment): void => {
    if (!requested || !init) return
    if (segment && run) {
      if (fragment.video) run.wall.observe(fragment.time + fragment.duration)
      const leapt = fragment.video && fragment.time + fragment.duration - segment.to > leap
      if ((run.wall.strayed && leapt) || clock.elapsed() - segment.begunAt > keyFrameTimeout) {
        finish()
        run = undefined
        // The duration of this fragment is unknown.
        return
      }
    }
    if (segment && run) {
      const another = run.wall.jumped || run.wall.strayed
      const due = fragment.video && fragment.key && (fragment.time - segment.from >= length || another)
      if (segment.draft.trouble) {
        pauseFor(segment.draft.trouble)
        finish()
      } else if (segment.draft.written > 0 && clock.elapsed() - segment.begunAt >= probation) recover()
      if (segment && due) finish(fragment.time)
    }
    if (!segment && fragment.video && fragment.key && mayTry()) begin(fragment)
    if (!segment) return
    segment.draft.add(fragment.data)
    if (fragment.video) segment.to = Math.max(segment.to, fragment.time + fragment.duration)
    if (clock.elapsed() - segment.flushedAt >= 1000) {
      segment.flushedAt = clock.elapsed()
      segment.draft.flush()
    }
  }

  return {
    get status() {
      return status()
    },
    want(next) {
      requested = next
      if (!next) finish()
      notify()
    },
    begin(next) {
      finish()
      init = next
      run = undefined
    },
    fragment(fragment) {
      take(fragment)
      notify()
    },
    end() {
      finish()
      init = undefined
      run = undefined
      notify()
    },
    moved(at, percent) {
      if (segment && run && at >= run.wall.of(segment.from)) {
        segment.motion = Math.max(segment.motion, percent)
        return true
      }
      return indexer.moved(at, percent)
    },
    async stop() {
      finish()
      requested = false
      await work
    },
  }
}

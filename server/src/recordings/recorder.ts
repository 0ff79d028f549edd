import { join, relative } from 'node:path'
import type { Fragment, InitSegment } from '../media/fmp4.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { createWallTime, type WallTime } from '../media/wall-time.ts'
import type { Clock } from '../shared/clock.ts'
import { pausedBy, type RecordingProblem } from './pause.ts'
import type { NewSegment } from './recording-store.ts'
import { segmentOf } from './segment-file.ts'
import { DiskError, draftSegment, kindOf, type Backlog, type SegmentDraft } from './segment-draft.ts'
import { draftOf, segmentFile } from './segment-name.ts'
import { createSegmentIndexer, type ShelfDeps } from './segment-indexer.ts'

/** `off`: not wanted. `waiting`: nothing comes from the camera. `paused`: it cannot be kept, for a reason. */
export type RecorderState = 'off' | 'waiting' | 'recording' | 'paused'

export interface RecorderStatus {
  readonly state: RecorderState
  /** Why it is paused. */
  readonly problem?: RecordingProblem
}

export interface RecorderDeps extends ShelfDeps {
  /** Marks what this process writes. */
  readonly writer: string
  readonly clock: Clock
  /** Its status is another than before. */
  readonly onStatus?: () => void
  /** It pauses, or could not go on. */
  readonly onTrouble?: (kind: DiskError['kind']) => void
}

export interface Recorder extends StreamConsumer {
  /** Goes by its own clock. */
  fragment(fragment: Fragment): void
  readonly status: RecorderStatus
  /** Whether to record from now on. */
  want(requested: boolean): void
  /**
   * So much of the picture moved (percent) at a moment, Unix milliseconds.
   *
   * @returns whether that was in a segment that is not in the index yet; of older ones the index is to be told
   */
  moved(at: number, percent: number): boolean
  /** @returns once all that came is on disk and in the index. */
  stop(): Promise<void>
}

/** Seconds a segment lasts at least; it ends with the next key frame. */
const length = 10

/** Milliseconds after which it ends without one: the index looks no further back, and a file has to fit into memory. */
const keyFrameTimeout = 5 * 60_000

/** Seconds by which one picture takes a stream further at most, where the times it goes by are to be believed. */
const leap = 1

/** Milliseconds after trouble with the disk until it is tried again, and for which it has to go well. */
const diskTimeout = 5000
const probation = 3000

interface OpenSegment {
  readonly draft: SegmentDraft
  readonly initBytes: number
  /** Seconds of the stream. */
  readonly from: number
  to: number
  /** Milliseconds of the steady clock. */
  readonly begunAt: number
  flushedAt: number
  motion: number
}

interface Run {
  readonly init: InitSegment
  readonly wall: WallTime
  /** Unix milliseconds; known with the first segment. */
  id: number | undefined
}

/** Cuts a camera's stream into files of some ten seconds, each of which begins with a key frame and plays alone. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { camera, folder, writer, clock, log, onTrouble } = deps
  const shelf = createSegmentIndexer(deps)
  let requested = false
  let init: InitSegment | undefined
  let run: Run | undefined
  let segment: OpenSegment | undefined
  let trouble: DiskError['kind'] | undefined
  let retryAt = 0
  const backlog: Backlog = { bytes: 0 }
  /** Segments that are over, and not yet closed. */
  let closing = 0
  let work: Promise<void> = Promise.resolve()
  let drafts = 0
  /** On disk under a draft's name, and to be closed when the disk can be written again. */
  let nameless: (() => Promise<void>)[] = []
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

  const suffer = ({ kind, cause }: DiskError): void => {
    const before = trouble
    trouble = kind
    retryAt = clock.elapsed() + diskTimeout
    notify()
    if (before === undefined) log.error({ camera, trouble: kind, err: cause }, 'recording pauses')
    onTrouble?.(kind)
  }
  const recover = (): void => {
    if (trouble === undefined || clock.elapsed() < retryAt) return
    trouble = undefined
    log.info({ camera }, 'recording goes on')
    const late = nameless
    nameless = []
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

  /** @param to seconds of the stream; undefined: the end of what came. */
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
    const late = shelf.ended(known.start, known.end, motion)
    const close = async (): Promise<void> => {
      const path = await draft.finish(join(folder, file)).catch((cause: unknown) => {
        suffer(new DiskError(kindOf(cause), cause))
        nameless.push(close)
        return undefined
      })
      if (draft.trouble) suffer(draft.trouble)
      if (path === undefined) return
      const kept = relative(folder, path)
      const made = draft.trouble
        ? await rest(kept, known.run, late.motion)
        : { ...known, bytes: draft.bytes, initBytes, motion: late.motion, file: kept }
      if (made) await shelf.put(made, late)
    }
    closeLater(close)
  }
  const closeLater = (close: () => Promise<void>): void => {
    closing++
    work = work
      .then(close)
      .catch((err: unknown) => log.error({ camera, err }, 'a segment was not brought to its end'))
      .finally(() => void closing--)
  }

  /** What is left of a segment that the disk took only a part of. */
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
        // Of this one nobody knows how long it lasts.
        return
      }
    }
    if (segment && run) {
      const another = run.wall.jumped || run.wall.strayed
      const due = fragment.video && fragment.key && (fragment.time - segment.from >= length || another)
      if (segment.draft.trouble) {
        suffer(segment.draft.trouble)
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
      return shelf.moved(at, percent)
    },
    async stop() {
      finish()
      requested = false
      await work
    },
  }
}

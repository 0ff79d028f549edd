import { join, relative } from 'node:path'
import pLimit from 'p-limit'
import type { Fragment } from '../media/mp4/fragment.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'
import { instantOf, type Clock } from '../shared/time/clock.ts'
import {
  isInOpenSegment,
  recorderOff,
  statusOf,
  step,
  type EndedSegment,
  type RecorderEffect,
  type RecorderEvent,
  type RecorderState,
  type RecorderStatus,
} from './recorder-state.ts'
import type { NewSegment } from './index/recording-store.ts'
import { segmentOf } from './segments/segment-file.ts'
import { DiskError, draftSegment, kindOf, type Backlog, type SegmentDraft } from './segments/segment-draft.ts'
import { createSegmentIndexer, type SegmentIndexer, type SegmentIndexerDeps } from './index/segment-indexer.ts'
import { draftOf, segmentFile } from './segments/segment-name.ts'

export interface RecorderDeps extends SegmentIndexerDeps {
  /** Id of this process in draft names. */
  readonly writer: string
  readonly clock: Clock
  /** Epoch of the camera's lease; undefined: there is none. */
  readonly epoch: () => number | undefined
  /** Called when the status changed. */
  readonly onStatus: () => void
  /** Called when recording pauses, and after each failed retry. */
  readonly onDiskError: (kind: DiskError['kind']) => void
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
  /** Whether a segment that begins before a time, Unix milliseconds, isn't in the index yet. */
  isUnindexed(before: number): boolean
  /** Resolves once all segments that ended are on disk and in the index, if the database is available. */
  settled(): Promise<void>
  /** Resolves once all received video is on disk and in the index. */
  stop(): Promise<void>
}

/** A segment whose draft is being closed. */
interface Closing {
  readonly draft: SegmentDraft
  /** Path relative to the volume's folder; a number is added if it is taken. */
  readonly file: string
  readonly segment: Pick<NewSegment, 'camera' | 'start' | 'end' | 'streamId' | 'initBytes' | 'epoch'>
  readonly indexed: ReturnType<SegmentIndexer['ended']>
}

/**
 * Cuts a camera's stream into files of about ten seconds. Each file begins with a key frame and plays by itself. The
 * decisions are in `recorder-state.ts`; this carries them out.
 */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { camera, folder, writer, own, requireDisk, clock, log } = deps
  const indexer = createSegmentIndexer(deps)
  const backlog: Backlog = { bytes: 0 }
  let state: RecorderState = recorderOff
  /** The draft of the open segment. */
  let open: SegmentDraft | undefined
  /** With which its recording began. */
  let epoch: number | undefined
  const closing = new Map<number, Closing>()
  const serialized = pLimit(1)
  /** Separate, because a segment can wait for those of other cameras, while drafts are still closed. */
  const indexing = pLimit(1)
  const report = (err: unknown): void => log.error({ camera, err }, 'failed to finalize segment')

  const dispatch = (event: RecorderEvent): void => {
    const { state: next, effects } = step(state, event, instantOf(clock))
    state = next
    for (const effect of effects) carryOut(effect)
  }
  const carryOut = (effect: RecorderEffect): void => {
    switch (effect.kind) {
      case 'open-draft': {
        const name = draftOf(segmentFile(camera, effect.start), writer, effect.draft)
        open = draftSegment(join(folder, name), backlog, requireDisk)
        epoch = deps.epoch()
        return open.add(effect.data)
      }
      case 'write':
        return open?.add(effect.data)
      case 'flush':
        return open?.flush()
      case 'close-draft':
        return close(effect.draft, effect.segment)
      case 'close-again':
        return closeLater(effect.draft)
      case 'log-paused':
        return log.error({ camera, reason: effect.error.kind, err: effect.error.cause }, 'recording paused')
      case 'log-resumed':
        return log.info({ camera }, 'recording resumed')
      case 'log-shifted':
        return log.warn(
          { camera, shift_seconds: effect.seconds },
          'camera late or its clock changed; recording resumes now',
        )
      case 'report-disk-error':
        return deps.onDiskError(effect.error.kind)
      case 'publish-status':
        return deps.onStatus()
    }
  }

  const close = (number: number, { start, end, streamId, initBytes, motion }: EndedSegment): void => {
    if (!open) return
    const own = epoch === undefined ? {} : { epoch }
    const segment = { camera, start: Math.round(start), end: Math.round(end), streamId, initBytes, ...own }
    const indexed = indexer.ended(segment.start, segment.end, motion)
    closing.set(number, { draft: open, file: segmentFile(camera, start), segment, indexed })
    open = undefined
    closeLater(number)
  }
  const closeLater = (number: number): void => {
    void serialized(async () => {
      await closeDraft(number).catch(report)
      dispatch({ kind: 'close-ended' })
    })
  }
  const closeDraft = async (number: number): Promise<void> => {
    const ended = closing.get(number)
    if (!ended) return
    const { draft, file, segment, indexed } = ended
    let path: string | undefined
    try {
      path = await draft.finish(join(folder, file), (named) => own.add(relative(folder, named)))
      closing.delete(number)
    } catch (cause) {
      dispatch({ kind: 'close-failed', draft: number, error: new DiskError(kindOf(cause), cause) })
    }
    if (draft.error) dispatch({ kind: 'draft-shortened', error: draft.error })
    if (path === undefined) return
    const kept = relative(folder, path)
    const made = draft.error
      ? await shortened(kept, segment, indexed.motion)
      : { ...segment, bytes: draft.bytes, motion: indexed.motion, file: kept }
    if (made) indexing(() => indexer.put(made, indexed)).catch(report)
    else own.delete(kept)
  }
  /** Reads the part of a segment that reached the disk before an error. */
  const shortened = async (
    file: string,
    { streamId, epoch: own }: Closing['segment'],
    motion: number,
  ): Promise<NewSegment | undefined> => {
    const found = await segmentOf(folder, file)
    return found && { ...found, streamId, motion, ...(own !== undefined && { epoch: own }) }
  }

  return {
    get status() {
      return statusOf(state)
    },
    want: (isRequested) => dispatch({ kind: isRequested ? 'recording-enabled' : 'recording-disabled' }),
    begin: (init) => dispatch({ kind: 'stream-began', init }),
    fragment(fragment) {
      const draft = open && { isWritten: open.written > 0, error: open.error }
      dispatch({ kind: 'fragment-arrived', fragment, draft })
    },
    end: () => dispatch({ kind: 'stream-ended' }),
    moved(at, percent) {
      if (!isInOpenSegment(state, at, instantOf(clock))) return indexer.moved(at, percent)
      dispatch({ kind: 'motion-detected', percent })
      return true
    },
    isUnindexed: (before) => isInOpenSegment(state, before - 1, instantOf(clock)) || indexer.isWaiting(before),
    settled: () => serialized(async () => {}).then(() => indexing(indexer.retry)),
    async stop() {
      dispatch({ kind: 'stopped' })
      await serialized(async () => {})
      await indexing(async () => {})
    },
  }
}

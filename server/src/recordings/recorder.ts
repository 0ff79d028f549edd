import { join, relative } from 'node:path'
import type { Fragment, InitSegment } from '../media/fmp4.ts'
import type { Tap } from '../media/tap.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { NewSegment, RecordingStore } from './recording-store.ts'
import { segmentOf } from './segment-file.ts'
import { draftSegment, type DiskTrouble, type SegmentDraft } from './segment-draft.ts'
import { draftOf, segmentFile } from './segment-name.ts'
import { createWallTime, type WallTime } from './wall-time.ts'

/** `off`: not wanted. `waiting`: nothing comes from the camera. `paused`: it cannot be kept, for a reason. */
export type RecorderState = 'off' | 'waiting' | 'recording' | 'paused'

export interface RecorderStatus {
  readonly state: RecorderState
  /** Why it is paused. */
  readonly trouble?: DiskTrouble['kind']
}

export interface RecorderParts {
  readonly camera: string
  /** The library's folder. */
  readonly folder: string
  /** Marks what this process writes. */
  readonly writer: string
  readonly store: Pick<RecordingStore, 'add'>
  readonly clock: Clock
  readonly log: Log
  readonly onAdded: (segment: NewSegment) => void
}

export interface Recorder extends Tap {
  readonly status: RecorderStatus
  /** Whether to record from now on. */
  want(wanted: boolean): void
  /** @returns once all that came is on disk and in the index. */
  stop(): Promise<void>
}

/** Seconds a segment lasts at least; it ends with the next key frame. */
const length = 10

/** Milliseconds after trouble with the disk until it is tried again. */
const patience = 5000

interface OpenSegment {
  readonly draft: SegmentDraft
  readonly draftPath: string
  readonly initBytes: number
  /** Seconds of the stream. */
  readonly from: number
  to: number
  flushedAt: number
}

interface Run {
  readonly init: InitSegment
  readonly wall: WallTime
  /** Unix milliseconds; known with the first segment. */
  id: number | undefined
}

/** Cuts a camera's stream into files of some ten seconds, each of which begins with a key frame and plays alone. */
export function createRecorder(parts: RecorderParts): Recorder {
  const { camera, folder, writer, store, clock, log, onAdded } = parts
  let wanted = false
  let init: InitSegment | undefined
  let run: Run | undefined
  let segment: OpenSegment | undefined
  let trouble: DiskTrouble['kind'] | undefined
  let retryAt = 0
  let work: Promise<void> = Promise.resolve()
  let drafts = 0
  /** On disk, and not in the index yet, because the database does not answer. */
  let unindexed: NewSegment[] = []

  const suffer = ({ kind, cause }: DiskTrouble): void => {
    if (trouble === undefined) log.error({ camera, trouble: kind, err: cause }, 'recording pauses')
    trouble = kind
    retryAt = clock.elapsed() + patience
  }
  const recover = (): void => {
    if (trouble !== undefined) log.info({ camera }, 'recording goes on')
    trouble = undefined
  }

  const index = async (made: readonly NewSegment[]): Promise<void> => {
    unindexed.push(...made)
    const all = unindexed
    unindexed = []
    try {
      await store.add(all)
    } catch (err) {
      // The next segment tries again; after a crash the files speak for themselves.
      unindexed = [...all, ...unindexed]
      log.warn({ camera, segments: unindexed.length, err }, 'recorded, but not in the index yet')
    }
  }

  const begin = (fragment: Fragment): void => {
    if (!init) return
    if (!run || run.init !== init || run.wall.jumped) run = { init, wall: createWallTime(clock), id: undefined }
    run.wall.heard(fragment.time + fragment.duration)
    const draftPath = join(folder, draftOf(segmentFile(camera, run.wall.of(fragment.time)), writer, ++drafts))
    const draft = draftSegment(draftPath)
    draft.add(init.data)
    const { time } = fragment
    segment = {
      draft,
      draftPath,
      initBytes: init.data.length,
      from: time,
      to: time,
      flushedAt: clock.elapsed(),
    }
  }

  /** @param to seconds of the stream; undefined: the end of what came. */
  const finish = (to?: number): void => {
    if (!segment || !run) return
    const { draft, initBytes, from } = segment
    const end = to ?? segment.to
    segment = undefined
    run.wall.settle()
    const start = run.wall.of(from)
    run.id ??= Math.round(start)
    const file = segmentFile(camera, start)
    const known = { camera, start: Math.round(start), end: Math.round(start + (end - from) * 1000), run: run.id }
    const close = async (): Promise<void> => {
      const path = await draft.finish(join(folder, file))
      if (draft.trouble) suffer(draft.trouble)
      else recover()
      if (path === undefined) return
      const kept = relative(folder, path)
      const made = draft.trouble
        ? await segmentOf(folder, kept)
        : { ...known, bytes: draft.bytes, initBytes, motion: 0, file: kept }
      if (!made) return
      await index([made])
      onAdded(made)
    }
    work = work.then(close).catch((err: unknown) => log.error({ camera, err }, 'a segment was lost'))
  }

  const take = (fragment: Fragment): void => {
    if (!wanted || !init) return
    if (segment && run) {
      run.wall.heard(fragment.time + fragment.duration)
      const due = fragment.video && fragment.key && (fragment.time - segment.from >= length || run.wall.jumped)
      if (segment.draft.trouble) {
        suffer(segment.draft.trouble)
        finish()
      } else if (due) finish(fragment.time)
    }
    if (!segment && fragment.video && fragment.key && (trouble === undefined || clock.elapsed() >= retryAt))
      begin(fragment)
    if (!segment) return
    segment.draft.add(fragment.data)
    if (fragment.video) segment.to = Math.max(segment.to, fragment.time + fragment.duration)
    if (clock.elapsed() - segment.flushedAt >= 1000) {
      segment.flushedAt = clock.elapsed()
      segment.draft.flush()
    }
  }

  return {
    get status(): RecorderStatus {
      if (!wanted) return { state: 'off' }
      if (trouble !== undefined) return { state: 'paused', trouble }
      return { state: segment ? 'recording' : 'waiting' }
    },
    want(next) {
      wanted = next
      if (!next) finish()
    },
    begin(next) {
      finish()
      init = next
      run = undefined
    },
    fragment: take,
    end() {
      finish()
      init = undefined
      run = undefined
    },
    async stop() {
      finish()
      wanted = false
      await work
    },
  }
}

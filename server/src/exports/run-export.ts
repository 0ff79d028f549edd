import { withoutCaller, type ScopedKey } from '../access/grant.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Coverage } from '../shared/storage/coverage.ts'
import { DiskLost } from '../shared/storage/mounted-disk.ts'
import type { Runtime } from '../shared/runtime.ts'
import { durationOf } from '../media/mp4/duration.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import type { StartMuxer } from './muxing/muxing-thread.ts'
import { ExportFailure, exportProblem, type ExportProblem } from './problem.ts'
import { exceeded, type Quota } from './quota.ts'
import { trimVideo, type SourceClip } from './muxing/trim-video.ts'
import { day } from '../shared/time/durations.ts'
import { systemCodeOf } from '../shared/caught-error.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** The part of the recordings that exports need. Times are Unix milliseconds. */
export interface RecordedRanges {
  /**
   * Start of what is left of a range without recordings that begin before `since`.
   *
   * @throws ServiceError with the reason `nothing-recorded` if nothing is left
   */
  startSince(
    camera: ScopedKey<CameraKey>,
    range: { readonly start: number; readonly end: number },
    since: number,
  ): Promise<number>
  survey(camera: ScopedKey<CameraKey>, start: number, end: number): Promise<Coverage>
  /** @throws ServiceError with the reason `nothing-recorded`, `recording-deleted`, `video-format-changed` or `audio-format-changed`, also while the clip's files are read */
  clip(camera: ScopedKey<CameraKey>, start: number, end: number): Promise<SourceClip>
}

export interface RunDeps extends Runtime {
  readonly store: ExportStore
  readonly folder: ExportFolder
  readonly recordedRanges: Pick<RecordedRanges, 'survey' | 'clip'>
  /** Rejects if the disk of the own recordings or that of the exports is missing. */
  readonly requireDisks: () => Promise<void>
  readonly startMuxer: StartMuxer
  /** Bytes that can still be written, without subtracting the expected bytes of queued and running exports. */
  readonly free: () => Promise<number>
  readonly quota: Quota
  /** Bytes that running exports will still write. */
  readonly promisedByRunning: () => number
  /** Called when the bytes that an export will write are estimated again; with undefined when it starts to be. */
  readonly onExpected: (id: string, bytes: number | undefined) => void
  readonly onProgress: (id: string, percent: number) => void
  /** Called when the state of an export was changed. */
  readonly onChange: (id: string) => Promise<void>
}

/** Number of times an export begins before it fails, if the service is killed each time. */
const maxTries = 3
/** Milliseconds between two checks of the space for a running export. */
const spaceEvery = 1000

/** Abort reason that isn't a failure: the export goes back to the queue or is removed. */
export const interrupted = new Error('interrupted')

/**
 * Makes the file of an export.
 *
 * @param ending aborts it
 * @returns whether the export is still queued because it can't begin yet
 * @throws an error that may be temporary, such as an unavailable database or a missing disk
 */
export async function runExport(deps: RunDeps, job: StoredExport, ending: AbortController): Promise<'ended' | 'retry'> {
  const { store, folder, clock, log, onExpected, onChange } = deps
  const { id, camera } = job
  // Otherwise the file would be written below the mount point.
  await deps.requireDisks()
  try {
    return await make(deps, job, ending)
  } catch (error) {
    await folder.dropDraft(id).catch(() => undefined)
    if (error === interrupted) {
      await store.putBack(id)
      return 'ended'
    }
    const problem = problemOf(error, clock.now() - job.createdAt)
    const unavailable = problem ? await missingDisk(deps, problem) : error
    if (!problem || unavailable !== undefined) {
      // As if it had not begun: only interruptions by the end of the service count as tries.
      await store.putBack(id).catch(() => undefined)
      throw unavailable
    }
    log.warn({ export: id, camera, reason: problem.code, err: error }, 'export failed')
    onExpected(id, undefined)
    if (await store.fail(id, problem, clock.now())) await onChange(id)
    return 'ended'
  }
}

/** What can also be the problem of an export whose recordings or folder are on a disk that was unmounted. */
const ofDisks: ReadonlySet<ExportProblem['code']> = new Set([
  'recording-deleted',
  'disk-full',
  'disk-error',
  'muxing-failed',
])

/** Why a disk that an export needs can't be used; undefined if that isn't why it failed. */
async function missingDisk({ requireDisks }: RunDeps, { code }: ExportProblem): Promise<unknown> {
  if (!ofDisks.has(code)) return undefined
  return requireDisks().then(
    () => undefined,
    (error: unknown) => error,
  )
}

async function make(deps: RunDeps, job: StoredExport, ending: AbortController): Promise<'ended' | 'retry'> {
  const { store, folder, recordedRanges, startMuxer, clock, onExpected, onChange } = deps
  const { id, start, end } = job
  const camera = withoutCaller(job.camera)
  const { signal } = ending
  // The file was finished before a crash kept the row from being updated.
  const before = (await folder.bytesOf(id)) === undefined ? undefined : await durationOf(`${folder.path}/${id}.mp4`)
  if (before !== undefined) return finish(deps, id, before)
  if (job.tries >= maxTries) throw new ExportFailure(exportProblem('too-many-interruptions'))
  const { recorded, growing, bytes } = await recordedRanges.survey(camera, start, end)
  if (growing) return 'retry'
  // Index times are approximate: up to a second of difference is tolerated.
  if (recorded < job.expected - 1000) throw new ExportFailure(exportProblem('recording-deleted'))
  onExpected(id, undefined)
  if ((await deps.free()) - deps.promisedByRunning() < bytes) throw new ExportFailure(exportProblem('disk-full'))
  await rejectBeyondLimit(deps, job, bytes - job.promised)
  onExpected(id, bytes)
  signal.throwIfAborted()
  if (!(await store.begin(id, bytes))) return 'ended'
  await onChange(id)
  const clip = await recordedRanges.clip(camera, start, end)
  const file = await folder.draft(id)
  const endWatch = watchSpace(deps, job, bytes, ending)
  const onProgress = (percent: number): void => deps.onProgress(id, percent)
  const seconds = await trimVideo({ startMuxer, clip, file, filmed: start, clock, onProgress, signal }).finally(
    endWatch,
  )
  await folder.requireDisk()
  await folder.keep(id)
  return finish(deps, id, seconds)
}

async function finish(
  { store, folder, clock, onExpected, onChange }: RunDeps,
  id: string,
  seconds: number,
): Promise<'ended'> {
  const bytes = await folder.bytesOf(id)
  if (bytes === undefined) throw new ExportFailure(exportProblem('disk-error'))
  onExpected(id, undefined)
  if (await store.finish(id, { bytes, duration: Math.round(seconds * 1000) }, clock.now())) await onChange(id)
  // Canceled or deleted at the last moment. The file of an export that is done is what its user gets.
  else if ((await store.byId(id))?.state !== 'done') await folder.remove(id)
  return 'ended'
}

/** @param more bytes beyond the expected ones */
async function rejectBeyondLimit({ quota }: RunDeps, { owner }: StoredExport, more: number): Promise<void> {
  if (exceeded(await quota.of(owner), more)) throw new ExportFailure(exportProblem('limit-reached'))
}

/** Aborts the export if it exceeds its expected bytes and a limit, or if the space for exports is used up. */
function watchSpace(deps: RunDeps, job: StoredExport, expected: number, ending: AbortController): () => void {
  let isPolling = false
  const poll = async (): Promise<void> => {
    const more = ((await deps.folder.bytesOfDraft(job.id)) ?? 0) - expected
    if (more > 0) await rejectBeyondLimit(deps, job, more)
    if ((await deps.free()) <= 0) throw new ExportFailure(exportProblem('disk-full'))
  }
  return deps.clock.every(spaceEvery, () => {
    if (isPolling) return
    isPolling = true
    poll()
      .catch((error: unknown) => {
        // The database or the disk may be unavailable for a moment.
        if (error instanceof ExportFailure) ending.abort(error)
      })
      .finally(() => (isPolling = false))
  })
}

/**
 * Why an export failed permanently; undefined if it should be tried again.
 *
 * @param age milliseconds since it was requested
 */
export function problemOf(error: unknown, age: number): ExportProblem | undefined {
  if (error instanceof ExportFailure) return error.problem
  // A disk that no instance has may never be back. One that is only unmounted is waited for.
  if (error instanceof DiskLost) return exportProblem('recording-deleted')
  if (error instanceof ServiceError) {
    switch (error.reason) {
      case 'nothing-recorded':
      case 'recording-deleted':
        return exportProblem(error.reason)
      case 'video-format-changed':
      case 'audio-format-changed':
        return exportProblem(error.reason, error.values as { at: string })
      // A damaged part of a disk stays unreadable.
      case 'recording-unreachable':
        return age > day ? exportProblem('disk-error') : undefined
      default:
        return error.code === 'unavailable' ? undefined : exportProblem('muxing-failed')
    }
  }
  switch (systemCodeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return exportProblem('disk-full')
    case undefined:
      return exportProblem('muxing-failed')
    default:
      return exportProblem('disk-error')
  }
}

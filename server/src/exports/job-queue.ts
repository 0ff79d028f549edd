import type { Clock, Timers } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { trimVideo, type SourceClip } from './trim-video.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { ExportFailure, exportProblem, pictureChanged, type ExportProblem } from './problem.ts'
import { nextJob, personOf } from './fair-order.ts'
import { exceeded, type Quota } from './quota.ts'
import { durationOf } from '../media/mp4/duration.ts'

/** How much of a time range is recorded, according to the index. Bytes and milliseconds. */
export interface Coverage {
  readonly bytes: number
  readonly recorded: number
  /** Part of `recorded` that only retention can still remove. */
  readonly settled: number
  /** Whether the segment being written may still add to the range. */
  readonly growing: boolean
}

/** The part of the recordings that exports need. Times are Unix milliseconds. */
export interface RecordedRanges {
  survey(camera: string, start: number, end: number): Promise<Coverage>
  /** @throws ServiceError with the reason `nothing-recorded`, `recording-deleted` or `video-format-changed`, also from the clip's stream */
  clip(camera: string, start: number, end: number): Promise<SourceClip>
}

export interface JobDeps {
  readonly store: ExportStore
  readonly folder: ExportFolder
  readonly recordedRanges: RecordedRanges
  /** undefined if ffmpeg isn't installed. */
  readonly ffmpeg: string | undefined
  /** Bytes that can still be written, without subtracting the expected bytes of queued and running exports. */
  readonly free: () => Promise<number>
  readonly quota: Quota
  /** Called when an export was added or its state or progress changed. */
  readonly onChange: (changed: StoredExport, progress: number) => void
  readonly clock: Clock & Timers
  readonly log: Log
}

export interface JobQueue {
  /** Progress of a running export, percent; 0 for any other. */
  progressOf(id: string): number
  /** Bytes that queued and running exports will still write. */
  promised(): number
  /** Announces a new export that will write `bytes`. */
  added(id: string, bytes: number): void
  /** Checks the queue soon. */
  wake(): void
  /** Stops an export if it runs, and keeps it from starting until `then` is done. */
  without(id: string, then: () => Promise<void>): Promise<void>
  /** Stops all jobs; running exports go back to the queue. */
  stop(): Promise<void>
}

/** Jobs that run concurrently: they share one disk, and live view has priority. */
const concurrency = 2
/** Number of times an export begins before it fails, if the service is killed each time. */
const maxTries = 3
/** Milliseconds between two checks of the queue. */
const interval = 2000
/** Milliseconds between two checks of the space for a running export. */
const spaceEvery = 1000
/** Milliseconds between two progress events of an export. */
const progressEvery = 500

interface Running {
  readonly job: StoredExport
  readonly ending: AbortController
  readonly ended: Promise<void>
  progress: number
  reportedAt: number
}

/** Abort reason that isn't a failure: the export goes back to the queue or is removed. */
const interrupted = new Error('interrupted')

/** Runs queued exports in a fair order, and continues after a restart of the service. */
export function createJobs(deps: JobDeps): JobQueue {
  const { store, folder, recordedRanges, ffmpeg, free, quota, onChange, clock, log } = deps
  const running = new Map<string, Running>()
  const canceled = new Set<string>()
  /** When an export that could not begin is tried again, in {@link Clock.elapsed}. */
  const notBefore = new Map<string, number>()
  /** Expected bytes by export. */
  const needed = new Map<string, number>()
  const lastServed = new Map<string, number>()
  let turns = 0
  const stopping = new AbortController()
  let requested = false
  let work: Promise<void> | undefined

  /** Remaining bytes of all queued and running exports, or of the running ones only. */
  const promised = (all = true): number =>
    [...needed]
      .filter(([id]) => all || running.has(id))
      .reduce((sum, [id, bytes]) => sum + bytes * (1 - (running.get(id)?.progress ?? 0) / 100), 0)
  const retryLater = (id: string): void => void notBefore.set(id, clock.elapsed() + interval)

  const publish = async (id: string): Promise<void> => {
    const now = await store.byId(id)
    if (now) onChange(now, now.state === 'done' ? 100 : (running.get(id)?.progress ?? 0))
  }
  const fail = async (id: string, problem: ExportProblem): Promise<void> => {
    needed.delete(id)
    if (await store.fail(id, problem, clock.now())) await publish(id)
  }
  const finish = async (id: string, seconds: number): Promise<void> => {
    const bytes = await folder.bytesOf(id)
    if (bytes === undefined) throw new ExportFailure(exportProblem('disk-refuses'))
    needed.delete(id)
    if (await store.finish(id, { bytes, duration: Math.round(seconds * 1000) }, clock.now())) await publish(id)
    // Canceled at the last moment.
    else await folder.remove(id)
  }

  const make = async (job: StoredExport, signal: AbortSignal): Promise<void> => {
    const { id, camera, start, end } = job
    // The file was finished before a crash kept the row from being updated.
    const before = (await folder.bytesOf(id)) === undefined ? undefined : await durationOf(`${folder.path}/${id}.mp4`)
    if (before !== undefined) return finish(id, before)
    if (job.tries >= maxTries) throw new ExportFailure(exportProblem('interrupted-often'))
    if (ffmpeg === undefined) throw new ExportFailure(exportProblem('ffmpeg-missing'))
    const { recorded, growing, bytes } = await recordedRanges.survey(camera, start, end)
    if (growing) return retryLater(id)
    // Index times are approximate: up to a second of difference is tolerated.
    if (recorded < job.expected - 1000) throw new ExportFailure(exportProblem('recording-deleted'))
    needed.delete(id)
    if ((await free()) - promised(false) < bytes) throw new ExportFailure(exportProblem('disk-full'))
    await rejectBeyondLimit(job, bytes - job.promised)
    needed.set(id, bytes)
    signal.throwIfAborted()
    if (!(await store.begin(id, bytes))) return
    await publish(id)
    const clip = await recordedRanges.clip(camera, start, end)
    const file = await folder.draft(id)
    const endWatch = watchSpace(job, bytes)
    const onProgress = (percent: number): void => progress(id, percent)
    const seconds = await trimVideo({ ffmpeg, clip, file, filmed: start, clock, onProgress, signal }).finally(endWatch)
    await folder.keep(id)
    await finish(id, seconds)
  }

  /** @param more bytes beyond the expected ones */
  const rejectBeyondLimit = async ({ owner }: StoredExport, more: number): Promise<void> => {
    if (exceeded(await quota.of(owner), more)) throw new ExportFailure(exportProblem('limit-reached'))
  }

  /** Stops the export if it exceeds its expected bytes and a limit, or if the space for exports is used up. */
  const watchSpace = (job: StoredExport, promisedBytes: number): (() => void) => {
    let looking = false
    const poll = async (): Promise<void> => {
      const more = ((await folder.bytesOfDraft(job.id)) ?? 0) - promisedBytes
      if (more > 0) await rejectBeyondLimit(job, more)
      if ((await free()) <= 0) throw new ExportFailure(exportProblem('disk-full'))
    }
    return clock.every(spaceEvery, () => {
      if (looking) return
      looking = true
      poll()
        .catch((error: unknown) => {
          // The database or the disk may be unavailable for a moment.
          if (error instanceof ExportFailure) running.get(job.id)?.ending.abort(error)
        })
        .finally(() => (looking = false))
    })
  }

  const progress = (id: string, percent: number): void => {
    const one = running.get(id)
    if (!one || one.progress === percent) return
    one.progress = percent
    if (clock.elapsed() - one.reportedAt < progressEvery) return
    one.reportedAt = clock.elapsed()
    onChange({ ...one.job, state: 'running' }, percent)
  }

  const run = async (job: StoredExport, signal: AbortSignal): Promise<void> => {
    const { id, camera } = job
    try {
      await make(job, signal)
    } catch (error) {
      await folder.dropDraft(id).catch(() => undefined)
      if (error === interrupted) return void (await store.putBack(id))
      const problem = problemOf(error)
      // A temporary failure, such as an unavailable database: the export is tried again.
      if (!problem) throw error
      log.warn({ id, camera, reason: problem.code, err: error }, 'export failed')
      await fail(id, problem)
    }
  }

  const begin = (job: StoredExport): void => {
    const ending = new AbortController()
    lastServed.set(personOf(job.owner), ++turns)
    const ended = run(job, ending.signal)
      .catch((err: unknown) => {
        retryLater(job.id)
        log.warn({ id: job.id, err }, 'export requeued')
      })
      .finally(() => running.delete(job.id))
    running.set(job.id, { job, ending, ended, progress: 0, reportedAt: 0 })
    void ended.then(() => clock.after(0, wake))
  }

  const poll = async (): Promise<void> => {
    const unfinished = await store.unfinished()
    const ids = new Set(unfinished.map(({ id }) => id))
    for (const id of needed.keys()) if (!ids.has(id)) needed.delete(id)
    for (const { id, camera, start, end } of unfinished) {
      if (!needed.has(id)) needed.set(id, (await recordedRanges.survey(camera, start, end)).bytes)
    }
    for (const [id, at] of notBefore) if (at <= clock.elapsed()) notBefore.delete(id)
    let waiting = unfinished.filter(({ id }) => !running.has(id) && !canceled.has(id) && !notBefore.has(id))
    while (running.size < concurrency && !stopping.signal.aborted) {
      const next = nextJob(
        waiting,
        [...running.values()].map(({ job }) => job),
        lastServed,
      )
      if (!next) return
      waiting = waiting.filter((each) => each !== next)
      begin(next)
    }
  }

  const wake = (): void => {
    requested = true
    if (stopping.signal.aborted) return
    work ??= (async () => {
      while (requested && !stopping.signal.aborted) {
        requested = false
        await poll().catch((err: unknown) => log.warn({ err }, 'failed to poll the export queue'))
      }
    })().finally(() => (work = undefined))
  }
  const stopPolling = clock.every(interval, wake)

  return {
    progressOf: (id) => running.get(id)?.progress ?? 0,
    promised: () => promised(),
    added(id, bytes) {
      needed.set(id, bytes)
      wake()
    },
    wake,
    async without(id, then) {
      canceled.add(id)
      try {
        const one = running.get(id)
        one?.ending.abort(interrupted)
        await one?.ended
        await then()
        needed.delete(id)
      } finally {
        canceled.delete(id)
      }
    },
    async stop() {
      stopping.abort()
      stopPolling()
      await work
      for (const { ending } of running.values()) ending.abort(interrupted)
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** Why an export failed permanently; undefined if it should be tried again. */
function problemOf(error: unknown): ExportProblem | undefined {
  if (error instanceof ExportFailure) return error.problem
  if (error instanceof ServiceError) {
    switch (error.reason) {
      case 'nothing-recorded':
      case 'recording-deleted':
        return exportProblem(error.reason)
      case 'video-format-changed':
        return pictureChanged((error.values as { at: string }).at)
      default:
        return error.code === 'unavailable' ? undefined : exportProblem('ffmpeg-failed')
    }
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return exportProblem('disk-full')
    case undefined:
      return exportProblem('ffmpeg-failed')
    default:
      return exportProblem('disk-refuses')
  }
}

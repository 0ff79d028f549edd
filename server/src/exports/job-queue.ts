import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { trimVideo, type SourceClip } from './trim-video.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { ExportFailure, exportProblem, pictureChanged, type ExportProblem } from './problem.ts'
import { nextJob, personOf } from './fair-order.ts'
import { exceeded, type Quota } from './quota.ts'
import { secondsOf } from './whole-mp4.ts'

/** What of a span is recorded, from the index. Bytes and milliseconds. */
export interface Coverage {
  readonly bytes: number
  readonly recorded: number
  /** Of these, what nothing but age or want of space takes away any more. */
  readonly settled: number
  /** Whether what is written at this moment may still add to it. */
  readonly growing: boolean
}

/** The recordings, as far as they are needed here. Times are Unix milliseconds. */
export interface RecordedRanges {
  survey(camera: string, start: number, end: number): Promise<Coverage>
  /** @throws ServiceError with the reason `nothing-recorded`, `recording-gone` or `picture-changed`; its stream too */
  clip(camera: string, start: number, end: number): Promise<SourceClip>
}

export interface JobDeps {
  readonly store: ExportStore
  readonly folder: ExportFolder
  readonly excerpts: RecordedRanges
  /** undefined where there is none. */
  readonly ffmpeg: string | undefined
  /** Bytes that may still be written, what is promised included. */
  readonly free: () => Promise<number>
  readonly quota: Quota
  /** A row, its state or its progress is another. */
  readonly onChange: (changed: StoredExport, progress: number) => void
  readonly clock: Clock
  readonly log: Log
}

export interface JobQueue {
  /** Percent of one that runs; 0 of any other. */
  progressOf(id: string): number
  /** Bytes that those which wait and run will still write. */
  promised(): number
  /** There is another one to do, which will write so many bytes. */
  added(id: string, bytes: number): void
  wake(): void
  /** Ends one where it runs, and holds it back meanwhile. */
  without(id: string, then: () => Promise<void>): Promise<void>
  /** What runs goes back to the queue. */
  stop(): Promise<void>
}

/** So many at once: the disk is one, and live comes first. */
const concurrency = 2
/** So often is one begun that the service's end interrupts each time. */
const maxTries = 3
/** Milliseconds between two looks at those that wait for something. */
const interval = 2000
/** Milliseconds between two looks at the room for one that runs. */
const spaceEvery = 1000
/** Milliseconds between two words on the progress of one. */
const wordEvery = 500

interface Running {
  readonly job: StoredExport
  readonly ending: AbortController
  readonly ended: Promise<void>
  progress: number
  saidAt: number
}

/** Not a failure: it goes back to the queue, or away. */
const interrupted = new Error('interrupted')

/** Takes exports up in turn, whoever asked for them and whatever ended in between. */
export function createJobs(deps: JobDeps): JobQueue {
  const { store, folder, excerpts, ffmpeg, free, quota, onChange, clock, log } = deps
  const running = new Map<string, Running>()
  const withdrawn = new Set<string>()
  /** When one that could not begin is looked at again, by the steady clock. */
  const notBefore = new Map<string, number>()
  /** Bytes, by export. */
  const needed = new Map<string, number>()
  const lastServed = new Map<string, number>()
  let turns = 0
  const stopping = new AbortController()
  let requested = false
  let work: Promise<void> | undefined

  /** Of all, or of those that run. */
  const promised = (all = true): number =>
    [...needed]
      .filter(([id]) => all || running.has(id))
      .reduce((sum, [id, bytes]) => sum + bytes * (1 - (running.get(id)?.progress ?? 0) / 100), 0)
  const later = (id: string): void => void notBefore.set(id, clock.elapsed() + interval)

  const logJob = async (id: string): Promise<void> => {
    const now = await store.byId(id)
    if (now) onChange(now, now.state === 'done' ? 100 : (running.get(id)?.progress ?? 0))
  }
  const fail = async (id: string, problem: ExportProblem): Promise<void> => {
    needed.delete(id)
    if (await store.fail(id, problem, clock.now())) await logJob(id)
  }
  const finish = async (id: string, seconds: number): Promise<void> => {
    const bytes = await folder.bytesOf(id)
    if (bytes === undefined) throw new ExportFailure(exportProblem('disk-refuses'))
    needed.delete(id)
    if (await store.finish(id, { bytes, duration: Math.round(seconds * 1000) }, clock.now())) await logJob(id)
    // Cancelled in the last moment.
    else await folder.remove(id)
  }

  const make = async (job: StoredExport, signal: AbortSignal): Promise<void> => {
    const { id, camera, start, end } = job
    // Whole before the row could say so.
    const before = (await folder.bytesOf(id)) === undefined ? undefined : await secondsOf(`${folder.path}/${id}.mp4`)
    if (before !== undefined) return finish(id, before)
    if (job.tries >= maxTries) throw new ExportFailure(exportProblem('interrupted-often'))
    if (ffmpeg === undefined) throw new ExportFailure(exportProblem('ffmpeg-missing'))
    const { recorded, growing, bytes } = await excerpts.survey(camera, start, end)
    if (growing) return later(id)
    // Index times are those of whole segments: a second of difference is none.
    if (recorded < job.expected - 1000) throw new ExportFailure(exportProblem('recording-gone'))
    needed.delete(id)
    if ((await free()) - promised(false) < bytes) throw new ExportFailure(exportProblem('disk-full'))
    await refuseBeyondLimit(job, bytes - job.promised)
    needed.set(id, bytes)
    signal.throwIfAborted()
    if (!(await store.begin(id, bytes))) return
    await logJob(id)
    const excerpt = await excerpts.clip(camera, start, end)
    const file = await folder.draft(id)
    const endWatch = watchSpace(job, bytes)
    const onProgress = (percent: number): void => progress(id, percent)
    const seconds = await trimVideo({ ffmpeg, excerpt, file, filmed: start, clock, onProgress, signal }).finally(
      endWatch,
    )
    await folder.keep(id)
    await finish(id, seconds)
  }

  /** @param more bytes than were promised to it */
  const refuseBeyondLimit = async ({ owner }: StoredExport, more: number): Promise<void> => {
    if (exceeded(await quota.of(owner), more)) throw new ExportFailure(exportProblem('limit-reached'))
  }

  /** Ends it where it writes more than it was promised and is allowed, or where the room for exports is gone. */
  const watchSpace = (job: StoredExport, promisedBytes: number): (() => void) => {
    let looking = false
    const poll = async (): Promise<void> => {
      const more = ((await folder.bytesOfDraft(job.id)) ?? 0) - promisedBytes
      if (more > 0) await refuseBeyondLimit(job, more)
      if ((await free()) <= 0) throw new ExportFailure(exportProblem('disk-full'))
    }
    const timer = setInterval(() => {
      if (looking) return
      looking = true
      poll()
        .catch((error: unknown) => {
          // The database or the disk may be away for a moment.
          if (error instanceof ExportFailure) running.get(job.id)?.ending.abort(error)
        })
        .finally(() => (looking = false))
    }, spaceEvery).unref()
    return () => clearInterval(timer)
  }

  const progress = (id: string, percent: number): void => {
    const one = running.get(id)
    if (!one || one.progress === percent) return
    one.progress = percent
    if (clock.elapsed() - one.saidAt < wordEvery) return
    one.saidAt = clock.elapsed()
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
      // The database is away, or the like: its turn comes again.
      if (!problem) throw error
      log.warn({ id, camera, reason: problem.code, err: error }, 'an export failed')
      await fail(id, problem)
    }
  }

  const begin = (job: StoredExport): void => {
    const ending = new AbortController()
    lastServed.set(personOf(job.owner), ++turns)
    const ended = run(job, ending.signal)
      .catch((err: unknown) => {
        later(job.id)
        log.warn({ id: job.id, err }, 'an export waits')
      })
      .finally(() => running.delete(job.id))
    running.set(job.id, { job, ending, ended, progress: 0, saidAt: 0 })
    void ended.then(() => setTimeout(wake, 0).unref())
  }

  const poll = async (): Promise<void> => {
    const unfinished = await store.unfinished()
    const ids = new Set(unfinished.map(({ id }) => id))
    for (const id of needed.keys()) if (!ids.has(id)) needed.delete(id)
    for (const { id, camera, start, end } of unfinished) {
      if (!needed.has(id)) needed.set(id, (await excerpts.survey(camera, start, end)).bytes)
    }
    for (const [id, at] of notBefore) if (at <= clock.elapsed()) notBefore.delete(id)
    let waiting = unfinished.filter(({ id }) => !running.has(id) && !withdrawn.has(id) && !notBefore.has(id))
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
        await poll().catch((err: unknown) => log.warn({ err }, 'exports could not be looked at'))
      }
    })().finally(() => (work = undefined))
  }
  const timer = setInterval(wake, interval).unref()

  return {
    progressOf: (id) => running.get(id)?.progress ?? 0,
    promised: () => promised(),
    added(id, bytes) {
      needed.set(id, bytes)
      wake()
    },
    wake,
    async without(id, then) {
      withdrawn.add(id)
      try {
        const one = running.get(id)
        one?.ending.abort(interrupted)
        await one?.ended
        await then()
        needed.delete(id)
      } finally {
        withdrawn.delete(id)
      }
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await work
      for (const { ending } of running.values()) ending.abort(interrupted)
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** Why it failed for good; undefined where it is worth another try. */
function problemOf(error: unknown): ExportProblem | undefined {
  if (error instanceof ExportFailure) return error.problem
  if (error instanceof ServiceError) {
    switch (error.reason) {
      case 'nothing-recorded':
      case 'recording-gone':
        return exportProblem(error.reason)
      case 'picture-changed':
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

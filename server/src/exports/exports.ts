import type { Route } from '../http/route.ts'
import type { CameraKeys } from '../shared/camera-keys.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { Store } from '../store/store.ts'
import { openExportFolder } from './export-folder.ts'
import type { StoredExport } from './export-store.ts'
import { exportStore } from './export-store.sql.ts'
import { exportRoutes } from './exports.routes.ts'
import { createJobs, type RecordedRanges, type JobQueue } from './job-queue.ts'
import { createNewExports } from './new-export.ts'
import { exportProblem } from './problem.ts'
import { createQuota, sumOf, type ExportLimits } from './quota.ts'

/** What happens to one export, for everybody who may see its camera. */
export interface ExportChange {
  readonly change: 'update' | 'deleted'
  readonly camera: string
  readonly id: string
  readonly state: StoredExport['state']
  /** Percent. */
  readonly progress: number
}

export interface ExportsDeps {
  readonly mediaDir: string
  readonly store: Store
  /** Of the recordings beside which the exports lie. */
  readonly library: string
  /** What is stored goes by the keys of cameras; what is told of it, by their names. */
  readonly keys: CameraKeys
  readonly excerpts: RecordedRanges
  readonly limits: () => ExportLimits
  /** Bytes that the disk below a folder has for exports, of which so many bytes are done. */
  readonly room: (folder: string, done: number) => Promise<number>
  readonly ffmpeg: string | undefined
  readonly cameraExists: (camera: string) => boolean
  /** What people read as a camera's name. */
  readonly titleOf: (camera: string) => string
  readonly publish: (change: ExportChange) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface Exports {
  readonly routes: readonly Route[]
  readonly folder: string
  /** Bytes of all that are done, and promised to those that wait and run. */
  bytes(): Promise<number>
  /** @returns once no child is left. */
  stop(): Promise<void>
}

const day = 24 * 60 * 60_000
/** Milliseconds that one which failed stays in the list. */
const failedKept = 7 * day
/** Milliseconds between two such looks. */
const forgetEvery = 60 * 60_000

/** Pieces of recordings that are made into files of their own, and kept until an admin deletes them. */
export async function createExports(deps: ExportsDeps): Promise<Exports> {
  const { mediaDir, library, excerpts, ffmpeg, clock, random, log } = deps
  const folder = await openExportFolder(mediaDir, random.bytes(8).toString('hex'))
  const store = exportStore(deps.store, library)
  const publish = ({ camera, id, state }: StoredExport, progress: number, change: ExportChange['change']): void =>
    deps.publish({ change, camera: deps.keys.nameOf(camera), id, state, progress })
  const onChange = (changed: StoredExport, progress: number): void => publish(changed, progress, 'update')
  const free = async (): Promise<number> => deps.room(folder.path, (await store.bytes()).done)
  const quota = createQuota({
    store,
    limits: deps.limits,
    room: async () => (await free()) - jobs.promised(),
  })
  const jobs: JobQueue = createJobs({ store, folder, excerpts, ffmpeg, free, quota, onChange, clock, log })

  const lose = async (one: StoredExport): Promise<void> => {
    if (!(await store.lose(one.id, exportProblem('file-gone'), clock.now()))) return
    log.warn({ id: one.id, camera: one.camera }, 'the file of an export is gone')
    const now = await store.byId(one.id)
    if (now) onChange(now, 0)
  }

  /** After an end at any moment: rows and files agree again. What is whole and has no row is nobody's to remove. */
  const agree = async (): Promise<void> => {
    const whole = await folder.cleanUp()
    for (const one of await store.done()) {
      if (whole.has(one.id)) continue
      if ((await folder.bytesOf(one.id)) === undefined) await lose(one)
    }
    for (const id of whole) {
      const row = await store.byId(id)
      if (row?.state === 'failed') await folder.remove(id)
      else if (!row) log.warn({ file: `${id}.mp4` }, 'a file among the exports is none that is known')
    }
  }
  const forget = async (): Promise<void> => {
    for (const one of await store.failedBefore(clock.now() - failedKept, 1000)) {
      await store.remove(one.id)
      publish(one, 0, 'deleted')
    }
  }
  const cleanUp = (): Promise<void> =>
    forget().catch((err: unknown) => log.warn({ err }, 'exports could not be tidied'))
  const timer = setInterval(() => void cleanUp(), forgetEvery).unref()
  let stopped = false
  const start = async (): Promise<void> => {
    await agree().catch((err: unknown) => log.warn({ err }, 'exports could not be compared with their files'))
    await cleanUp()
    if (!stopped) jobs.wake()
  }
  const starting = start()

  return {
    routes: exportRoutes({
      ...deps,
      store,
      folder,
      jobs,
      quota,
      create: createNewExports({ store, jobs, excerpts, quota, ffmpeg, clock, random }),
      onChange,
      onDeleted: (one) => publish(one, jobs.progressOf(one.id), 'deleted'),
      lose,
    }),
    folder: folder.path,
    bytes: async () => sumOf(await store.bytes()),
    async stop() {
      stopped = true
      clearInterval(timer)
      await starting
      await jobs.stop()
    },
  }
}

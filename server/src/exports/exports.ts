import type { Route } from '../http/route.ts'
import { createSendExport, type SendExport } from './send-export.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../shared/cluster/inner-route.ts'
import type { Places } from '../shared/storage/places.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { Random } from '../shared/random.ts'
import type { DeletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import { createBackground } from './background.ts'
import { openExportFolder } from './export-folder.ts'
import type { StoredExport } from './export-store.ts'
import { exportStore } from './export-store.sql.ts'
import { exportRoutes } from './exports.routes.ts'
import { exportInnerRoute } from './inner-export.ts'
import { createOpenExport } from './open-export.ts'
import { createJobQueue, type JobQueue } from './queue/job-queue.ts'
import { createLostExports } from './lost-exports.ts'
import { createNewExports } from './new-export.ts'
import type { StartMuxer } from './muxing/muxing-thread.ts'
import type { RecordedRanges } from './run-export.ts'
import { createQuota } from './quota.ts'
import type { ExportConfig } from './export.config.ts'
import type { Runtime } from '../shared/runtime.ts'

/** A change of an export, for users who can see its camera. */
export interface ExportChange {
  readonly change: 'updated' | 'deleted'
  readonly camera: string
  readonly id: string
  /** Unix milliseconds. */
  readonly start: number
  readonly state: StoredExport['state']
  /** Percent. */
  readonly progress: number
}

export interface ExportsDeps extends Runtime {
  readonly mediaDir: string
  readonly store: Store
  /** Id of the volume whose recordings are next to the exports. */
  readonly volume: string
  readonly places: Places
  /** undefined: this instance is alone and shows the exports of its own volume, and of those that no instance has. */
  readonly others: { readonly inner: InnerClient } | undefined
  readonly unowned: { lasting(table: 'export'): readonly string[] }
  readonly shownIn: (table: 'export') => ShownVolumes
  readonly deletedFiles: DeletedFiles
  /** The store identifies cameras by key; callers and events use names. */
  readonly keys: CameraKeys
  readonly recordedRanges: RecordedRanges
  /** @throws ServiceError `unavailable` if the disk of the own recordings is missing */
  readonly requireRecordings: () => Promise<void>
  readonly limits: () => ExportConfig
  /** Bytes that can still be written to an exports folder whose exports already take `done` bytes. */
  readonly freeBytes: (folder: string, done: number) => Promise<number>
  readonly startMuxer: StartMuxer
  readonly cameraExists: (camera: string) => boolean
  /** A camera's display text. */
  readonly titleOf: (camera: string) => string
  readonly publish: (change: ExportChange) => void
  /** Called with the share links of a deleted export. */
  readonly onLinksEnded: (links: readonly string[]) => void
  /** Whether the clock can be trusted enough to remove exports by age. */
  readonly isClockTrusted: () => boolean
  readonly random: Random
}

export interface Exports {
  readonly routes: readonly Route[]
  /** What other instances read here. */
  readonly innerRoutes: readonly InnerRoute[]
  readonly sendFile: SendExport
  /** A finished export, for a share link; undefined if there is none. */
  finished(id: string): Promise<StoredExport | undefined>
  /** Starts the work in the background: see {@link createBackground}. */
  start(): void
  /** Resolves once no export is being written. */
  stop(): Promise<void>
}

/** Saves clips of recordings as files, which are kept until a user deletes them. */
export async function createExports(deps: ExportsDeps): Promise<Exports> {
  const { mediaDir, volume, recordedRanges, clock, random, log } = deps
  const folder = await openExportFolder(mediaDir, random.bytes(8).toString('hex'))
  const storeOf = (of: string) =>
    exportStore(deps.store, of, { shown: deps.shownIn('export'), deletedFiles: deps.deletedFiles })
  const store = storeOf(volume)
  const publish = (
    { camera, id, start, state }: StoredExport,
    progress: number,
    change: ExportChange['change'],
  ): void => deps.publish({ change, camera: deps.keys.nameOf(camera), id, start, state, progress })
  const onChange = (changed: StoredExport, progress: number): void => publish(changed, progress, 'updated')
  const free = async (): Promise<number> => deps.freeBytes(folder.path, (await store.bytes()).done)
  const quota = createQuota({
    store,
    limits: deps.limits,
    freeBytes: async () => (await free()) - jobs.promised(),
  })
  const requireDisks = async (): Promise<void> => {
    await folder.requireDisk()
    await deps.requireRecordings()
  }
  const jobs: JobQueue = createJobQueue({ ...deps, store, folder, requireDisks, free, quota, onChange })

  const lost = createLostExports({ volume, folder, store, onChange, clock, log })
  const onDeleted = (one: StoredExport, links: readonly string[], progress: number): void => {
    deps.onLinksEnded(links)
    publish(one, progress, 'deleted')
  }
  const background = createBackground({
    volumes: () => deps.unowned.lasting('export'),
    storeOf,
    folder,
    store,
    lost,
    jobs,
    deletedFiles: deps.deletedFiles,
    onChange,
    onRemoved: (one, links) => onDeleted(one, links, 0),
    isClockTrusted: deps.isClockTrusted,
    clock,
    log,
  })

  const sendFile = createSendExport({ ...deps, store, open: createOpenExport({ ...deps, folder }), lose: lost.lose })
  return {
    sendFile,
    finished: async (id) => doneOnly(await store.byId(id)),
    routes: exportRoutes({
      ...deps,
      store,
      folder,
      jobs,
      quota,
      create: createNewExports({ store, jobs, recordedRanges, requireDisks, quota, clock, random }),
      onChange,
      onDeleted: (one, links) => links && onDeleted(one, links, jobs.progressOf(one.id)),
      sendFile,
    }),
    innerRoutes: [exportInnerRoute({ folder, store: exportStore(deps.store, volume), requireDisk: lost.requireDisk })],
    start: background.start,
    async stop() {
      await background.stop()
      await jobs.stop()
    },
  }
}

const doneOnly = (one: StoredExport | undefined): StoredExport | undefined => (one?.state === 'done' ? one : undefined)

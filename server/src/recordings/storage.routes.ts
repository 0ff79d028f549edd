import { Type, type Static } from 'typebox'
import { keyInScope, type CameraScope, type ScopedKey } from '../access/grant.ts'
import { route, type Route } from '../http/route.ts'
import { type CameraKey, formerName, type CameraKeys } from '../shared/camera/camera-keys.ts'
import type { DiskSpace } from '../shared/storage/disk-space.ts'
import { storageProblems, type Objects } from '../shared/storage/objects.ts'
import type { RecordingSettings } from './recording.config.ts'
import type { ShownRecordings } from './shown-recordings.ts'
import type { ShownUsage } from './storage/shown-usage.ts'
import type { Exported } from './storage/space.ts'
import type { Usage } from './storage/usage.ts'
import { nullable } from '../shared/nullable.ts'
import { day } from '../shared/time/durations.ts'

const Days = Type.Number({ description: 'Maximum age of a recording, days.' })
const NumberOrNull = (description: string) => nullable(Type.Number(), description)

export const CameraStorage = Type.Object({
  id: Type.String({ description: 'Id of the entry. For a removed camera, a value that is never a camera name.' }),
  camera: Type.String({ description: 'Name of the camera. A name that was used again can be in the list twice.' }),
  configured: Type.Boolean({
    description: 'Whether the camera still exists. Recordings of a removed camera are deleted by age.',
  }),
  bytes: NumberOrNull(
    'Size of the recordings in bytes; null until they are counted after a start, and for a role with limited history.',
  ),
  segments: NumberOrNull('Number of segments; null until they are counted after a start.'),
  oldest: NumberOrNull('Start of the oldest recording, Unix seconds; null if nothing is recorded.'),
  newest: NumberOrNull('End of the newest recording, Unix seconds; null if nothing is recorded.'),
  bytes_per_day: NumberOrNull(
    'Average bytes per day from the oldest to the newest; null if they are less than a minute apart.',
  ),
  limits: Type.Object({
    retain_days: Days,
    max_gb: NumberOrNull(
      'Maximum size of its recordings, gigabytes (10⁹ bytes); null if the camera has no limit of its own.',
    ),
    mode: Type.Enum(['all', 'motion']),
  }),
})
export type CameraStorage = Static<typeof CameraStorage>

export const StorageResponse = Type.Object({ cameras: Type.Array(CameraStorage) })
export type StorageResponse = Static<typeof StorageResponse>

const ObjectStorage = Type.Object({
  bytes: NumberOrNull(
    'Size of the recordings in the object storage, in bytes; null until they are counted after a start.',
  ),
  state: Type.Enum(['ok', 'failing'], { description: 'Whether the last request to the object storage succeeded.' }),
  problem: nullable(Type.Enum([...storageProblems]), 'Why the last request failed; null if it succeeded.'),
  since: NumberOrNull(
    'Time of the first failure since the last success, Unix seconds; null if the last request succeeded.',
  ),
  limits: Type.Object({
    after_hours: Type.Number({ description: 'Hours after which a recording moves to the object storage.' }),
    max_gb: NumberOrNull(
      'Maximum size of the recordings in the object storage, gigabytes (10⁹ bytes); null: no limit.',
    ),
  }),
})

export const DiskResponse = Type.Object({
  folder: Type.String({ description: 'Folder of the recordings.' }),
  total: NumberOrNull('Size of the disk in bytes; null if the disk does not respond.'),
  free: NumberOrNull('Space that the service can still write, in bytes; null if the disk does not respond.'),
  bytes: NumberOrNull('Size of the recordings on the disk, in bytes; null until they are counted after a start.'),
  exports: NumberOrNull(
    'Size of all exports in bytes, queued and running ones included; null if the disk does not respond.',
  ),
  reserve: NumberOrNull(
    'Space that exports leave to recordings, used or not, in bytes; 0 if exports have their own disk, null if the disk does not respond.',
  ),
  limits: Type.Object({
    retain_days: Days,
    max_gb: Type.Number({
      description: 'Maximum size of the recordings of all cameras on the disk, gigabytes (10⁹ bytes).',
    }),
  }),
  object_storage: nullable(
    ObjectStorage,
    'The object storage to which older recordings move; null if none is configured.',
  ),
})
export type DiskResponse = Static<typeof DiskResponse>

export interface StorageRouteDeps {
  readonly amounts: ShownRecordings['amounts']
  readonly keys: CameraKeys
  /** Of the own volume. */
  readonly own: Pick<Usage, 'bytesIn' | 'counted'>
  readonly settings: () => RecordingSettings
  /** The volume's folder. */
  readonly folder: string
  readonly objects: Pick<Objects, 'configured' | 'status'>
  readonly disk: () => Promise<DiskSpace | null>
  readonly exported: () => Promise<Exported>
}

/** The shortest span from which an average per day is computed, milliseconds. */
const minSpan = 60_000

/** Routes that report used space and limits. */
export function storageRoutes({
  amounts,
  keys,
  own,
  settings,
  folder,
  objects,
  disk,
  exported,
}: StorageRouteDeps): Route[] {
  const storageOf = async (
    key: ScopedKey<CameraKey>,
    usage: ShownUsage,
    { since }: CameraScope,
  ): Promise<CameraStorage> => {
    // The totals include what is too old for a role whose history is limited (GRANT-3).
    const isWhole = since === 0
    const { cameras, recording } = settings()
    const name = keys.nameOf(key)
    const setting = cameras.get(name)
    const bytes = usage.bytesOf(key)
    const ends = await amounts.store.ends(key)
    const span = ends ? ends.newest - ends.oldest : 0
    return {
      id: name,
      camera: setting ? name : formerName(key),
      configured: setting !== undefined,
      bytes: usage.counted && isWhole ? bytes : null,
      segments: usage.counted && isWhole ? usage.segmentsOf(key) : null,
      oldest: ends && ends.newest > since ? Math.max(ends.oldest, since) / 1000 : null,
      newest: ends && ends.newest > since ? ends.newest / 1000 : null,
      bytes_per_day: usage.counted && isWhole && span >= minSpan ? Math.round((bytes / span) * day) : null,
      limits: {
        retain_days: setting?.record.retain_days ?? recording.retain_days,
        max_gb: setting?.record.max_gb ?? null,
        mode: setting?.record.mode ?? 'all',
      },
    }
  }

  const objectStorage = async (): Promise<Exclude<DiskResponse['object_storage'], null>> => {
    const { state, problem = null, since } = objects.status()
    return {
      bytes: await amounts.stored(),
      state,
      problem,
      since: since === undefined ? null : since / 1000,
      limits: settings().storage.tier,
    }
  }

  return [
    route({
      method: 'GET',
      path: '/api/recordings/storage',
      access: { cameras: 'history' },
      schema: {
        summary: 'List the storage of each camera: size, oldest recording and limits.',
        response: { 200: StorageResponse },
      },
      async handle(_input, { scope }) {
        const usage = await amounts.usage()
        const recorded = usage.cameras().filter((key) => usage.segmentsOf(key) > 0)
        const all = [...new Set([...[...settings().cameras.keys()].map(keys.keyOf), ...recorded])]
        const seen = all.filter((key) => keyInScope(scope, key, keys.nameOf))
        return { cameras: await Promise.all(seen.map((key) => storageOf(key, usage, scope))) }
      },
    }),
    route({
      method: 'GET',
      path: '/api/recordings/disk',
      access: { service: 'system.read', about: 'no-camera' },
      schema: {
        summary: 'Get the recordings disk: its space and the limits of recordings.',
        response: { 200: DiskResponse },
      },
      async handle() {
        const found = await disk()
        // A disk that doesn't respond is not queried a second time.
        const exports = found && (await exported())
        const { retain_days, max_gb } = settings().recording
        return {
          folder,
          total: found?.total ?? null,
          free: found?.free ?? null,
          bytes: own.counted ? own.bytesIn('disk') : null,
          exports: exports?.bytes ?? null,
          reserve: exports?.reserve ?? null,
          limits: { retain_days, max_gb },
          object_storage: objects.configured() ? await objectStorage() : null,
        }
      },
    }),
  ]
}

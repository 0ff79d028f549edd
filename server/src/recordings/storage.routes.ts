import { Type, type Static } from 'typebox'
import { inScope } from '../access/grant.ts'
import { route, type Route } from '../http/route.ts'
import { formerName, type CameraKeys } from '../shared/camera-keys.ts'
import type { DiskSpace } from '../shared/disk-space.ts'
import type { RecordingStore } from './recording-store.ts'
import type { RecordingSettings } from './recording-settings.ts'
import type { Exported } from './space.ts'
import type { Usage } from './usage.ts'

const Days = Type.Number({ description: 'Days a recording is kept at most.' })
const Gigabytes = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const nullable = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const CameraStorage = Type.Object({
  id: Type.String({ description: 'Names the entry. Of a removed camera it is the name of no camera.' }),
  camera: Type.String({ description: 'The name. One that is used again can be in the list twice.' }),
  configured: Type.Boolean({
    description: 'Whether there still is such a camera; of one that was removed, what is left goes by its age.',
  }),
  bytes: nullable('What its recordings take; null until they are counted after a start.'),
  segments: nullable('Their files; null until they are counted after a start.'),
  oldest: nullable('Unix seconds; null where nothing is recorded.'),
  newest: nullable('Unix seconds; null where nothing is recorded.'),
  bytes_a_day: nullable('From the oldest to the newest, on average; null below a minute.'),
  limits: Type.Object({
    retain_days: Days,
    max_gb: Gigabytes('Gigabytes (10⁹ bytes) of its recordings kept at most; null where it has no limit of its own.'),
    mode: Type.Enum(['all', 'motion']),
  }),
})
export type CameraStorage = Static<typeof CameraStorage>

export const StorageResponse = Type.Object({ cameras: Type.Array(CameraStorage) })
export type StorageResponse = Static<typeof StorageResponse>

export const DiskResponse = Type.Object({
  folder: Type.String({ description: 'Where recordings lie.' }),
  total: nullable('Size of the disk in bytes; null where it does not answer.'),
  free: nullable('What the service may still write, in bytes; null where the disk does not answer.'),
  bytes: nullable('What all recordings take; null until they are counted after a start.'),
  exports: nullable('What exports take, with those that wait and run; null where the disk does not answer.'),
  reserve: nullable(
    'What exports leave to recordings, used by these already or not, in bytes; 0 where exports have a disk of their own, null where the disk does not answer.',
  ),
  limits: Type.Object({
    retain_days: Days,
    max_gb: Type.Number({ description: 'Gigabytes (10⁹ bytes) of recordings of all cameras kept at most.' }),
  }),
})
export type DiskResponse = Static<typeof DiskResponse>

export interface StorageRouteDeps {
  readonly store: Pick<RecordingStore, 'ends'>
  readonly keys: CameraKeys
  readonly usage: Pick<Usage, 'cameras' | 'bytesOf' | 'segmentsOf' | 'bytes' | 'counted'>
  readonly settings: () => RecordingSettings
  /** The library's. */
  readonly folder: string
  readonly disk: () => Promise<DiskSpace | null>
  readonly exported: () => Promise<Exported>
}

/** Milliseconds: a day, and the least from which a day can be told. */
const day = 24 * 60 * 60_000
const min = 60_000

/** What recordings take, and what they are given. */
export function storageRoutes({ store, keys, usage, settings, folder, disk, exported }: StorageRouteDeps): Route[] {
  const storageOf = async (key: string): Promise<CameraStorage> => {
    const { cameras, recording } = settings()
    const name = keys.nameOf(key)
    const setting = cameras.get(name)
    const bytes = usage.bytesOf(key)
    const ends = await store.ends(key)
    const span = ends ? ends.newest - ends.oldest : 0
    return {
      id: name,
      camera: setting ? name : formerName(key),
      configured: setting !== undefined,
      bytes: usage.counted ? bytes : null,
      segments: usage.counted ? usage.segmentsOf(key) : null,
      oldest: ends ? ends.oldest / 1000 : null,
      newest: ends ? ends.newest / 1000 : null,
      bytes_a_day: usage.counted && span >= min ? Math.round((bytes / span) * day) : null,
      limits: {
        retain_days: setting?.record.retain_days ?? recording.retain_days,
        max_gb: setting?.record.max_gb ?? null,
        mode: setting?.record.mode ?? 'all',
      },
    }
  }

  return [
    route({
      method: 'GET',
      path: '/api/recordings/storage',
      access: { cameras: 'recordings.watch' },
      schema: {
        summary: 'What the recordings of each camera take, how far they reach back, and what limits them',
        response: { 200: StorageResponse },
      },
      async handle(_input, { scope }) {
        const recorded = usage.cameras().filter((key) => usage.segmentsOf(key) > 0)
        const all = [...new Set([...[...settings().cameras.keys()].map(keys.keyOf), ...recorded])]
        const seen = all.filter((key) => inScope(scope, keys.nameOf(key)))
        return { cameras: await Promise.all(seen.map(storageOf)) }
      },
    }),
    route({
      method: 'GET',
      path: '/api/recordings/disk',
      access: { service: 'system.read' },
      schema: {
        summary: 'The disk that recordings lie on, and what they are given of it',
        response: { 200: DiskResponse },
      },
      async handle() {
        const found = await disk()
        // A disk that does not answer is not asked again.
        const exports = found && (await exported())
        const { retain_days, max_gb } = settings().recording
        return {
          folder,
          total: found?.total ?? null,
          free: found?.free ?? null,
          bytes: usage.counted ? usage.bytes() : null,
          exports: exports?.bytes ?? null,
          reserve: exports?.reserve ?? null,
          limits: { retain_days, max_gb },
        }
      },
    }),
  ]
}

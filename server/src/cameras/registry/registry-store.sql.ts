import { sql, type Kysely, type Transaction } from 'kysely'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { batches } from '../../shared/batches.ts'
import { renamedKeyRow } from '../../shared/camera/renamed-key.ts'
import { cameraKeysIn, type CameraTable } from '../../shared/storage/camera-keys-in.sql.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { volumesIn } from '../../shared/storage/volumes-in.sql.ts'
import { emptyRegistry, liveIn, type RegisteredCamera, type Registry } from './registry.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** What a registry is changed with, besides the configuration. */
export interface RegistryChangeDeps {
  /** Unix milliseconds. */
  readonly now: number
  /** Creates an unused key for a name. */
  readonly newKey: (name: string) => CameraKey
}

/** The camera registry of a database that one instance has. */
interface RegistryRows {
  /** undefined: no registry yet. The registries that an earlier version kept for each volume become one. */
  read(deps: RegistryChangeDeps): Promise<Registry | undefined>
  /** Writes everything or nothing, with the audit entry of the user's action (AUD-1). */
  write(registry: Registry, entry?: AuditEntry): Promise<void>
}

/** What is stored under the keys of cameras. */
export interface StoredData {
  /** Every key with stored data. */
  storedKeys(): Promise<CameraKey[]>
  /** The data stored under one key. */
  storedUnder(key: CameraKey): Promise<Stored>
}

export interface RegistryStore extends RegistryRows, StoredData {}

/** Data stored under a key. Times are Unix seconds. */
export interface Stored {
  readonly recordings: { readonly bytes: number; readonly oldest: number; readonly newest: number } | null
  readonly reviewItems: number
  readonly exports: number
}

/** Rows written per statement. */
const batch = 100

/** @param volume the own volume, whose registry of an earlier version is preferred to those of others */
export const registryStore = (store: Store, volume: string): RegistryStore => ({
  ...registryRows(store, volume),
  ...storedData(store),
})

/** Volume of the rows of a registry that is that of all volumes. */
export const sharedVolume = ''

function registryRows({ audit, transaction }: Store, volume: string): RegistryRows {
  return {
    read: (deps) => transaction((within) => readWithin(within, volume, deps)),

    write: (registry, entry) =>
      transaction(async (within) => {
        await writeRows(within, sharedVolume, registry)
        if (entry) await audit.insert(entry, within)
      }),
  }
}

async function readWithin(
  within: Transaction<Tables>,
  own: string,
  deps: RegistryChangeDeps,
): Promise<Registry | undefined> {
  const shared = await readRows(within, sharedVolume)
  const volumes = await volumesWithRegistry(within)
  if (volumes.length === 0) return shared
  let registry = shared ?? (await readRows(within, own)) ?? (await latestElsewhere(within)) ?? emptyRegistry
  for (const volume of volumes) {
    const other = (await readRows(within, volume)) ?? emptyRegistry
    registry = withFormer(registry, await withoutOtherCameras(within, volume, other, registry, deps), deps.now)
    await deleteRows(within, volume)
  }
  await writeRows(within, sharedVolume, registry)
  return registry
}

/** A volume's registry, after what it has under the key of another camera got its own key. */
async function withoutOtherCameras(
  within: Transaction<Tables>,
  volume: string,
  other: Registry,
  { cameras }: Registry,
  { newKey }: RegistryChangeDeps,
): Promise<Registry> {
  const sources = new Map(cameras.map(({ key, source }) => [key, source]))
  const renamed = other.cameras.map((each) => {
    const source = sources.get(each.key) ?? each.source
    return source === each.source ? each : { ...each, key: newKey(each.name) }
  })
  for (const [at, { key }] of other.cameras.entries()) {
    const camera = renamed[at]?.key ?? key
    if (camera === key) continue
    await within
      .insertInto('meta')
      .values({ key: renamedKeyRow(volume, camera), value: key })
      .execute()
    for (const table of ['recording', 'review_item', 'review_seen', 'export'] as const)
      await within.updateTable(table).set({ camera }).where('volume', '=', volume).where('camera', '=', key).execute()
  }
  return { ...other, cameras: renamed }
}

/**
 * Adds another registry: its cameras whose keys a registry doesn't have, as removed ones, so that their keys stay in use, and
 * the names that it lists. What one of the two withholds stays withheld: neither can tell why the other doesn't.
 */
export function withFormer(registry: Registry, other: Registry, now: number): Registry {
  const keys = new Set(registry.cameras.map(({ key }) => key))
  const former = other.cameras
    .filter(({ key }) => !keys.has(key))
    .map((each): RegisteredCamera => ({ ...each, removedAt: each.removedAt ?? now }))
    .map((each): RegisteredCamera => ({ ...each, withheld: union(each.withheld, withheldBy(registry, each)) }))
  const present = registry.cameras.map((each): RegisteredCamera => ({
    ...each,
    withheld: union(each.withheld, withheldBy(other, each)),
  }))
  const listed = [...other.listed].map(([name, roles]) => [name, union(registry.listed.get(name), roles)] as const)
  return { cameras: [...present, ...former], listed: new Map([...registry.listed, ...listed]) }
}

/** The roles from which a registry withholds a camera, or would have if the camera had been added there. */
function withheldBy(registry: Registry, camera: RegisteredCamera): readonly string[] {
  const live = camera.removedAt === null ? liveIn(registry, camera.name) : undefined
  const same = [...withSource(registry, camera), ...(live ? [live] : [])]
  return same.length > 0 ? same.flatMap(({ withheld }) => withheld) : (registry.listed.get(camera.name) ?? [])
}

const withSource = ({ cameras }: Registry, { name, source }: RegisteredCamera): RegisteredCamera[] =>
  cameras.filter((each) => each.name === name && each.source === source)

const union = (some: readonly string[] = [], others: readonly string[]): string[] => [...new Set([...some, ...others])]

/** Volumes with their own registry. It can have no cameras: only names that roles list. */
async function volumesWithRegistry(within: Transaction<Tables>): Promise<string[]> {
  const volumes = [await volumesIn(within, 'camera'), await volumesIn(within, 'camera_listing')].flat()
  return [...new Set(volumes)].filter((volume) => volume !== sharedVolume)
}

/** The registry of the volume that was changed last; without a camera on any, of one of them. */
export async function latestElsewhere(within: Transaction<Tables>): Promise<Registry | undefined> {
  const row = await within
    .selectFrom('camera')
    .where('volume', '!=', sharedVolume)
    .select('volume')
    .orderBy('added_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const volume = row?.volume ?? (await volumesWithRegistry(within))[0]
  return volume === undefined ? undefined : readRows(within, volume)
}

/** The registry in the rows of a volume; undefined without rows. */
export async function readRows(db: Kysely<Tables>, volume: string): Promise<Registry | undefined> {
  const rows = await db.selectFrom('camera').where('volume', '=', volume).selectAll().execute()
  const listed = await db.selectFrom('camera_listing').where('volume', '=', volume).selectAll().execute()
  if (rows.length === 0 && listed.length === 0) return undefined
  const byName = Map.groupBy(listed, ({ name }) => name)
  return {
    cameras: rows.map(({ key, name, source, added_at, removed_at, withheld }): RegisteredCamera => ({
      key,
      name,
      source,
      addedAt: added_at,
      removedAt: removed_at,
      withheld: rolesFrom(withheld),
    })),
    listed: new Map([...byName].map(([name, some]) => [name, some.map(({ role }) => role)])),
  }
}

/** Replaces the rows of a volume. */
export async function writeRows(
  within: Transaction<Tables>,
  volume: string,
  { cameras, listed }: Registry,
): Promise<void> {
  await deleteRows(within, volume)
  const rows = cameras.map(({ key, name, source, addedAt, removedAt, withheld }) => ({
    volume,
    key,
    name,
    source,
    added_at: addedAt,
    removed_at: removedAt,
    withheld: JSON.stringify(withheld),
  }))
  const listings = [...listed].flatMap(([name, roles]) => roles.map((role) => ({ volume, name, role })))
  for (const some of batches(rows, batch)) await within.insertInto('camera').values(some).execute()
  for (const some of batches(listings, batch)) await within.insertInto('camera_listing').values(some).execute()
}

export async function deleteRows(within: Transaction<Tables>, volume: string): Promise<void> {
  for (const table of ['camera', 'camera_listing'] as const)
    await within.deleteFrom(table).where('volume', '=', volume).execute()
}

/** What is stored on every volume. Each is looked up by itself, because the indexes begin with the volume. */
export function storedData({ db }: { readonly db: Kysely<Tables> }): StoredData {
  const keysIn = async (table: CameraTable): Promise<CameraKey[]> => {
    const found: CameraKey[] = []
    for (const volume of await volumesIn(db, table)) found.push(...(await cameraKeysIn(db, table, volume)))
    return found
  }

  return {
    async storedKeys() {
      const keys = [await keysIn('recording'), await keysIn('review_item'), await keysIn('export')]
      return [...new Set(keys.flat())]
    },

    async storedUnder(key) {
      const count = async (table: 'review_item' | 'export'): Promise<number> => {
        const { rows } = await db
          .selectFrom(table)
          .where('volume', 'in', ['', ...(await volumesIn(db, table))])
          .where('camera', '=', key)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
        return rows
      }
      const { bytes, oldest, newest } = await db
        .selectFrom('recording')
        .where('volume', 'in', ['', ...(await volumesIn(db, 'recording'))])
        .where('camera', '=', key)
        .select(({ fn }) => [
          sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'),
          fn.min('start').as('oldest'),
          fn.max('end').as('newest'),
        ])
        .executeTakeFirstOrThrow()
      // Without rows there is no oldest, despite the types.
      const none = (oldest as number | null) === null
      return {
        recordings: none ? null : { bytes, oldest: oldest / 1000, newest: newest / 1000 },
        reviewItems: await count('review_item'),
        exports: await count('export'),
      }
    },
  }
}

const rolesFrom = (text: string): string[] => {
  const roles: unknown = JSON.parse(text)
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : []
}

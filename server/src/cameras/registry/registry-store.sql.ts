import { sql, type Kysely, type Transaction } from 'kysely'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { batches } from '../../shared/batches.ts'
import { distinctValues } from '../../shared/distinct-values.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { RegisteredCamera, Registry } from './registry.ts'

/** The camera registry of one volume, as stored in the database. */
interface RegistryRows {
  /** undefined: no registry yet. */
  read(): Promise<Registry | undefined>
  /** Writes everything or nothing, with the audit entry of the user's action (AUD-1). */
  write(registry: Registry, entry?: AuditEntry): Promise<void>
  /** Roles withheld by other volumes in the same database, by camera name. */
  withheldElsewhere(): Promise<ReadonlyMap<string, readonly string[]>>
}

/** What is stored under the keys of cameras. */
export interface StoredData {
  /** Every key with stored data. */
  storedKeys(): Promise<string[]>
  /** The data stored under one key. */
  storedUnder(key: string): Promise<Stored>
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

/** @param volume the volume whose rows are read and changed */
export const registryStore = (store: Store, volume: string): RegistryStore => ({
  ...registryRows(store, volume),
  ...storedData(store, volume),
})

/** Volume of the rows of a registry that several instances share. */
export const sharedVolume = ''

function registryRows({ db, audit, transaction }: Store, volume: string): RegistryRows {
  return {
    // A database can be restored from one in which several instances shared the registry.
    read: async () => (await readRows(db, volume)) ?? (await readRows(db, sharedVolume)),

    write: (registry, entry) =>
      transaction(async (within) => {
        await deleteRows(within, sharedVolume)
        await writeRows(within, volume, registry)
        if (entry) await audit.insert(entry, within)
      }),

    withheldElsewhere: () => withheldOutside(db, volume),
  }
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

/** Roles withheld by other volumes in the same database, by camera name. */
export async function withheldOutside(
  db: Kysely<Tables>,
  volume: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('camera')
    .where('volume', '!=', volume)
    .where('removed_at', 'is', null)
    .select(['name', 'withheld'])
    .execute()
  const found = new Map<string, string[]>()
  for (const { name, withheld } of rows) {
    found.set(name, [...new Set([...(found.get(name) ?? []), ...rolesFrom(withheld)])])
  }
  return found
}

/** @param volume undefined: of every volume */
export function storedData({ db }: { readonly db: Kysely<Tables> }, volume: string | undefined): StoredData {
  const keysIn = (table: 'recording' | 'review_item' | 'export'): Promise<string[]> =>
    distinctValues(async (after) => {
      const row = await db
        .selectFrom(table)
        .$call((query) => (volume === undefined ? query : query.where('volume', '=', volume)))
        .where('camera', '>', after)
        .select('camera')
        .orderBy('camera')
        .limit(1)
        .executeTakeFirst()
      return row?.camera
    })

  return {
    async storedKeys() {
      const keys = [await keysIn('recording'), await keysIn('review_item'), await keysIn('export')]
      return [...new Set(keys.flat())]
    },

    async storedUnder(key) {
      const count = async (table: 'review_item' | 'export'): Promise<number> => {
        const { rows } = await db
          .selectFrom(table)
          .$call((query) => (volume === undefined ? query : query.where('volume', '=', volume)))
          .where('camera', '=', key)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
        return rows
      }
      const { bytes, oldest, newest } = await db
        .selectFrom('recording')
        .$call((query) => (volume === undefined ? query : query.where('volume', '=', volume)))
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

import { sql, type Kysely, type Transaction } from 'kysely'
import { StartError } from '../../shared/errors.ts'
import type { Store } from '../../store/store.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'
import type { Tables } from '../../store/tables.ts'
import {
  deleteRows,
  latestElsewhere,
  readRows,
  sharedVolume,
  storedData,
  withFormer,
  writeRows,
  type RegistryChangeDeps,
} from './registry-store.sql.ts'
import {
  confirmedIn,
  emptyRegistry,
  firstRegistry,
  liveIn,
  nextRegistry,
  type Configured,
  type Registry,
} from './registry.ts'
import type { SharedRegistryRows } from './shared-registry.ts'

/** @param lock makes this transaction wait for others that change the configuration or the registry */
export const sharedRegistryRows = (
  { db, audit, changes, transaction }: Store,
  lock: (within: Transaction<Tables>) => Promise<void>,
): SharedRegistryRows => ({
  read: async () => (await readRows(db, sharedVolume)) ?? emptyRegistry,
  confirm: (role, cameras, entry) =>
    transaction(async (within) => {
      await lock(within)
      const before = (await readRows(within, sharedVolume)) ?? emptyRegistry
      await writeRows(within, sharedVolume, confirmedIn(before, role, cameras))
      await audit.insert(entry, within)
      await changes.announce({ kind: 'config' }, within)
    }),
})

/**
 * Writes the registry of a new configuration, in the transaction that writes the configuration. Without a shared registry
 * it is made from the rows of the volume that was changed last.
 */
export async function followWithin(
  within: Transaction<Tables>,
  configured: Configured,
  { now, newKey }: RegistryChangeDeps,
): Promise<void> {
  const before = (await readRows(within, sharedVolume)) ?? (await latestElsewhere(within))
  if (!before) {
    const stored = await storedData({ db: within }).storedKeys()
    await writeRows(within, sharedVolume, firstRegistry(configured, stored, now))
    return
  }
  const added = [...configured.cameras.keys()].filter((name) => !liveIn(before, name))
  const stored = await storedAmong(within, added)
  const facts = { now, newKey, isStored: (key: CameraKey) => stored.has(key) }
  await writeRows(within, sharedVolume, nextRegistry(before, configured, facts))
}

/**
 * Makes the shared registry, if there is none yet, from the rows of this volume, or else of the volume that was changed
 * last. Removed cameras of this volume that the shared registry doesn't know are added to it, so that their keys stay in
 * use.
 */
export async function adoptVolume(
  within: Transaction<Tables>,
  volume: string,
  configured: Configured,
  deps: RegistryChangeDeps,
): Promise<void> {
  const shared = await readRows(within, sharedVolume)
  const own = await readRows(within, volume)
  if (own) await writeRows(within, sharedVolume, shared ? joined(shared, own, deps.now) : own)
  // Also if it's there: it can be from a database that one instance had, whose configuration is another one.
  await followWithin(within, configured, deps)
  await requireSameCameras(within, configured)
  await deleteRows(within, volume)
}

/** The names that roles list were of another configuration, whose cameras were on other instances: they withhold nothing. */
const joined = (shared: Registry, own: Registry, now: number): Registry => {
  const listed = new Map<string, string[]>()
  return { ...withFormer({ ...shared, listed }, { ...own, listed }, now), listed: shared.listed }
}

/**
 * Instances that had their own configuration can have different cameras under one name. What one of them stored
 * must not become another camera's, which other users may see.
 *
 * @throws StartError if a volume has data of a camera whose source isn't that of the shared registry, unless the
 *   configuration says that it's the same camera (`inherit`)
 */
async function requireSameCameras(within: Transaction<Tables>, { cameras }: Configured): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct own.name from camera own
    join camera shared on shared.volume = ${sharedVolume} and shared.key = own.key
    where own.volume <> ${sharedVolume} and own.source <> '' and shared.source <> '' and own.source <> shared.source
      and (exists(select 1 from recording where volume = own.volume and camera = own.key)
        or exists(select 1 from review_item where volume = own.volume and camera = own.key)
        or exists(select 1 from export where volume = own.volume and camera = own.key))
    order by own.name`.execute(within)
  const differing = rows.map(({ name }) => name).filter((name) => cameras.get(name)?.inherit !== true)
  if (differing.length === 0) return
  throw new StartError(
    `The instances on this database have different cameras under one name, with recordings: ${differing.join(', ')}. ` +
      'With the earlier version, remove each of them from one config.yml and delete its stored data (Settings > Storage, Exports). If a camera is the same everywhere, set `inherit: true` on it instead.',
  )
}

/** Those of the keys under which data is stored, on whatever volume. */
async function storedAmong(db: Kysely<Tables>, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const key of keys) {
    const { rows } = await sql<{ found: boolean }>`select
      exists(select 1 from recording where camera = ${key})
      or exists(select 1 from review_item where camera = ${key})
      or exists(select 1 from export where camera = ${key}) as found`.execute(db)
    if (rows[0]?.found === true) found.add(key)
  }
  return found
}

import { sql, type Kysely, type Transaction } from 'kysely'
import type { ConfigVersion, ConfigVersions } from '../config/source/document-source.ts'
import type { ConfigReasons } from '../config/reasons.ts'
import type { Clock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

type Within = Transaction<Tables>

/** Versions that are kept. */
const kept = 100

/** Key of PostgreSQL's advisory lock for changing the configuration, or what belongs to it. An arbitrary number. */
const changing = 4_715_003

/** Makes a transaction wait for others that change the configuration, or what belongs to it. */
export const lockConfig = async (within: Within): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${sql.lit(changing)})`.execute(within))

/** A version without its text, for the list of versions. */
export type ListedVersion = Omit<ConfigVersion, 'document'>

export interface SharedConfigVersions extends ConfigVersions<Within> {
  /** The newest version, as a transaction sees it. */
  newestWithin(within: Within): Promise<ConfigVersion | undefined>
  /** Adds the first version, or one after the newest. The caller has {@link lockConfig}. */
  addWithin(version: Omit<ConfigVersion, 'at'>, within: Within): Promise<ConfigVersion>
  /** The versions that are kept, the newest first. */
  list(): Promise<ListedVersion[]>
}

const newestIn = (db: Kysely<Tables>): Promise<ConfigVersion | undefined> =>
  db.selectFrom('config_version').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()

/** The configuration that several instances share, in PostgreSQL. */
export function configVersions(
  { db, changes, transaction }: Pick<Store, 'db' | 'changes' | 'transaction'>,
  clock: Pick<Clock, 'now'>,
): SharedConfigVersions {
  const addWithin = async (version: Omit<ConfigVersion, 'at'>, within: Within): Promise<ConfigVersion> => {
    const added = { ...version, at: clock.now() }
    await within.insertInto('config_version').values(added).execute()
    await within
      .deleteFrom('config_version')
      .where('number', '<=', version.number - kept)
      .execute()
    await changes.announce({ kind: 'config' }, within)
    return added
  }

  return {
    newest: () => newestIn(db),
    newestWithin: (within) => newestIn(within),
    before: (number) =>
      db
        .selectFrom('config_version')
        .selectAll()
        .where('number', '<', number)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst(),
    add: (after, version, alongside) =>
      transaction(async (within) => {
        await lockConfig(within)
        const newest = (await newestIn(within))?.number ?? 0
        if (newest !== after) {
          throw new ServiceError<ConfigReasons>('precondition-failed', { reason: 'config-changed' })
        }
        await alongside(within)
        return addWithin({ ...version, number: newest + 1 }, within)
      }),
    addWithin,
    list: () => db.selectFrom('config_version').select(['number', 'author', 'at']).orderBy('number', 'desc').execute(),
  }
}

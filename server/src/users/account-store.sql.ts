import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { Invalidation } from '../access/invalidation.ts'
import { builtinRoles } from '../access/role.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { passwordOrigins, roleDeletionFrom, sessionFrom, sessionRow, userFrom, userRow } from './account-rows.ts'
import type { AccountStore, NewPassword, Session, User, UserFilter, UserOrder } from './account-store.ts'

type Within = Transaction<Tables>

/** The differences between the two engines. */
interface Dialect {
  /** Serializes transactions that count admins or users. */
  readonly serialized: (within: Within) => Promise<void>
  /** Locks the user's row until the transaction ends. */
  readonly hold: (userId: string, within: Within) => Promise<void>
  /** Converts a JSON array of `{"id","seen","expires"}` to a table with those columns. */
  readonly rows: (json: string) => RawBuilder<unknown>
  /** Converts a JSON array of strings to a query that returns them. */
  readonly texts: (json: string) => RawBuilder<unknown>
}

/** The key of PostgreSQL's advisory lock for counting admins or users. An arbitrary number. */
const counting = 4_715_002

const postgres: Dialect = {
  serialized: async (within) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(counting)})`.execute(within)
  },
  hold: async (userId, within) => {
    await within.selectFrom('user').select('id').where('id', '=', userId).forShare().execute()
  },
  rows: (json) => sql`(select * from json_to_recordset(${json}::json) as row(id text, seen bigint, expires bigint))`,
  texts: (json) => sql`select json_array_elements_text(${json}::json)`,
}

const sqlite: Dialect = {
  // SQLite runs one write transaction at a time.
  serialized: () => Promise.resolve(),
  hold: () => Promise.resolve(),
  rows: (json) =>
    sql`(select value ->> 'id' as id, value ->> 'seen' as seen, value ->> 'expires' as expires from json_each(${json}))`,
  texts: (json) => sql`select value from json_each(${json})`,
}

/** The sort expressions, identical to those of the indexes. */
const orderColumns: Readonly<Record<UserOrder, RawBuilder<unknown>>> = {
  username: sql.ref('key'),
  role: sql.ref('role'),
  last_login_at: sql`coalesce(last_login_at, 0)`,
  created_at: sql.ref('created_at'),
}

/** Rows read or changed at a time, so that even a million users don't block other requests. */
const chunk = 2_000

/** Above this number, one invalidation of everything is cheaper for other instances than one per row. */
const maxInvalidations = 100

/**
 * Users and sessions in SQL. Lists are read in chunks, without a common snapshot.
 *
 * Changes that affect access are announced to other instances; logins and session activity are not, because other
 * instances read them from the database when needed.
 */
export function accountStore({ db, engine, changes, audit, transaction }: Store): AccountStore {
  const { serialized, hold, rows, texts } = engine === 'postgres' ? postgres : sqlite

  const announce = async (facts: readonly Invalidation[], within: Within) => {
    const notified: readonly Invalidation[] = facts.length > maxInvalidations ? [{ kind: 'anything' }] : facts
    for (const fact of notified) await changes.announce(fact, within)
  }

  const insert = async (user: User, entry: AuditEntry, within: Within) => {
    const { numInsertedOrUpdatedRows } = await within
      .insertInto('user')
      .values(userRow(user))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) return false
    await announce([{ kind: 'user', key: user.key }], within)
    await audit.insert(entry, within)
    return true
  }

  /** Increments the credential version and deletes all sessions. Returns the user's id, or undefined if no user matches. */
  const changePassword = async (
    key: string,
    { hash, at, origin }: NewPassword,
    expected: number | undefined,
    within: Within,
  ) => {
    const changed = await within
      .updateTable('user')
      .set((of) => ({
        password_hash: hash,
        password_set_at: at,
        password_origin: passwordOrigins.indexOf(origin),
        credential_version: of('credential_version', '+', 1),
      }))
      .where('key', '=', key)
      .$if(expected !== undefined, (query) => query.where('credential_version', '=', expected ?? 0))
      .returning('id')
      .executeTakeFirst()
    if (!changed) return undefined
    await within.deleteFrom('session').where('user_id', '=', changed.id).execute()
    await announce([{ kind: 'user', key }], within)
    return changed.id
  }

  const missingRoles = async (existing: readonly string[]) => {
    const there = new Set([...existing, ...builtinRoles])
    return (await rolesInUse(db)).filter((role) => !there.has(role))
  }

  const matchingUsers = async ({ search, role, roles, existing }: UserFilter) => {
    const missing = existing && JSON.stringify(await missingRoles(existing.roles))
    return db
      .selectFrom('user')
      .$if(search !== undefined, (query) => query.where(sql<boolean>`key like ${containing(search ?? '')} escape '\\'`))
      .$if(role !== undefined, (query) =>
        isText(role ?? '') ? query.where('role', '=', role ?? '') : query.where(none),
      )
      .$if(roles !== undefined, (query) =>
        query.where(sql<boolean>`role in (${texts(JSON.stringify(roles?.filter(isText)))})`),
      )
      .$if(missing !== undefined, (query) =>
        query.where(sql<boolean>`role ${existing?.holds ? sql`not in` : sql`in`} (${texts(missing ?? '[]')})`),
      )
  }

  return {
    async userByKey(key) {
      if (!isText(key)) return undefined
      const row = await db.selectFrom('user').selectAll().where('key', '=', key).executeTakeFirst()
      return row && userFrom(row)
    },

    async usersByKey(keys) {
      const texts = keys.filter(isText)
      if (texts.length === 0) return []
      const rows = await db.selectFrom('user').selectAll().where('key', 'in', texts).execute()
      return rows.map(userFrom)
    },

    async userById(id) {
      const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
      return row && userFrom(row)
    },

    async users({ order, down, after, limit, ...filter }) {
      const column = orderColumns[order]
      const direction = down ? 'desc' : 'asc'
      const rows = await (
        await matchingUsers(filter)
      )
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where(
            sql<boolean>`(${column}, ${sql.ref('key')}) ${down ? sql`<` : sql`>`} (${after?.value}, ${after?.key})`,
          ),
        )
        .orderBy(column, direction)
        .orderBy('key', direction)
        .limit(limit)
        .execute()
      return rows.map(userFrom)
    },

    async countUsers(filter) {
      const fitting = await matchingUsers(filter)
      const { users } = await fitting.select((of) => of.fn.countAll().as('users')).executeTakeFirstOrThrow()
      return Number(users)
    },

    async roleCounts() {
      const counts = await db
        .selectFrom('user')
        .select((of) => ['role', of.fn.countAll().as('users')])
        .groupBy('role')
        .execute()
      return new Map(counts.map(({ role, users }) => [role, Number(users)]))
    },

    hasUsers: () => hasUsers(db),

    addUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        return (await insert(user, entry, within)) ? 'added' : 'taken'
      }),

    addFirstUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        return !(await hasUsers(within)) && insert(user, entry, within)
      }),

    resetUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        if (await insert(user, entry, within)) return
        const { key, role, passwordHash: hash, passwordSetAt: at, passwordOrigin: origin } = user
        await changePassword(key, { hash, at, origin }, undefined, within)
        await within.updateTable('user').set({ role }).where('key', '=', key).execute()
        await audit.insert(entry, within)
      }),

    async setRole(key, role, entry, expected) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').select('role').where('key', '=', key).executeTakeFirst()
        if (!user) return 'absent'
        if (expected !== undefined && user.role !== expected) return 'stale'
        if (user.role === 'admin' && role !== 'admin' && (await isLastAdmin(key, within))) return 'last-admin'
        await within.updateTable('user').set({ role }).where('key', '=', key).execute()
        await announce([{ kind: 'user', key }], within)
        await audit.insert(entry(user.role), within)
        return 'changed'
      })
    },

    async deleteUser(key, entry) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').select('role').where('key', '=', key).executeTakeFirst()
        if (!user) return 'absent'
        if (user.role === 'admin' && (await isLastAdmin(key, within))) return 'last-admin'
        // The user's sessions are deleted by a foreign key.
        await within.deleteFrom('user').where('key', '=', key).execute()
        await announce([{ kind: 'user', key }], within)
        await audit.insert(entry, within)
        return 'deleted'
      })
    },

    async setPassword(key, password, entry, expected) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        if ((await changePassword(key, password, expected, within)) === undefined) {
          const user = await within.selectFrom('user').select('id').where('key', '=', key).executeTakeFirst()
          return user ? 'stale' : 'absent'
        }
        await audit.insert(entry, within)
        return 'changed'
      })
    },

    replaceHash: (id, from, to) =>
      transaction(async (within) => {
        const changed = await within
          .updateTable('user')
          .set({ password_hash: to })
          .where('id', '=', id)
          .where('password_hash', '=', from)
          .returning('key')
          .execute()
        await announce(changed.map(userInvalidation), within)
      }),

    async recordLogin(id, at) {
      await db.updateTable('user').set({ last_login_at: at }).where('id', '=', id).execute()
    },

    async orphans(existing, limit) {
      const missing = (await missingRoles(existing)).slice(0, limit)
      if (missing.length === 0) return []
      return db
        .selectFrom('user')
        .select(['name', 'role'])
        .where('role', 'in', missing)
        .orderBy('role')
        .orderBy('key')
        .limit(limit)
        .execute()
    },

    async beginRoleDeletion({ role, owner, at, by }) {
      const noted = { deleted_at: at, deleted_by: JSON.stringify(by) }
      await db
        .insertInto('deleted_role')
        .values({ role, owner, ...noted })
        .onConflict((conflict) => conflict.columns(['role', 'owner']).doUpdateSet(noted))
        .execute()
    },

    async roleDeletions(owner) {
      const rows = await db
        .selectFrom('deleted_role')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('deleted_at')
        .orderBy('role')
        .execute()
      return rows.map(roleDeletionFrom)
    },

    async cancelRoleDeletion(role, owner) {
      await db
        .deleteFrom('deleted_role')
        .where('role', '=', role)
        .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
        .execute()
    },

    finishRoleDeletion: (role, owner, entries) =>
      transaction(async (within) => {
        await serialized(within)
        const noted = await within
          .deleteFrom('deleted_role')
          .where('role', '=', role)
          .where('owner', '=', owner)
          .returningAll()
          .executeTakeFirst()
        if (!noted) return undefined
        const users = await within
          .updateTable('user')
          .set({ role: 'viewer' })
          .where('role', '=', role)
          .returning(['key', 'name'])
          .execute()
        await announce(users.map(userInvalidation), within)
        const names = users.map(({ name }) => name)
        for (const entry of entries({ ...roleDeletionFrom(noted), users: names })) await audit.insert(entry, within)
        return names
      }),

    addSession: (session, entry) =>
      transaction(async (within) => {
        await hold(session.userId, within)
        const user = await within
          .selectFrom('user')
          .select('id')
          .where('id', '=', session.userId)
          .where('credential_version', '=', session.credentialVersion)
          .executeTakeFirst()
        if (!user) return false
        await within.insertInto('session').values(sessionRow(session)).execute()
        if (entry) await audit.insert(entry, within)
        return true
      }),

    async session(id) {
      if (!isText(id)) return undefined
      const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
      return row && sessionFrom(row)
    },

    async sessionsById(ids) {
      const texts = ids.filter(isText)
      if (texts.length === 0) return []
      const rows = await db.selectFrom('session').selectAll().where('id', 'in', texts).execute()
      return rows.map(sessionFrom)
    },

    async sessions(userId) {
      const all: Session[] = []
      for (;;) {
        const last = all.at(-1)
        const page = await db
          .selectFrom('session')
          .selectAll()
          .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
          .$if(last !== undefined, (query) =>
            query.where((of) =>
              of(of.refTuple('created_at', 'id'), '<', of.tuple(last?.createdAt ?? 0, last?.id ?? '')),
            ),
          )
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(chunk)
          .execute()
        for (const row of page) all.push(sessionFrom(row))
        if (page.length < chunk) return all
        await yieldToEventLoop()
      }
    },

    async touch(seen) {
      for (let at = 0; at < seen.length; at += chunk) {
        const json = JSON.stringify(
          seen
            .slice(at, at + chunk)
            .map(({ id, lastSeenAt, expiresAt }) => ({ id, seen: lastSeenAt, expires: expiresAt })),
        )
        // Another instance may already have written later activity.
        await transaction((within) =>
          sql`update session set
            last_seen_at = case when noted.seen > last_seen_at then noted.seen else last_seen_at end,
            expires_at = case when noted.expires > expires_at then noted.expires else expires_at end
            from ${rows(json)} as noted where session.id = noted.id`.execute(within),
        )
        await yieldToEventLoop()
      }
    },

    async deleteSession(id, entry) {
      if (!isText(id)) return false
      return transaction(async (within) => {
        const deleted = await within.deleteFrom('session').where('id', '=', id).returning('id').execute()
        await announce(deleted.map(sessionInvalidation), within)
        if (deleted.length > 0) await audit.insert(entry, within)
        return deleted.length > 0
      })
    },

    deleteSessionsOf: (userId, entry, except) =>
      transaction(async (within) => {
        const deleted = await within
          .deleteFrom('session')
          .where('user_id', '=', userId)
          .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
          .returning('id')
          .execute()
        await announce(deleted.map(sessionInvalidation), within)
        await audit.insert(entry(deleted.length), within)
        return deleted.map(({ id }) => id)
      }),

    async deleteExpired(before) {
      for (;;) {
        const { numDeletedRows } = await db
          .deleteFrom('session')
          .where('id', 'in', (of) =>
            of.selectFrom('session').select('id').where('expires_at', '<', before).limit(chunk),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows < chunk) return
        await yieldToEventLoop()
      }
    },
  }
}

const isLastAdmin = async (key: string, within: Within) => {
  const other = within.selectFrom('user').select('id').where('role', '=', 'admin').where('key', '!=', key).limit(1)
  return (await other.executeTakeFirst()) === undefined
}

const hasUsers = async (from: Pick<Within, 'selectFrom'>) =>
  (await from.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined

/** All roles that users have, found by skipping through the index from role to role. */
const rolesInUse = async (db: Kysely<Tables>): Promise<string[]> => {
  const { rows } = await sql<{ role: string }>`with recursive held(role) as (
      select min(role) from "user"
      union all
      select (select min(role) from "user" where role > held.role) from held where held.role is not null
    ) select role from held where role is not null`.execute(db)
  return rows.map(({ role }) => role)
}

const none = sql<boolean>`1 = 0`

/** A `like` pattern for a substring, escaped with backslashes. */
const containing = (part: string): string => `%${part.replaceAll('\0', ' ').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** PostgreSQL rejects text with a NUL, and no name contains one. */
const isText = (text: string): boolean => !text.includes('\0')

/** Yields to the event loop, because SQLite queries are synchronous and block the process. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const userInvalidation = ({ key }: { key: string }): Invalidation => ({ kind: 'user', key })
const sessionInvalidation = ({ id }: { id: string }): Invalidation => ({ kind: 'session', id })

import { sql, type Transaction } from 'kysely'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { batches } from '../../shared/batches.ts'
import { cachedSessionColumns, cachedSessionFrom, sessionFrom, sessionRow } from './account-rows.ts'
import { batch, deleteSessions, isText, sessionInvalidation, type AccountSql } from './account-sql.ts'
import type { SessionChanges, SessionQueries } from './account-store.ts'
import { clockTolerance } from './last-seen.ts'
import { isLoggedOut } from './provider-sessions.sql.ts'
import { rowsByKey } from './rows-by-key.ts'
import type { Session } from './session.ts'
import type { Tables } from '../../store/tables.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'

export function sessionQueries({ db }: AccountSql): SessionQueries {
  const byIds = rowsByKey(db, (ids) =>
    db.selectFrom('session').select(cachedSessionColumns).where('id', 'in', ids).compile(),
  )
  return {
    async session(id) {
      if (!isText(id)) return undefined
      const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
      return row && sessionFrom(row)
    },

    sessionsById: async (ids) => (await byIds(ids)).map(cachedSessionFrom),

    async sessionAddresses(now, limit) {
      const rows = await db
        .selectFrom('session')
        .select('address')
        .where('expires_at', '>', now)
        .groupBy('address')
        .orderBy((eb) => eb.fn.max('created_at'), 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ address }) => address)
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
            query.where((eb) =>
              eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(last?.createdAt ?? 0, last?.id ?? '')),
            ),
          )
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(batch)
          .execute()
        for (const row of page) all.push(sessionFrom(row))
        if (page.length < batch) return all
        await yieldToEventLoop()
      }
    },
  }
}

export function sessionChanges({ audit, transaction, serialized, rows, announce }: AccountSql): SessionChanges {
  const deleteOne = async (id: string, entry: AuditEntry, within: Transaction<Tables>): Promise<boolean> => {
    const deleted = await within.deleteFrom('session').where('id', '=', id).returning('id').execute()
    await announce(deleted.map(sessionInvalidation), within)
    if (deleted.length > 0) await audit.insert(entry, within)
    return deleted.length > 0
  }

  return {
    addSession: (session, { factorVersion, provider }, isSignIn, entry, lastLogout = 0, replaced) =>
      transaction(async (within) => {
        if (session.provider && provider) {
          // A logout that commits first has its row; one that commits later finds the session.
          await serialized(within)
          if (await isLoggedOut(session.provider, provider, lastLogout, within)) return false
        }
        // Locks the user's row until the transaction ends.
        const { numUpdatedRows } = await within
          .updateTable('user')
          .set((eb) => ({ last_login_at: isSignIn ? session.createdAt : eb.ref('last_login_at') }))
          .where('id', '=', session.userId)
          .where('disabled', '=', 0)
          .where('credential_version', '=', session.credentialVersion)
          .where('factor_version', '=', factorVersion)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
        await within.insertInto('session').values(sessionRow(session)).execute()
        if (entry) await audit.insert(entry, within)
        if (replaced) await deleteOne(replaced.id, replaced.entry, within)
        return true
      }),

    async touch(seen, now) {
      for (const some of batches(seen, batch)) {
        const json = JSON.stringify(
          some.map(({ id, lastSeenAt, expiresAt }) => ({ id, seen: lastSeenAt, expires: expiresAt })),
        )
        // As `lastSeen`: another instance may already have written later activity, or the clock was set back.
        await transaction((within) =>
          sql`update session set
            last_seen_at = case when noted.seen > last_seen_at or last_seen_at > ${now + clockTolerance}
              then noted.seen else last_seen_at end,
            expires_at = case when noted.expires > expires_at then noted.expires else expires_at end
            from ${rows(json, { id: 'text', seen: 'bigint', expires: 'bigint' })} as noted where session.id = noted.id`.execute(
            within,
          ),
        )
        await yieldToEventLoop()
      }
    },

    async deleteSession(id, entry) {
      return isText(id) && transaction((within) => deleteOne(id, entry, within))
    },

    deleteSessionsOf: (userId, entry, except) =>
      transaction(async (within) => {
        const deleted = await deleteSessions(userId, within, announce, except)
        // A user can ask for it as often as they like.
        if (deleted.length > 0) await audit.insert(entry(deleted.length), within)
        return deleted
      }),

    deleteExpired: (before) =>
      transaction(async (within) => {
        const deleted = await within
          .deleteFrom('session')
          .where('id', 'in', (eb) =>
            eb.selectFrom('session').select('id').where('expires_at', '<', before).limit(batch),
          )
          .returning('id')
          .execute()
        await announce(deleted.map(sessionInvalidation), within)
        return deleted.map(({ id }) => id)
      }),
  }
}

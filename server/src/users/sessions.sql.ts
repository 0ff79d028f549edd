import { sql } from 'kysely'
import { batches } from '../shared/batches.ts'
import { sessionFrom, sessionRow } from './account-rows.ts'
import { batch, deleteSessions, isText, sessionInvalidation, yieldToEventLoop, type AccountSql } from './account-sql.ts'
import type { Session, SessionChanges, SessionQueries } from './account-store.ts'

export function sessionQueries({ db }: AccountSql): SessionQueries {
  return {
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
          .limit(batch)
          .execute()
        for (const row of page) all.push(sessionFrom(row))
        if (page.length < batch) return all
        await yieldToEventLoop()
      }
    },
  }
}

export function sessionChanges({ db, audit, transaction, hold, rows, announce }: AccountSql): SessionChanges {
  return {
    addSession: (session, entry) =>
      transaction(async (within) => {
        await hold(session.userId, within)
        const user = await within
          .selectFrom('user')
          .select('id')
          .where('id', '=', session.userId)
          .where('disabled', '=', 0)
          .where('credential_version', '=', session.credentialVersion)
          .executeTakeFirst()
        if (!user) return false
        await within.insertInto('session').values(sessionRow(session)).execute()
        if (entry) await audit.insert(entry, within)
        return true
      }),

    async touch(seen) {
      for (const some of batches(seen, batch)) {
        const json = JSON.stringify(
          some.map(({ id, lastSeenAt, expiresAt }) => ({ id, seen: lastSeenAt, expires: expiresAt })),
        )
        // Another instance may already have written later activity.
        await transaction((within) =>
          sql`update session set
            last_seen_at = case when noted.seen > last_seen_at then noted.seen else last_seen_at end,
            expires_at = case when noted.expires > expires_at then noted.expires else expires_at end
            from ${rows(json, { id: 'text', seen: 'bigint', expires: 'bigint' })} as noted where session.id = noted.id`.execute(
            within,
          ),
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
        const deleted = await deleteSessions(userId, within, announce, except)
        await audit.insert(entry(deleted.length), within)
        return deleted
      }),

    async deleteExpired(before) {
      for (;;) {
        const { numDeletedRows } = await db
          .deleteFrom('session')
          .where('id', 'in', (of) =>
            of.selectFrom('session').select('id').where('expires_at', '<', before).limit(batch),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows < batch) return
        await yieldToEventLoop()
      }
    },
  }
}

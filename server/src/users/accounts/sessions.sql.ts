import { sql, type ExpressionBuilder } from 'kysely'
import { batches } from '../../shared/batches.ts'
import { sessionColumns, sessionFrom, sessionRow } from './account-rows.ts'
import { batch, deleteSessions, isText, sessionInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { Tables } from '../../store/tables.ts'
import type { ProviderLogout, RecheckTimes, SessionChanges, SessionQueries } from './account-store.ts'
import { rowsByKey } from './rows-by-key.ts'
import type { ProviderSession, Session } from './session.ts'
import type { ProviderAccount } from '../user.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'

export function sessionQueries({ db }: AccountSql): SessionQueries {
  const byIds = rowsByKey(db, (ids) => db.selectFrom('session').select(sessionColumns).where('id', 'in', ids).compile())
  return {
    async session(id) {
      if (!isText(id)) return undefined
      const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
      return row && sessionFrom(row)
    },

    lastLogout: () => lastNumber(db),

    sessionsById: async (ids) => (await byIds(ids)).map(sessionFrom),

    async sessionAddresses(now, limit) {
      const rows = await db
        .selectFrom('session')
        .select('address')
        .where('expires_at', '>', now)
        .groupBy('address')
        .orderBy((of) => of.fn.max('created_at'), 'desc')
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

export function sessionChanges(statements: AccountSql): SessionChanges {
  return { ...ordinaryChanges(statements), ...providerSessionChanges(statements) }
}

type OfProvider = 'dueSessions' | 'leaseSession' | 'keepProviderToken' | 'setProviderSession' | 'endProviderSessions'

function providerSessionChanges({
  db,
  audit,
  transaction,
  serialized,
  announce,
}: AccountSql): Pick<SessionChanges, OfProvider> {
  return {
    async dueSessions(times, limit) {
      const { now, maxRecheckAt } = times
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where((of) => of.or([of('recheck_at', '<=', now), of('recheck_at', '>', maxRecheckAt)]))
        .where((of) => isUnreserved(of, times))
        .orderBy('recheck_at')
        .limit(limit)
        .execute()
      return rows.map(sessionFrom)
    },

    async leaseSession({ id, provider }, times) {
      const { numUpdatedRows } = await db
        .updateTable('session')
        .set((of) => ({
          recheck_lease: times.leaseUntil,
          recheck_at: of.case().when('recheck_at', '>', times.now).then(times.now).else(of.ref('recheck_at')).end(),
        }))
        .where('id', '=', id)
        .where('provider_token', '=', provider?.token ?? '')
        .where((of) => isUnreserved(of, times))
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async keepProviderToken(id, former, token) {
      const { numUpdatedRows } = await db
        .updateTable('session')
        .set({ provider_token: token })
        .where('id', '=', id)
        .where('provider_token', '=', former)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    setProviderSession: (id, former, { sid, token, idToken, recheckAt }) =>
      transaction(async (within) => {
        const set = {
          provider_sid: sid,
          provider_token: token,
          id_token: idToken,
          recheck_at: recheckAt,
          recheck_lease: null,
        }
        await within.updateTable('session').set(set).where('id', '=', id).where('provider_token', '=', former).execute()
        await announce([{ kind: 'session', id }], within)
      }),

    endProviderSessions: (logout, entry) =>
      transaction(async (within) => {
        const { hash, issuer, subject = null, sid = null, expiresAt: expires_at, now } = logout
        await serialized(within)
        if (await isUsed(logout, within)) return 'used'
        // Before any is deleted, and none is without another one being added: a number is never given again.
        const number = (await lastNumber(within)) + 1
        await within.deleteFrom('logout_token').where('expires_at', '<=', now).execute()
        await within.insertInto('logout_token').values({ hash, expires_at, number, issuer, subject, sid }).execute()
        const ended = await sessionsOfLogout(logout, within)
        const ids = ended.map(({ id }) => id)
        if (ids.length > 0) await within.deleteFrom('session').where('id', 'in', ids).execute()
        await announce(ended.map(sessionInvalidation), within)
        for (const each of ended) await audit.insert(entry(each), within)
        return ids
      }),
  }
}

const isUnreserved = (of: ExpressionBuilder<Tables, 'session'>, { now, maxLease }: RecheckTimes) =>
  of.or([of('recheck_lease', 'is', null), of('recheck_lease', '<=', now), of('recheck_lease', '>', maxLease)])

/** A session without an id of the provider's may be the one that a token for its user names. */
const sessionsOfLogout = ({ issuer, subject, sid }: ProviderLogout, within: Within) =>
  within
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'user.name as user'])
    .where('user.issuer', '=', issuer)
    .$if(subject !== undefined, (query) => query.where('user.subject', '=', subject ?? ''))
    .$if(sid !== undefined, (query) =>
      query.where((of) =>
        of.or([
          of('session.provider_sid', '=', sid ?? ''),
          ...(subject === undefined ? [] : [of('session.provider_sid', 'is', null)]),
        ]),
      ),
    )
    .execute()

async function isUsed({ hash, now }: ProviderLogout, within: Within): Promise<boolean> {
  const found = await within
    .selectFrom('logout_token')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

async function lastNumber(db: Pick<Within, 'selectFrom'>): Promise<number> {
  const row = await db
    .selectFrom('logout_token')
    .select((of) => of.fn.max('number').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

/** Whether a logout token after the given one names the session: as {@link sessionsOfLogout}, for a session without a row. */
async function isLoggedOut(
  { sid }: ProviderSession,
  { issuer, subject }: ProviderAccount,
  lastLogout: number,
  within: Within,
): Promise<boolean> {
  const found = await within
    .selectFrom('logout_token')
    .select('hash')
    .where('number', '>', lastLogout)
    .where('issuer', '=', issuer)
    .where((of) => of.or([of('subject', 'is', null), of('subject', '=', subject)]))
    .where((of) => of.or([of('sid', 'is', null), sid === null ? of('subject', 'is not', null) : of('sid', '=', sid)]))
    .executeTakeFirst()
  return found !== undefined
}

function ordinaryChanges({
  audit,
  transaction,
  serialized,
  rows,
  announce,
}: AccountSql): Omit<SessionChanges, OfProvider> {
  return {
    addSession: (session, { factorVersion, provider }, isSignIn, entry, lastLogout = 0) =>
      transaction(async (within) => {
        if (session.provider && provider) {
          // A logout that commits first has its row; one that commits later finds the session.
          await serialized(within)
          if (await isLoggedOut(session.provider, provider, lastLogout, within)) return false
        }
        // Locks the user's row until the transaction ends.
        const { numUpdatedRows } = await within
          .updateTable('user')
          .set((of) => ({ last_login_at: isSignIn ? session.createdAt : of.ref('last_login_at') }))
          .where('id', '=', session.userId)
          .where('disabled', '=', 0)
          .where('credential_version', '=', session.credentialVersion)
          .where('factor_version', '=', factorVersion)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
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

    deleteExpired: (before) =>
      transaction(async (within) => {
        const deleted = await within
          .deleteFrom('session')
          .where('id', 'in', (of) =>
            of.selectFrom('session').select('id').where('expires_at', '<', before).limit(batch),
          )
          .returning('id')
          .execute()
        await announce(deleted.map(sessionInvalidation), within)
        return deleted.map(({ id }) => id)
      }),
  }
}

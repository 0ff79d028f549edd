import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { ProviderAccount } from '../user.ts'
import { sessionFrom } from './account-rows.ts'
import { sessionInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { ProviderLogout, ProviderSessions, RecheckTimes } from './account-store.ts'
import type { ProviderSession } from './session.ts'

export function providerSessions({ db, audit, transaction, serialized, announce }: AccountSql): ProviderSessions {
  return {
    lastLogout: () => lastNumber(db),

    async dueSessions(times, limit) {
      const { now, maxRecheckAt } = times
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where((eb) => eb.or([eb('recheck_at', '<=', now), eb('recheck_at', '>', maxRecheckAt)]))
        .where((eb) => isUnreserved(eb, times))
        .orderBy('recheck_at')
        .limit(limit)
        .execute()
      return rows.map(sessionFrom)
    },

    async leaseSession({ id, provider }, times) {
      const { numUpdatedRows } = await db
        .updateTable('session')
        .set((eb) => ({
          recheck_lease: times.leaseUntil,
          recheck_at: eb.case().when('recheck_at', '>', times.now).then(times.now).else(eb.ref('recheck_at')).end(),
        }))
        .where('id', '=', id)
        .where('provider_token', '=', provider?.token ?? '')
        .where((eb) => isUnreserved(eb, times))
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

const isUnreserved = (eb: ExpressionBuilder<Tables, 'session'>, { now, maxLease }: RecheckTimes) =>
  eb.or([eb('recheck_lease', 'is', null), eb('recheck_lease', '<=', now), eb('recheck_lease', '>', maxLease)])

/** A session without an id of the provider's may be the one that a token for its user names. */
const sessionsOfLogout = ({ issuer, subject, sid }: ProviderLogout, within: Within) =>
  within
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'user.name as user'])
    .where('user.issuer', '=', issuer)
    .$if(subject !== undefined, (query) => query.where('user.subject', '=', subject ?? ''))
    .$if(sid !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('session.provider_sid', '=', sid ?? ''),
          ...(subject === undefined ? [] : [eb('session.provider_sid', 'is', null)]),
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
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

/** Whether a logout token after the given one names the session: as {@link sessionsOfLogout}, for a session without a row. */
export async function isLoggedOut(
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
    .where((eb) => eb.or([eb('subject', 'is', null), eb('subject', '=', subject)]))
    .where((eb) => eb.or([eb('sid', 'is', null), sid === null ? eb('subject', 'is not', null) : eb('sid', '=', sid)]))
    .executeTakeFirst()
  return found !== undefined
}

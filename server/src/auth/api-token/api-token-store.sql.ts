import { sql, type Selectable } from 'kysely'
import type { Action } from '../../access/action.ts'
import type { Store } from '../../store/store.ts'
import type { ApiTokenTable } from '../../store/tables.ts'
import { batches } from '../../shared/batches.ts'
import { accountSql, batch } from '../../users/accounts/account-sql.ts'
import type { ApiToken, ApiTokenStore, NewApiToken } from './api-token-store.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'

export function apiTokenStore(store: Store): ApiTokenStore {
  const { db, audit, transaction, serialized, rows, announce } = accountSql(store)
  const withOwner = () =>
    db
      .selectFrom('api_token')
      .innerJoin('user', 'user.id', 'api_token.user_id')
      .selectAll('api_token')
      .select(['user.name as owner', 'user.key as owner_key'])
  const newestFirst = () => withOwner().orderBy('api_token.created_at', 'desc').orderBy('api_token.id', 'desc')

  return {
    async tokensById(ids) {
      if (ids.length === 0) return []
      const rows = await withOwner().where('api_token.id', 'in', ids).execute()
      return rows.map(tokenFrom)
    },

    async tokensOf(userId) {
      const rows = await newestFirst().where('api_token.user_id', '=', userId).execute()
      return rows.map(tokenFrom)
    },

    async tokens(after, limit) {
      const rows = await newestFirst()
        .$if(after !== undefined, (query) =>
          query.where((of) =>
            of(of.refTuple('api_token.created_at', 'api_token.id'), '<', of.tuple(after?.at ?? 0, after?.id ?? '')),
          ),
        )
        .limit(limit)
        .execute()
      return rows.map(tokenFrom)
    },

    add: (token, owner, max, entry) =>
      transaction(async (within) => {
        await serialized(within)
        const user = await within
          .selectFrom('user')
          .select('id')
          .where('id', '=', token.userId)
          .where('credential_version', '=', owner)
          .executeTakeFirst()
        if (!user) return 'absent'
        const { count } = await within
          .selectFrom('api_token')
          .select((of) => of.fn.countAll().as('count'))
          .where('user_id', '=', token.userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= max) return 'full'
        await within.insertInto('api_token').values(tokenRow(token)).execute()
        await audit.insert(entry, within)
        return 'added'
      }),

    revoke: (id, entry) =>
      transaction(async (within) => {
        // Either before or after the use of an invitation that rests on the token.
        await serialized(within)
        const { numDeletedRows } = await within.deleteFrom('api_token').where('id', '=', id).executeTakeFirstOrThrow()
        if (numDeletedRows !== 1n) return false
        await announce([{ kind: 'credential', id }], within)
        await audit.insert(entry, within)
        return true
      }),

    async noteUses(uses) {
      for (const some of batches(uses, batch)) {
        const noted = rows(JSON.stringify(some), { id: 'text', at: 'bigint', address: 'text' })
        // Another instance may already have written a later use.
        await transaction((within) =>
          sql`update api_token set last_used_at = noted.at, last_used_from = noted.address
            from ${noted} as noted
            where api_token.id = noted.id and (last_used_at is null or last_used_at < noted.at)`.execute(within),
        )
        await yieldToEventLoop()
      }
    },
  }
}

const tokenRow = (token: NewApiToken): Selectable<ApiTokenTable> => ({
  id: token.id,
  user_id: token.userId,
  name: token.name,
  secret_hash: token.secretHash,
  cameras: token.cameras && JSON.stringify(token.cameras),
  actions: token.actions && JSON.stringify(token.actions),
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  credential_version: token.credentialVersion,
  last_used_at: null,
  last_used_from: null,
})

const tokenFrom = (row: Selectable<ApiTokenTable> & { owner: string; owner_key: string }): ApiToken => ({
  id: row.id,
  userId: row.user_id,
  owner: row.owner,
  ownerKey: row.owner_key,
  name: row.name,
  secretHash: row.secret_hash,
  cameras: row.cameras === null ? null : (JSON.parse(row.cameras) as string[]),
  actions: row.actions === null ? null : (JSON.parse(row.actions) as Action[]),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  credentialVersion: row.credential_version,
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_used_from,
})

import { sql, type Selectable } from 'kysely'
import type { Action } from '../../access/action.ts'
import type { Store } from '../../store/store.ts'
import type { ApiTokenTable } from '../../store/tables.ts'
import { batches } from '../../shared/batches.ts'
import { accountSql, batch, type Within } from '../../users/accounts/account-sql.ts'
import { clockTolerance } from '../../users/accounts/last-seen.ts'
import type { ApiToken, ApiTokenStore, NewApiToken, RevokedToken } from './api-token-store.ts'
import { yieldToEventLoop } from '../../shared/yield-to-event-loop.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

export function apiTokenStore(store: Store): ApiTokenStore {
  const { db, audit, transaction, serialized, rows, announce } = accountSql(store)
  const withOwner = () =>
    db
      .selectFrom('api_token')
      .innerJoin('user', 'user.id', 'api_token.user_id')
      .leftJoin('api_token as parent', 'parent.id', 'api_token.parent_id')
      .selectAll('api_token')
      .select(['user.name as owner', 'user.key as owner_key', 'parent.name as parent_name'])
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
          query.where((eb) =>
            eb(eb.refTuple('api_token.created_at', 'api_token.id'), '<', eb.tuple(after?.at ?? 0, after?.id ?? '')),
          ),
        )
        .limit(limit)
        .execute()
      return rows.map(tokenFrom)
    },

    add: (token, owner, max, entry) =>
      transaction(async (within) => {
        await serialized(within)
        const obstacle = await obstacleTo(token, owner, max, within)
        if (obstacle) return obstacle
        await within.insertInto('api_token').values(tokenRow(token)).execute()
        await audit.insert(entry, within)
        return 'added'
      }),

    revoke: (id, entryOf, screenEntryOf) =>
      transaction(async (within) => {
        // Either before or after the use of an invitation that rests on the token.
        await serialized(within)
        const family = await familyOf(id, within)
        const ids = family.map((each) => each.id)
        if (ids.length === 0) return ids
        const screens = await deleteWithScreens(ids, within)
        const revoked = [...ids, ...screens.map((each) => each.id)]
        await announce(
          revoked.map((each) => ({ kind: 'credential', id: each })),
          within,
        )
        for (const each of family) await audit.insert(entryOf(each), within)
        for (const each of screens) await audit.insert(screenEntryOf(each), within)
        return revoked
      }),

    async noteUses(uses) {
      for (const some of batches(uses, batch)) {
        const noted = rows(JSON.stringify(some), { id: 'text', at: 'bigint', address: 'text' })
        // As `lastSeen`: another instance may have written a later use, or the clock was set back.
        await transaction((within) =>
          sql`update api_token set last_used_at = noted.at, last_used_from = noted.address
            from ${noted} as noted
            where api_token.id = noted.id and (
              last_used_at is null or last_used_at < noted.at or last_used_at > noted.at + ${sql.lit(clockTolerance)}
            )`.execute(within),
        )
        await yieldToEventLoop()
      }
    },
  }
}

/** Deletes tokens and the screens that they paired. @returns the screens */
async function deleteWithScreens(ids: readonly string[], within: Within) {
  await within.deleteFrom('api_token').where('id', 'in', ids).execute()
  return within.deleteFrom('screen').where('token_id', 'in', ids).returning(['id', 'name']).execute()
}

/** Why a token cannot be added. */
async function obstacleTo(
  { userId, parentId }: NewApiToken,
  owner: number,
  max: number,
  within: Within,
): Promise<'absent' | 'revoked' | 'full' | undefined> {
  const user = await within
    .selectFrom('user')
    .select('id')
    .where('id', '=', userId)
    .where('credential_version', '=', owner)
    .executeTakeFirst()
  if (!user) return 'absent'
  // A revocation just before did not find this token.
  if (parentId !== null && !(await tokenExists(parentId, within))) return 'revoked'
  const { count } = await within
    .selectFrom('api_token')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count) >= max ? 'full' : undefined
}

export const tokenExists = async (id: string, within: Within): Promise<boolean> =>
  (await within.selectFrom('api_token').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** A token and all that descend from it, at most as many as a user can have; none if it does not exist. */
const familyOf = (id: string, within: Within): Promise<RevokedToken[]> =>
  within
    .withRecursive('family(id, user_id)', (family) =>
      family
        .selectFrom('api_token')
        .select(['id', 'user_id'])
        .where('id', '=', id)
        .union((descendants) =>
          descendants
            .selectFrom('family')
            .innerJoin('api_token', (on) =>
              // By the user too: there is an index for that.
              on.onRef('api_token.user_id', '=', 'family.user_id').onRef('api_token.parent_id', '=', 'family.id'),
            )
            .select(['api_token.id', 'api_token.user_id']),
        ),
    )
    .selectFrom('family')
    .innerJoin('api_token', 'api_token.id', 'family.id')
    .innerJoin('user', 'user.id', 'family.user_id')
    .select(['api_token.id', 'api_token.name', 'user.name as owner'])
    .orderBy('api_token.created_at')
    .orderBy('api_token.id')
    .execute()

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
  parent_id: token.parentId,
  last_used_at: null,
  last_used_from: null,
})

interface TokenRow extends Selectable<ApiTokenTable> {
  readonly owner: string
  readonly owner_key: string
  readonly parent_name: string | null
}

const tokenFrom = (row: TokenRow): ApiToken => ({
  id: row.id,
  userId: row.user_id,
  owner: row.owner,
  ownerKey: row.owner_key,
  name: row.name,
  secretHash: row.secret_hash,
  cameras: row.cameras === null ? null : (JSON.parse(row.cameras) as string[]).map(cameraKey),
  actions: row.actions === null ? null : (JSON.parse(row.actions) as Action[]),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  credentialVersion: row.credential_version,
  parentId: row.parent_id,
  parentName: row.parent_name,
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_used_from,
})

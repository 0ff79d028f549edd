import type { Selectable } from 'kysely'
import type { AuthMethod } from '../../access/identity.ts'
import type { Store } from '../../store/store.ts'
import type { InvitationTable } from '../../store/tables.ts'
import { userFrom } from '../../users/accounts/account-rows.ts'
import { accountSql, type Within } from '../../users/accounts/account-sql.ts'
import type { User } from '../../users/user.ts'
import { changePassword } from '../../users/accounts/password-changes.sql.ts'
import { isSameRole } from '../../users/accounts/role-generation.sql.ts'
import { insertUser } from '../../users/accounts/user-changes.sql.ts'
import type { TokenTerms } from '../api-token/token-end.ts'
import { hasHash } from '../link-secret.ts'
import { stateOf, type LinkFacts, type OneTimeLink } from './invitation.ts'
import type { InvitationStore, LinkUse, Refused } from './invitation-store.ts'
import { day } from '../../shared/time/durations.ts'

/** Milliseconds for which a link that is over is kept, so that its page can say so. */
const kept = 30 * day

type Accepting = 'acceptInvitation' | 'acceptReset'

export function invitationStore(store: Store): InvitationStore {
  const { db, audit, transaction } = store
  const { serialized } = accountSql(store)

  return {
    ...acceptingStore(store),

    add: (link, entry, max, role) =>
      transaction(async (within) => {
        await serialized(within)
        if (role && !(await isSameRole(role, within))) return 'role-replaced'
        await within
          .deleteFrom('invitation')
          .where('expires_at', '<', link.createdAt - kept)
          .execute()
        if ((await countOf(within)) >= max) return 'full'
        if (link.kind === 'reset') {
          const earlier = within.updateTable('invitation').where('user_id', '=', link.userId)
          await earlier.set({ ended: 'revoked' }).where('ended', 'is', null).execute()
        }
        await within.insertInto('invitation').values(rowOf(link)).execute()
        await audit.insert(entry, within)
        return 'added'
      }),

    async pending(context) {
      const { now } = context
      const rows = await db
        .selectFrom('invitation')
        .selectAll()
        .where('ended', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      const factsOf = await factsAbout(rows, db)
      return rows.map(linkFrom).filter((link) => stateOf(link, { ...factsOf(link), ...context }) === 'pending')
    },

    revoke: (id, entry) =>
      transaction(async (within) => {
        const row = await within
          .updateTable('invitation')
          .set({ ended: 'revoked' })
          .where('id', '=', id)
          .where('ended', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (!row) return false
        await audit.insert(entry(linkFrom(row)), within)
        return true
      }),

    find: (use) => usable(use, db),
  }
}

function acceptingStore(store: Store): Pick<InvitationStore, Accepting> {
  const statements = accountSql(store)
  const { audit, transaction, serialized, announce } = statements

  return {
    acceptInvitation: (use, user, entry) =>
      transaction(async (within) => {
        // One at a time, also with changes of the creator's role: what is read stays true until the commit.
        await serialized(within)
        const found = await usable(use, within)
        if (typeof found === 'string') return found
        if (found.kind !== 'invitation') return 'wrong'
        const added = user(found)
        if (!(await insertUser(added, entry(found, added), within, statements))) return 'taken'
        await markUsed(use.id, within)
        return { user: added }
      }),

    acceptReset: (use, password, entry) =>
      transaction(async (within) => {
        await serialized(within)
        const found = await usable(use, within)
        if (typeof found === 'string') return found
        if (found.kind !== 'reset') return 'wrong'
        const before = await within.selectFrom('user').selectAll().where('id', '=', found.userId).executeTakeFirst()
        if (!before) return 'ended'
        const changed = await changePassword(before.id, password, found.credentialVersion, within, announce)
        if (!changed) return 'ended'
        await markUsed(use.id, within)
        await audit.insert(entry(found), within)
        const after = await within
          .selectFrom('user')
          .selectAll()
          .where('id', '=', found.userId)
          .executeTakeFirstOrThrow()
        return { user: userFrom(after) }
      }),
  }
}

type Reading = Pick<Within, 'selectFrom'>

async function usable({ id, secret, ...context }: LinkUse, within: Reading): Promise<OneTimeLink | Refused> {
  const row = await within.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !hasHash(secret, row.secret_hash)) return 'wrong'
  const link = linkFrom(row)
  const factsOf = await factsAbout([row], within)
  const state = stateOf(link, { ...factsOf(link), ...context })
  return state === 'pending' ? link : state
}

/** Reads what links rest on. */
async function factsAbout(
  rows: readonly Selectable<InvitationTable>[],
  within: Reading,
): Promise<(link: OneTimeLink) => Pick<LinkFacts, 'creator' | 'user' | 'token'>> {
  const users = await usersById(
    rows.flatMap(({ creator_id, user_id }) => [creator_id ?? [], user_id ?? []].flat()),
    within,
  )
  const tokens = await tokensById(
    rows.flatMap(({ token_id }) => token_id ?? []),
    within,
  )
  return (link) => ({
    creator: users.get(link.creatorId ?? ''),
    user: link.kind === 'reset' ? users.get(link.userId) : undefined,
    token: tokens.get(link.tokenId ?? ''),
  })
}

async function tokensById(ids: readonly string[], within: Reading): Promise<ReadonlyMap<string, TokenTerms>> {
  if (ids.length === 0) return new Map()
  const rows = await within
    .selectFrom('api_token')
    .select(['id', 'user_id', 'expires_at', 'credential_version'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(
    rows.map(({ id, user_id, expires_at, credential_version }) => [
      id,
      { userId: user_id, expiresAt: expires_at, credentialVersion: credential_version },
    ]),
  )
}

async function usersById(ids: readonly string[], within: Reading): Promise<ReadonlyMap<string, User>> {
  if (ids.length === 0) return new Map()
  const rows = await within
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, userFrom(row)]))
}

const markUsed = (id: string, within: Within) =>
  within.updateTable('invitation').set({ ended: 'used' }).where('id', '=', id).execute()

async function countOf(within: Within): Promise<number> {
  const { count } = await within
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const rowOf = (link: OneTimeLink): Selectable<InvitationTable> => ({
  id: link.id,
  secret_hash: link.secretHash,
  role: link.kind === 'invitation' ? link.role : null,
  username: link.username,
  user_id: link.kind === 'reset' ? link.userId : null,
  credential_version: link.kind === 'reset' ? link.credentialVersion : null,
  created_by: link.createdBy,
  created_via: link.createdVia,
  creator_id: link.creatorId,
  token_id: link.tokenId,
  created_at: link.createdAt,
  expires_at: link.expiresAt,
  ended: link.ended,
})

function linkFrom(row: Selectable<InvitationTable>): OneTimeLink {
  const link = {
    id: row.id,
    secretHash: row.secret_hash,
    createdBy: row.created_by,
    createdVia: row.created_via as AuthMethod,
    creatorId: row.creator_id,
    tokenId: row.token_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ended: row.ended as OneTimeLink['ended'],
  }
  if (row.user_id === null) return { ...link, kind: 'invitation', role: row.role ?? '', username: row.username }
  return {
    ...link,
    kind: 'reset',
    username: row.username ?? '',
    userId: row.user_id,
    credentialVersion: row.credential_version ?? 0,
  }
}

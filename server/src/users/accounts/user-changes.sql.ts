import type { AuditEntry } from '../../shared/audit/audit.ts'
import { userRow } from './account-rows.ts'
import { deleteSessions, isText, type AccountSql, type Within } from './account-sql.ts'
import type { UserTable } from '../../store/tables.ts'
import type { User, UserStatus } from '../user.ts'
import type { UserChanges } from './account-store.ts'
import { changePassword } from './password-changes.sql.ts'
import { isSameRole } from './role-generation.sql.ts'
import { hasUsers } from './user-queries.sql.ts'

export function userChanges(statements: AccountSql): UserChanges {
  const { audit, transaction, serialized, announce } = statements
  return {
    addUser: (user, entry, generation) =>
      transaction(async (within) => {
        await serialized(within)
        if (!(await isSameRole({ role: user.role, generation }, within))) return 'role-replaced'
        return (await insertUser(user, entry, within, statements)) ? 'added' : 'taken'
      }),

    addFirstUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        return !(await hasUsers(within)) && insertUser(user, entry, within, statements)
      }),

    resetUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        if (await insertUser(user, entry, within, statements)) return
        const { key, role, passwordHash: hash, passwordSetAt: at, passwordOrigin: origin } = user
        await changePassword(key, { hash, at, origin }, undefined, within, announce)
        await within.updateTable('user').set({ role, disabled: 0, expires_at: null }).where('key', '=', key).execute()
        await audit.insert(entry, within)
      }),

    async setRole(key, next, entry, expected) {
      if (!isText(key)) return 'absent'
      const { role } = next
      return transaction(async (within) => {
        await serialized(within)
        if (!(await isSameRole(next, within))) return 'role-replaced'
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

    async setStatus(key, status, entry) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').selectAll().where('key', '=', key).executeTakeFirst()
        if (!user) return 'absent'
        const next = statusAfter(user, status)
        const stays = next.disabled === 0 && next.expires_at === null
        if (isLocalAdmin(user) && !stays && (await isLastAdmin(key, within))) return 'last-admin'
        await within.updateTable('user').set(next).where('key', '=', key).execute()
        const ended = next.disabled === 1 ? await deleteSessions(user.id, within, announce) : []
        await announce([{ kind: 'user', key }], within)
        await audit.insert(entry, within)
        return { ended }
      })
    },

    async deleteUser(key, entry) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').selectAll().where('key', '=', key).executeTakeFirst()
        if (!user) return 'absent'
        if (isLocalAdmin(user) && (await isLastAdmin(key, within))) return 'last-admin'
        await deleteSessions(user.id, within, announce)
        await within.deleteFrom('user').where('key', '=', key).execute()
        await announce([{ kind: 'user', key }], within)
        await audit.insert(entry, within)
        return 'deleted'
      })
    },
  }
}

const statusAfter = (user: Pick<UserTable, 'disabled' | 'expires_at'>, { disabled, expiresAt }: UserStatus) => ({
  disabled: disabled === undefined ? user.disabled : Number(disabled),
  expires_at: expiresAt === undefined ? user.expires_at : expiresAt,
})

/** Adds a user with an unused name. @returns false if the name is taken */
export const insertUser = async (user: User, entry: AuditEntry, within: Within, { audit, announce }: AccountSql) => {
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

/** Provider's users do not count as admins that others can rely on. */
const isLocalAdmin = ({ role, issuer }: { readonly role: string; readonly issuer: string | null }) =>
  role === 'admin' && issuer === null

/** Whether no other admin stays: one who is disabled or expires does not, and of a provider's user the provider decides. */
const isLastAdmin = async (key: string, within: Within) => {
  const others = within.selectFrom('user').select('id').where('role', '=', 'admin').where('key', '!=', key)
  const local = others.where('issuer', 'is', null)
  const staying = local.where('disabled', '=', 0).where('expires_at', 'is', null).limit(1)
  return (await staying.executeTakeFirst()) === undefined
}

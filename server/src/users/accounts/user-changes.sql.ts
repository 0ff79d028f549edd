import type { AuditEntry } from '../../shared/audit/audit.ts'
import { userRow } from './account-rows.ts'
import { deleteSessions, isText, userInvalidation, type AccountSql, type Within } from './account-sql.ts'
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
        const { id } = await within.selectFrom('user').select('id').where('key', '=', key).executeTakeFirstOrThrow()
        await changePassword(id, { hash, at, origin }, undefined, within, announce)
        await within.updateTable('user').set({ role, disabled: 0, expires_at: null }).where('key', '=', key).execute()
        await audit.insert(entry, within)
      }),

    async setRole(id, next, entry, expected) {
      if (!isText(id)) return 'absent'
      const { role } = next
      return transaction(async (within) => {
        await serialized(within)
        if (!(await isSameRole(next, within))) return 'role-replaced'
        const user = await within.selectFrom('user').select(['key', 'role']).where('id', '=', id).executeTakeFirst()
        if (!user) return 'absent'
        if (expected !== undefined && user.role !== expected) return 'stale'
        if (user.role === 'admin' && role !== 'admin' && (await isLastAdmin(id, within))) return 'last-admin'
        await within.updateTable('user').set({ role }).where('id', '=', id).execute()
        await announce([userInvalidation(user)], within)
        await audit.insert(entry(user.role), within)
        return 'changed'
      })
    },

    async setStatus(id, status, entry) {
      if (!isText(id)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
        if (!user) return 'absent'
        const next = statusAfter(user, status)
        const stays = next.disabled === 0 && next.expires_at === null
        if (isLocalAdmin(user) && !stays && (await isLastAdmin(id, within))) return 'last-admin'
        await within.updateTable('user').set(next).where('id', '=', id).execute()
        const ended = next.disabled === 1 ? await deleteSessions(id, within, announce) : []
        await announce([userInvalidation(user)], within)
        await audit.insert(entry, within)
        return { ended }
      })
    },

    async deleteUser(id, entry) {
      if (!isText(id)) return 'absent'
      return transaction(async (within) => {
        await serialized(within)
        const user = await within.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
        if (!user) return 'absent'
        if (isLocalAdmin(user) && (await isLastAdmin(id, within))) return 'last-admin'
        await deleteSessions(id, within, announce)
        await within.deleteFrom('user').where('id', '=', id).execute()
        await announce([userInvalidation(user)], within)
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
const isLastAdmin = async (id: string, within: Within) => {
  const others = within.selectFrom('user').select('id').where('role', '=', 'admin').where('id', '!=', id)
  const local = others.where('issuer', 'is', null)
  const staying = local.where('disabled', '=', 0).where('expires_at', 'is', null).limit(1)
  return (await staying.executeTakeFirst()) === undefined
}

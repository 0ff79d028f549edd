import { userFrom } from './account-rows.ts'
import { userInvalidation, type AccountSql } from './account-sql.ts'
import type { ProviderUserChanges } from './account-store.ts'
import { insertUser } from './user-changes.sql.ts'

export function providerUserChanges(statements: AccountSql): ProviderUserChanges {
  const { audit, transaction, serialized, announce } = statements
  return {
    putProviderUser: (user, entry) =>
      transaction(async (within) => {
        await serialized(within)
        const { key, name, role } = user
        const before = await within.selectFrom('user').selectAll().where('key', '=', key).executeTakeFirst()
        if (!before) {
          await insertUser(user, entry(undefined), within, statements)
          return user
        }
        const set = { name, role, recheck_at: user.provider?.recheckAt ?? null }
        await within.updateTable('user').set(set).where('key', '=', key).execute()
        await announce([{ kind: 'user', key }], within)
        if (before.role !== role) await audit.insert(entry(before.role), within)
        return userFrom({ ...before, ...set })
      }),

    confirmProviderUser: (id, { name, role, recheckAt }, entry) =>
      transaction(async (within) => {
        await serialized(within)
        const before = await within.selectFrom('user').select(['key', 'role']).where('id', '=', id).executeTakeFirst()
        if (!before) return false
        await within.updateTable('user').set({ name, role, recheck_at: recheckAt }).where('id', '=', id).execute()
        await announce([{ kind: 'user', key: before.key }], within)
        if (before.role !== role) await audit.insert(entry(before.role), within)
        return true
      }),

    forgetConfirmation: (id) =>
      transaction(async (within) => {
        const changed = await within
          .updateTable('user')
          .set({ recheck_at: 0 })
          .where('id', '=', id)
          .where('issuer', 'is not', null)
          .returning('key')
          .execute()
        await announce(changed.map(userInvalidation), within)
      }),
  }
}

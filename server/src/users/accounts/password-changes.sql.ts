import { passwordOrigins } from './account-rows.ts'
import { isText, userInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { NewPassword, PasswordChanges } from './account-store.ts'

export function passwordChanges({ audit, transaction, announce }: AccountSql): PasswordChanges {
  return {
    async setPassword(id, password, entry, expected) {
      if (!isText(id)) return 'absent'
      return transaction(async (within) => {
        if (!(await changePassword(id, password, expected, within, announce))) {
          const user = await within.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()
          return user ? 'stale' : 'absent'
        }
        await audit.insert(entry, within)
        return 'changed'
      })
    },

    replaceHash: (id, from, to) =>
      transaction(async (within) => {
        const changed = await within
          .updateTable('user')
          .set({ password_hash: to })
          .where('id', '=', id)
          .where('password_hash', '=', from)
          .returning('key')
          .execute()
        await announce(changed.map(userInvalidation), within)
      }),
  }
}

/** Increments the credential version and deletes all sessions. @returns false if no user matches */
export const changePassword = async (
  id: string,
  { hash, at, origin }: NewPassword,
  expected: number | undefined,
  within: Within,
  announce: AccountSql['announce'],
) => {
  const changed = await within
    .updateTable('user')
    .set((eb) => ({
      password_hash: hash,
      password_set_at: at,
      password_origin: passwordOrigins.indexOf(origin),
      credential_version: eb('credential_version', '+', 1),
    }))
    .where('id', '=', id)
    .$call((query) => (expected === undefined ? query : query.where('credential_version', '=', expected)))
    .returning('key')
    .executeTakeFirst()
  if (!changed) return false
  // A cached one stays invalid: it has an earlier version.
  await within.deleteFrom('session').where('user_id', '=', id).execute()
  await announce([userInvalidation(changed)], within)
  return true
}

import { passwordOrigins } from './account-rows.ts'
import { isText, userInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { NewPassword, PasswordChanges } from './account-store.ts'

export function passwordChanges({ audit, transaction, announce }: AccountSql): PasswordChanges {
  return {
    async setPassword(key, password, entry, expected) {
      if (!isText(key)) return 'absent'
      return transaction(async (within) => {
        if ((await changePassword(key, password, expected, within, announce)) === undefined) {
          const user = await within.selectFrom('user').select('id').where('key', '=', key).executeTakeFirst()
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

/** Increments the credential version and deletes all sessions. Returns the user's id, or undefined if no user matches. */
export const changePassword = async (
  key: string,
  { hash, at, origin }: NewPassword,
  expected: number | undefined,
  within: Within,
  announce: AccountSql['announce'],
) => {
  const changed = await within
    .updateTable('user')
    .set((of) => ({
      password_hash: hash,
      password_set_at: at,
      password_origin: passwordOrigins.indexOf(origin),
      credential_version: of('credential_version', '+', 1),
    }))
    .where('key', '=', key)
    .$call((query) => (expected === undefined ? query : query.where('credential_version', '=', expected)))
    .returning('id')
    .executeTakeFirst()
  if (!changed) return undefined
  // A cached one stays invalid: it has an earlier version.
  await within.deleteFrom('session').where('user_id', '=', changed.id).execute()
  await announce([{ kind: 'user', key }], within)
  return changed.id
}

import type { Transaction } from 'kysely'
import type { Store } from '../../../store/store.ts'
import type { Tables } from '../../../store/tables.ts'
import { withEntry } from './factor-changes.sql.ts'
import type { RecoveryCodeStore } from './factor-store.ts'

export function recoveryCodeStore(store: Store): RecoveryCodeStore {
  const { db, audit, transaction } = store
  return {
    async countRecoveryCodes(userId) {
      const counted = db.selectFrom('recovery_code').select((eb) => eb.fn.countAll().as('codes'))
      return Number((await counted.where('user_id', '=', userId).executeTakeFirstOrThrow()).codes)
    },

    async hasRecoveryCode(userId, hash) {
      const code = db.selectFrom('recovery_code').select('hash').where('user_id', '=', userId).where('hash', '=', hash)
      return (await code.executeTakeFirst()) !== undefined
    },

    useRecoveryCode: (userId, hash, entry) =>
      withEntry(entry, store, async (within) => {
        const used = within.deleteFrom('recovery_code').where('user_id', '=', userId).where('hash', '=', hash)
        return (await used.returning('hash').execute()).length > 0
      }),

    replaceRecoveryCodes: (userId, hashes, entry) =>
      transaction(async (within) => {
        await replaceCodes(userId, hashes, within)
        await audit.insert(entry, within)
      }),
  }
}

/** Replaces the recovery codes of a user. */
export async function replaceCodes(
  userId: string,
  hashes: readonly string[],
  within: Transaction<Tables>,
): Promise<void> {
  await within.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await within.insertInto('recovery_code').values(rows).execute()
}

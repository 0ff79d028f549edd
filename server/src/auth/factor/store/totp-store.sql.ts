import type { Store } from '../../../store/store.ts'
import { changeFactors } from './factor-changes.sql.ts'
import type { TotpStore } from './factor-store.ts'
import { replaceCodes } from './recovery-code-store.sql.ts'

export function totpStore(store: Store): TotpStore {
  const { db } = store
  return {
    async totp(userId) {
      const row = await db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
      if (!row) return undefined
      const { secret, created_at: createdAt, last_step: lastStep, failures, failed_at: failedAt } = row
      return { secret, createdAt, lastStep, failures, failedAt }
    },

    async countFailure(userId, seen, now) {
      const { numUpdatedRows } = await db
        .updateTable('totp')
        .set({ failures: seen.failures + 1, failed_at: now })
        .where('user_id', '=', userId)
        .where('failures', '=', seen.failures)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async acceptStep(userId, step) {
      const { numUpdatedRows } = await db
        .updateTable('totp')
        .set({ last_step: step, failures: 0, failed_at: null })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async keepNewTotp(sessionId, secret, expiresAt) {
      const values = { secret, expires_at: expiresAt }
      await db
        .insertInto('new_totp')
        .values({ session_id: sessionId, ...values })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
        .execute()
    },

    async newTotp(sessionId, now) {
      const found = db.selectFrom('new_totp').select('secret').where('session_id', '=', sessionId)
      return (await found.where('expires_at', '>', now).executeTakeFirst())?.secret
    },

    addTotp: (change, { secret, createdAt, lastStep }, codes) =>
      changeFactors(change, store, async (within) => {
        const user_id = change.user.id
        const values = { secret, created_at: createdAt, last_step: lastStep, failures: 0, failed_at: null }
        await within
          .insertInto('totp')
          .values({ user_id, ...values })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
          .execute()
        await replaceCodes(user_id, codes, within)
        await within
          .deleteFrom('new_totp')
          .where('session_id', '=', change.keptSession ?? '')
          .execute()
        return true
      }),
  }
}

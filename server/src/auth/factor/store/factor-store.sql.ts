import type { Invalidation } from '../../../access/invalidation.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Store } from '../../../store/store.ts'
import type { AuthReasons } from '../../reasons.ts'
import { deviceStore } from './device-store.sql.ts'
import { changeFactors, hasFactor } from './factor-changes.sql.ts'
import type { FactorStore } from './factor-store.ts'
import { passkeyStore } from './passkey-store.sql.ts'
import { recoveryCodeStore } from './recovery-code-store.sql.ts'
import { totpStore } from './totp-store.sql.ts'
import { day } from '../../../shared/time/durations.ts'

export const factorStore = (store: Store): FactorStore => ({
  ...totpStore(store),
  ...passkeyStore(store),
  ...recoveryCodeStore(store),
  ...deviceStore(store),

  removeFactor: (change, factor, keepOne) =>
    changeFactors(change, store, async (within) => {
      const { user } = change
      const removed =
        factor === 'totp'
          ? await within.deleteFrom('totp').where('user_id', '=', user.id).returning('user_id').execute()
          : await within
              .deleteFrom('passkey')
              .where('id', '=', factor)
              .where('user_id', '=', user.id)
              .returning('id')
              .execute()
      if (removed.length === 0) return false
      if (keepOne && !(await hasFactor(user.id, within))) {
        throw new ServiceError<AuthReasons>('conflict', { reason: 'factor-required' })
      }
      return true
    }),

  resetFactors: (change, { by, at }) =>
    changeFactors(change, store, async (within) => {
      const { id } = change.user
      if (!(await hasFactor(id, within))) return false
      await within.deleteFrom('totp').where('user_id', '=', id).execute()
      await within.deleteFrom('passkey').where('user_id', '=', id).execute()
      await within
        .updateTable('user')
        .set({ factors_reset_by: by, factors_reset_at: at })
        .where('id', '=', id)
        .execute()
      return true
    }),

  clearReset: ({ id, key }) =>
    store.transaction(async (within) => {
      await within
        .updateTable('user')
        .set({ factors_reset_by: null, factors_reset_at: null })
        .where('id', '=', id)
        .execute()
      await store.changes.announce({ kind: 'user', key } satisfies Invalidation, within)
    }),

  confirmSession: (id, at) =>
    store.transaction(async (within) => {
      const confirmed = await within
        .updateTable('session')
        .set({ confirmed_at: at })
        .where('id', '=', id)
        .returning('id')
        .execute()
      await store.changes.announce({ kind: 'session', id } satisfies Invalidation, within)
      return confirmed.length > 0
    }),

  noteTicket: (id, expiresAt, now) =>
    store.transaction(async (within) => {
      await within
        .deleteFrom('used_ticket')
        .where('expires_at', '<', now - keptLonger)
        .execute()
      const { numInsertedOrUpdatedRows } = await within
        .insertInto('used_ticket')
        .values({ id, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    }),
})

/** Milliseconds that a used ticket is kept after its expiry: the clock of another instance may be behind. */
const keptLonger = day

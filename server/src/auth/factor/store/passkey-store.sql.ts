import type { Selectable } from 'kysely'
import type { Store } from '../../../store/store.ts'
import type { PasskeyTable } from '../../../store/tables.ts'
import { changeFactors, withEntry } from './factor-changes.sql.ts'
import type { Passkey, PasskeyStore } from './factor-store.ts'
import { replaceCodes } from './recovery-code-store.sql.ts'

export function passkeyStore(store: Store): PasskeyStore {
  const { db } = store
  return {
    async passkeys(userId) {
      const rows = db.selectFrom('passkey').selectAll().where('user_id', '=', userId)
      return (await rows.orderBy('created_at').orderBy('id').execute()).map(passkeyFrom)
    },

    async passkeyByCredential(credentialId) {
      const found = db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId)
      const row = await found.executeTakeFirst()
      return row && passkeyFrom(row)
    },

    hasPasskeys: async () => (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined,

    addPasskey: (change, passkey, codes) =>
      changeFactors(change, store, async (within) => {
        const { numInsertedOrUpdatedRows } = await within
          .insertInto('passkey')
          .values(passkeyRow(passkey))
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n) return false
        if (codes) await replaceCodes(passkey.userId, codes, within)
        return true
      }),

    async usePasskey({ id, counter: seen }, counter, now) {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ counter, last_used_at: now })
        .where('id', '=', id)
        .where('counter', '=', seen)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    renamePasskey: (id, userId, name, entry) =>
      withEntry(entry, store, async (within) => {
        const renamed = within.updateTable('passkey').set({ name }).where('id', '=', id).where('user_id', '=', userId)
        return (await renamed.returning('id').execute()).length > 0
      }),
  }
}

const passkeyRow = (passkey: Passkey): Selectable<PasskeyTable> => ({
  id: passkey.id,
  user_id: passkey.userId,
  credential_id: passkey.credentialId,
  public_key: passkey.publicKey,
  counter: passkey.counter,
  transports: JSON.stringify(passkey.transports),
  rp_id: passkey.rpId,
  name: passkey.name,
  created_at: passkey.createdAt,
  last_used_at: passkey.lastUsedAt,
})

const passkeyFrom = (row: Selectable<PasskeyTable>): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports) as string[],
  rpId: row.rp_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

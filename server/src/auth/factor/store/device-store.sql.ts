import type { Selectable } from 'kysely'
import type { Store } from '../../../store/store.ts'
import type { DeviceTable } from '../../../store/tables.ts'
import { withEntry } from './factor-changes.sql.ts'
import type { Device, DeviceStore } from './factor-store.ts'

export function deviceStore(store: Store): DeviceStore {
  const { db, audit, transaction } = store
  return {
    async devices({ id, credentialVersion }, now) {
      const rows = await db
        .selectFrom('remembered_device')
        .selectAll()
        .where('user_id', '=', id)
        .where('credential_version', '=', credentialVersion)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(deviceFrom)
    },

    rememberDevice: (device, { factorVersion }, entry) =>
      transaction(async (within) => {
        // Locks the user's row until the transaction ends.
        const { numUpdatedRows } = await within
          .updateTable('user')
          .set((eb) => ({ factor_version: eb.ref('factor_version') }))
          .where('id', '=', device.userId)
          .where('credential_version', '=', device.credentialVersion)
          .where('factor_version', '=', factorVersion)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
        await within.deleteFrom('remembered_device').where('expires_at', '<=', device.createdAt).execute()
        await within.insertInto('remembered_device').values(deviceRow(device)).execute()
        await audit.insert(entry, within)
        return true
      }),

    async useDevice({ id, credentialVersion }, hashes, { address, now }) {
      if (hashes.length === 0) return false
      const { numUpdatedRows } = await db
        .updateTable('remembered_device')
        .set({ last_used_at: now, address })
        .where('user_id', '=', id)
        .where('credential_version', '=', credentialVersion)
        .where('secret_hash', 'in', hashes)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    forgetDevice: (id, userId, entry) =>
      withEntry(entry, store, async (within) => {
        const forgotten = within.deleteFrom('remembered_device').where('id', '=', id).where('user_id', '=', userId)
        return (await forgotten.returning('id').execute()).length > 0
      }),
  }
}

const deviceRow = (device: Device): Selectable<DeviceTable> => ({
  id: device.id,
  user_id: device.userId,
  credential_version: device.credentialVersion,
  secret_hash: device.secretHash,
  address: device.address,
  user_agent: device.userAgent.slice(0, 256).replaceAll('\0', '').toWellFormed(),
  created_at: device.createdAt,
  last_used_at: device.lastUsedAt,
  expires_at: device.expiresAt,
})

const deviceFrom = (row: Selectable<DeviceTable>): Device => ({
  id: row.id,
  userId: row.user_id,
  credentialVersion: row.credential_version,
  secretHash: row.secret_hash,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})

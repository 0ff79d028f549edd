import type { Selectable, Transaction } from 'kysely'
import type { Invalidation } from '../../access/invalidation.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Store } from '../../store/store.ts'
import type { PasskeyTable, DeviceTable, Tables } from '../../store/tables.ts'
import type { AuthReasons } from '../reasons.ts'
import type {
  DeviceStore,
  Ended,
  FactorChange,
  FactorStore,
  Passkey,
  PasskeyStore,
  RecoveryCodeStore,
  Device,
  TotpStore,
} from './factor-store.ts'

type Within = Transaction<Tables>

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
const keptLonger = 24 * 60 * 60_000

/**
 * Runs a change of a user's factors. The user's row is locked first, so that two changes at the same time can't leave the
 * user without the last factor.
 */
function changeFactors(
  { user, keptSession, entry }: FactorChange,
  { transaction, changes, audit }: Store,
  change: (within: Within) => Promise<boolean>,
): Promise<Ended> {
  return transaction(async (within) => {
    const locked = await within
      .updateTable('user')
      .set((of) => ({ factor_version: of('factor_version', '+', 1) }))
      .where('id', '=', user.id)
      .returning('id')
      .execute()
    if (locked.length === 0 || !(await change(within))) return undefined
    const has = await hasFactor(user.id, within)
    await within
      .updateTable('user')
      .set({ has_factor: has ? 1 : 0 })
      .where('id', '=', user.id)
      .execute()
    if (!has) await within.deleteFrom('recovery_code').where('user_id', '=', user.id).execute()
    await within.deleteFrom('remembered_device').where('user_id', '=', user.id).execute()
    const ended = await within
      .deleteFrom('session')
      .where('user_id', '=', user.id)
      .where('id', '!=', keptSession ?? '')
      .returning('id')
      .execute()
    const facts: Invalidation[] = [{ kind: 'user', key: user.key }]
    for (const { id } of ended) facts.push({ kind: 'session', id })
    for (const fact of facts) await changes.announce(fact, within)
    await audit.insert(entry, within)
    return ended.map(({ id }) => id)
  })
}

async function hasFactor(userId: string, within: Within): Promise<boolean> {
  const totp = await within.selectFrom('totp').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (totp) return true
  const passkey = within.selectFrom('passkey').select('id').where('user_id', '=', userId).limit(1)
  return (await passkey.executeTakeFirst()) !== undefined
}

async function replaceCodes(userId: string, hashes: readonly string[], within: Within): Promise<void> {
  await within.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await within.insertInto('recovery_code').values(rows).execute()
}

function totpStore(store: Store): TotpStore {
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

function passkeyStore(store: Store): PasskeyStore {
  const { db, audit, transaction } = store
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
      transaction(async (within) => {
        const renamed = within.updateTable('passkey').set({ name }).where('id', '=', id).where('user_id', '=', userId)
        const found = (await renamed.returning('id').execute()).length > 0
        if (found) await audit.insert(entry, within)
        return found
      }),
  }
}

function recoveryCodeStore({ db, audit, transaction }: Store): RecoveryCodeStore {
  return {
    async countRecoveryCodes(userId) {
      const counted = db.selectFrom('recovery_code').select((of) => of.fn.countAll().as('codes'))
      return Number((await counted.where('user_id', '=', userId).executeTakeFirstOrThrow()).codes)
    },

    useRecoveryCode: (userId, hash, entry) =>
      transaction(async (within) => {
        const used = within.deleteFrom('recovery_code').where('user_id', '=', userId).where('hash', '=', hash)
        const found = (await used.returning('hash').execute()).length > 0
        if (found) await audit.insert(entry, within)
        return found
      }),

    replaceRecoveryCodes: (userId, hashes, entry) =>
      transaction(async (within) => {
        await replaceCodes(userId, hashes, within)
        await audit.insert(entry, within)
      }),
  }
}

function deviceStore({ db, audit, transaction }: Store): DeviceStore {
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

    rememberDevice: (device, entry) =>
      transaction(async (within) => {
        await within.deleteFrom('remembered_device').where('expires_at', '<=', device.createdAt).execute()
        await within.insertInto('remembered_device').values(deviceRow(device)).execute()
        await audit.insert(entry, within)
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
      transaction(async (within) => {
        const forgotten = within.deleteFrom('remembered_device').where('id', '=', id).where('user_id', '=', userId)
        const found = (await forgotten.returning('id').execute()).length > 0
        if (found) await audit.insert(entry, within)
        return found
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

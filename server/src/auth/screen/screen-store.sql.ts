import type { Selectable, Transaction } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { ScreenTable, Tables } from '../../store/tables.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import type { ScreenLayout } from './screen-layout.ts'
import type { Pairing, Screen, ScreenStore } from './screen-store.ts'
import { accountSql } from '../../users/accounts/account-sql.ts'
import { clockTolerance } from '../../users/accounts/last-seen.ts'
import { tokenExists } from '../api-token/api-token-store.sql.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

type Within = Transaction<Tables>

type PairingMethods = 'addPairing' | 'waitingPairing' | 'confirm' | 'pickUp'

export const screenStore = (store: Store): ScreenStore => ({ ...pairingStore(store), ...pairedStore(store) })

const announce = (id: string, within: Within, { changes }: Store) =>
  changes.announce({ kind: 'credential', id } satisfies Invalidation, within)

function pairingStore(store: Store): Pick<ScreenStore, PairingMethods> {
  const { db, audit, transaction, serialized } = accountSql(store)
  return {
    addPairing: (pairing, max) =>
      transaction(async (within) => {
        await within.deleteFrom('pairing').where('expires_at', '<=', pairing.createdAt).execute()
        const waiting = await countRows('pairing', within)
        if (waiting >= max) return 'full'
        const { numInsertedOrUpdatedRows } = await within
          .insertInto('pairing')
          .values(pairingRow(pairing))
          .onConflict((conflict) => conflict.column('code').doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n ? 'added' : 'code-taken'
      }),

    async waitingPairing(code, now) {
      const row = await db
        .selectFrom('pairing')
        .selectAll()
        .where('code', '=', code)
        .where('expires_at', '>', now)
        .where('screen_id', 'is', null)
        .executeTakeFirst()
      return row && pairingFrom(row)
    },

    confirm: (code, screen, entry, { pickUpUntil, max }) =>
      transaction(async (within) => {
        await serialized(within)
        const obstacle = await obstacleTo(screen, max, within)
        if (obstacle) return obstacle
        const pairing = await within
          .updateTable('pairing')
          .set({ screen_id: screen.id })
          .where('code', '=', code)
          .where('expires_at', '>', screen.createdAt)
          .where('screen_id', 'is', null)
          .returning(['id_hash', 'expires_at'])
          .executeTakeFirst()
        if (!pairing) return 'absent'
        await within
          .updateTable('pairing')
          .set({ expires_at: Math.max(pairing.expires_at, pickUpUntil) })
          .where('id_hash', '=', pairing.id_hash)
          .execute()
        await within.insertInto('screen').values(screenRow(screen)).execute()
        await audit.insert(entry, within)
        return 'confirmed'
      }),

    async pickUp(idHash, { secretHash, address, at, entry }) {
      const found = await db
        .selectFrom('pairing')
        .select('screen_id')
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      if (!found) return 'over'
      const { screen_id: screen } = found
      if (screen === null) return 'waiting'
      return transaction(async (within) => {
        await within.deleteFrom('pairing').where('id_hash', '=', idHash).execute()
        const row = await within
          .updateTable('screen')
          .set({ secret_hash: secretHash, last_seen_at: at, address })
          .where('id', '=', screen)
          // Of two requests that arrive together, only one gets the secret.
          .where('secret_hash', 'is', null)
          .returning(['id', 'name'])
          .executeTakeFirst()
        if (!row) return 'over'
        await announce(screen, within, store)
        await audit.insert(entry(row), within)
        return { screen }
      })
    },
  }
}

function pairedStore(store: Store): Omit<ScreenStore, PairingMethods> {
  const { db, audit, transaction } = store
  return {
    async screens() {
      const rows = await db.selectFrom('screen').selectAll().orderBy('name').orderBy('id').execute()
      return rows.map(screenFrom)
    },

    async screensById(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('screen').selectAll().where('id', 'in', ids).execute()
      return rows.map(screenFrom)
    },

    change: (id, { name, cameras, audio, layout }, entry) =>
      transaction(async (within) => {
        const row = await within
          .updateTable('screen')
          .set({
            id,
            ...(name !== undefined && { name }),
            ...(cameras && { cameras: JSON.stringify(cameras) }),
            ...(audio !== undefined && { audio: Number(audio) }),
            ...(layout && { layout: JSON.stringify(layout) }),
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) return undefined
        await announce(id, within, store)
        await audit.insert(entry, within)
        return screenFrom(row)
      }),

    revoke: (id, entry) =>
      transaction(async (within) => {
        const { numDeletedRows } = await within.deleteFrom('screen').where('id', '=', id).executeTakeFirstOrThrow()
        if (numDeletedRows !== 1n) return false
        await announce(id, within, store)
        await audit.insert(entry, within)
        return true
      }),

    async touch(id, at, address) {
      await db
        .updateTable('screen')
        .set({ last_seen_at: at, address })
        .where('id', '=', id)
        // As `lastSeen`: it may have been seen later elsewhere, or the clock was set back.
        .where((eb) =>
          eb.or([
            eb('last_seen_at', 'is', null),
            eb('last_seen_at', '<', at),
            eb('last_seen_at', '>', at + clockTolerance),
          ]),
        )
        .execute()
    },
  }
}

/** Why a screen cannot be added. */
async function obstacleTo({ tokenId }: Screen, max: number, within: Within): Promise<'revoked' | 'full' | undefined> {
  // A revocation just before did not find this screen.
  if (tokenId !== null && !(await tokenExists(tokenId, within))) return 'revoked'
  return (await countRows('screen', within)) >= max ? 'full' : undefined
}

async function countRows(table: 'pairing' | 'screen', within: Within): Promise<number> {
  const { count } = await within
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const pairingRow = ({ idHash, code, address, userAgent, createdAt, expiresAt }: Pairing) => ({
  id_hash: idHash,
  code,
  address,
  user_agent: userAgent.replaceAll('\0', ''),
  created_at: createdAt,
  expires_at: expiresAt,
  screen_id: null,
})

const pairingFrom = (row: Selectable<Tables['pairing']>): Pairing => ({
  idHash: row.id_hash,
  code: row.code,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const screenRow = (screen: Screen): Selectable<ScreenTable> => ({
  id: screen.id,
  name: screen.name,
  cameras: JSON.stringify(screen.cameras),
  audio: Number(screen.audio),
  layout: JSON.stringify(screen.layout),
  secret_hash: screen.secretHash,
  confirmed_by: screen.confirmedBy,
  token_id: screen.tokenId,
  created_at: screen.createdAt,
  last_seen_at: screen.lastSeenAt,
  address: screen.address,
})

const screenFrom = (row: Selectable<ScreenTable>): Screen => ({
  id: row.id,
  name: row.name,
  cameras: (JSON.parse(row.cameras) as string[]).map(cameraKey),
  audio: row.audio === 1,
  layout: JSON.parse(row.layout) as ScreenLayout,
  secretHash: row.secret_hash,
  confirmedBy: row.confirmed_by,
  tokenId: row.token_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  address: row.address,
})

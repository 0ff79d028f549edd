import type { Selectable, Transaction } from 'kysely'
import { bounded, type Invalidation } from '../../access/invalidation.ts'
import type { Store } from '../../store/store.ts'
import type { ShareLinkTable, Tables } from '../../store/tables.ts'
import type { LinkKind, ShareLink } from './share-link.ts'
import type { NewShareLink, ShareLinkStore, Viewer } from './share-link-store.ts'

type Within = Transaction<Tables>

export const shareLinkStore = (store: Store): ShareLinkStore => ({
  ...queries(store),
  ...changes(store),
  ...uses(store),
})

function queries({ db }: Store): Pick<ShareLinkStore, 'linksById' | 'links'> {
  const links = () =>
    db
      .selectFrom('share_link')
      .innerJoin('user', 'user.id', 'share_link.user_id')
      .leftJoin('export', (join) =>
        join.onRef('export.id', '=', 'share_link.export_id').on('export.state', '=', 'done'),
      )
      .selectAll('share_link')
      .select([
        'user.key as user_key',
        'user.name as user_name',
        'user.issuer as user_issuer',
        'export.id as found_export',
      ])

  return {
    async linksById(ids) {
      if (ids.length === 0) return []
      return (await links().where('share_link.id', 'in', ids).execute()).map(linkFrom)
    },

    async links(userId) {
      const some = userId === undefined ? links() : links().where('share_link.user_id', '=', userId)
      const rows = await some.orderBy('share_link.created_at', 'desc').orderBy('share_link.id', 'desc').execute()
      return rows.map(linkFrom)
    },
  }
}

function changes(store: Store): Pick<ShareLinkStore, 'add' | 'revoke' | 'removeEnded'> {
  const { audit, transaction } = store
  /** In one transaction, with the writers waiting: many are announced as one change of everything. */
  const announce = async (ids: readonly string[], within: Within): Promise<void> => {
    const invalidations = ids.map((id): Invalidation => ({ kind: 'credential', id }))
    for (const invalidation of bounded(invalidations)) await store.changes.announce(invalidation, within)
  }

  return {
    add: (link, entry, max) =>
      transaction(async (within) => {
        // Holds the user's row, so that concurrent requests can't exceed the limit.
        await within
          .updateTable('user')
          .set((eb) => ({ key: eb.ref('key') }))
          .where('id', '=', link.userId)
          .execute()
        const { count } = await within
          .selectFrom('share_link')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('user_id', '=', link.userId)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', link.createdAt)
          .executeTakeFirstOrThrow()
        if (count >= max) return 'full'
        await announce(await removeOldest(link, max, within), within)
        await within.insertInto('share_link').values(rowOf(link)).execute()
        await audit.insert(entry, within)
        return 'added'
      }),

    revoke: (id, at, entry) =>
      transaction(async (within) => {
        const found = await within.selectFrom('share_link').select('id').where('id', '=', id).executeTakeFirst()
        if (!found) return false
        const { numUpdatedRows } = await within
          .updateTable('share_link')
          .set({ revoked_at: at })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', at)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return true
        await announce([id], within)
        await audit.insert(entry, within)
        return true
      }),

    removeEnded: (before) =>
      transaction(async (within) => {
        const removed = await within
          .deleteFrom('share_link')
          .where((eb) => eb.or([eb('expires_at', '<', before), eb('revoked_at', '<', before)]))
          .returning('id')
          .execute()
        const ids = removed.map(({ id }) => id)
        await announce(ids, within)
        return ids
      }),
  }
}

/** Removes the oldest of a user's links that have ended, so that no more than `kept` of them are left. */
async function removeOldest(
  { userId, createdAt }: Pick<NewShareLink, 'userId' | 'createdAt'>,
  kept: number,
  within: Within,
): Promise<string[]> {
  const ended = within
    .selectFrom('share_link')
    .select('id')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', createdAt)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(kept)
  const removed = await within
    .deleteFrom('share_link')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', createdAt)]))
    .where('id', 'not in', ended)
    .returning('id')
    .execute()
  return removed.map(({ id }) => id)
}

type UseMethods = 'open' | 'takeCodeTry' | 'returnCodeTry' | 'takeSlot' | 'viewerCounts'

function uses({ db, audit, transaction }: Store): Pick<ShareLinkStore, UseMethods> {
  return {
    open: (id, at, counted, entry) =>
      transaction(async (within) => {
        const { numUpdatedRows } = await within
          .updateTable('share_link')
          .set((eb) => ({ opens: counted ? eb('opens', '+', 1) : eb.ref('opens'), last_opened_at: at }))
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', at)
          .$if(counted, (query) =>
            query.where((eb) => eb.or([eb('max_opens', 'is', null), eb('opens', '<', eb.ref('max_opens'))])),
          )
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return 'over'
        await audit.insert(entry, within)
        return 'opened'
      }),

    async takeCodeTry(id, max) {
      const { numUpdatedRows } = await db
        .updateTable('share_link')
        .set((eb) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
        .where('id', '=', id)
        .where('wrong_codes', '<', max)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async returnCodeTry(id) {
      await db
        .updateTable('share_link')
        .set((eb) => ({ wrong_codes: eb('wrong_codes', '-', 1) }))
        .where('id', '=', id)
        .execute()
    },

    takeSlot: (viewer, max) => transaction((within) => takeSlot(viewer, max, within)),

    async viewerCounts(since, until) {
      const rows = await db
        .selectFrom('share_link_viewer')
        .select((eb) => ['link_id', eb.fn.countAll<number>().as('count')])
        .where('seen_at', '>=', since)
        .where('seen_at', '<=', until)
        .groupBy('link_id')
        .execute()
      return new Map(rows.map(({ link_id, count }) => [link_id, count]))
    },
  }
}

async function takeSlot(
  { link, viewer, at, keptSince, keptUntil }: Viewer,
  max: number | null,
  within: Within,
): Promise<boolean> {
  // Holds the link's row, so that concurrent viewers can't take the same slot.
  const held = await within
    .updateTable('share_link')
    .set((eb) => ({ opens: eb.ref('opens') }))
    .where('id', '=', link)
    .executeTakeFirstOrThrow()
  if (held.numUpdatedRows !== 1n) return false
  await within
    .deleteFrom('share_link_viewer')
    .where('link_id', '=', link)
    .where((eb) => eb.or([eb('seen_at', '<', keptSince), eb('seen_at', '>', keptUntil)]))
    .execute()
  const kept = await within
    .updateTable('share_link_viewer')
    .set({ seen_at: at })
    .where('link_id', '=', link)
    .where('viewer', '=', viewer)
    .executeTakeFirstOrThrow()
  if (kept.numUpdatedRows === 1n) return true
  const { count } = await within
    .selectFrom('share_link_viewer')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('link_id', '=', link)
    .executeTakeFirstOrThrow()
  if (max !== null && count >= max) return false
  await within.insertInto('share_link_viewer').values({ link_id: link, viewer, seen_at: at }).execute()
  return true
}

const rowOf = (link: NewShareLink): Selectable<ShareLinkTable> => ({
  id: link.id,
  user_id: link.userId,
  kind: link.kind,
  camera: link.camera,
  start: link.start,
  end: link.end,
  export_id: link.exportId,
  expires_at: link.expiresAt,
  revoked_at: null,
  secret_hash: link.secretHash,
  code_hash: link.codeHash,
  wrong_codes: 0,
  opens: 0,
  max_opens: link.maxOpens,
  max_viewers: link.maxViewers,
  download: Number(link.download),
  audio: Number(link.audio),
  note: link.note,
  token_id: link.tokenId,
  created_at: link.createdAt,
  last_opened_at: null,
})

interface Row extends Selectable<ShareLinkTable> {
  readonly user_key: string
  readonly user_issuer: string | null
  readonly user_name: string
  readonly found_export: string | null
}

const linkFrom = (row: Row): ShareLink => ({
  id: row.id,
  userId: row.user_id,
  userKey: row.user_key,
  userName: row.user_name,
  userMethod: row.user_issuer === null ? 'password' : 'oidc',
  kind: row.kind as LinkKind,
  camera: row.camera,
  start: row.start,
  end: row.end,
  exportId: row.export_id,
  exportExists: row.kind !== 'export' || row.found_export !== null,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  secretHash: row.secret_hash,
  codeHash: row.code_hash,
  wrongCodes: row.wrong_codes,
  opens: row.opens,
  maxOpens: row.max_opens,
  maxViewers: row.max_viewers,
  download: row.download === 1,
  audio: row.audio === 1,
  note: row.note,
  tokenId: row.token_id,
  createdAt: row.created_at,
  lastOpenedAt: row.last_opened_at,
})

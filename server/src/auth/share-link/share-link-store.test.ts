import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../test/support/engines.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import type { Message, Store } from '../../store/store.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { shareLinkStore } from './share-link-store.sql.ts'
import type { NewShareLink, ShareLinkStore, Viewer } from './share-link-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const ann = testUser('ann')
const now = 1_700_000_000_000
const link = (id: string, more: Partial<NewShareLink> = {}): NewShareLink => ({
  id,
  userId: ann.id,
  kind: 'live',
  camera: cameraKey('key of yard'),
  start: null,
  end: null,
  exportId: null,
  expiresAt: now + 3_600_000,
  secretHash: `hash of ${id}`,
  codeHash: null,
  maxOpens: null,
  maxViewers: null,
  download: false,
  audio: false,
  note: '',
  tokenId: null,
  createdAt: now,
  ...more,
})
const entry = testEntry
const viewerOf = (id: string, viewer: string, at: number): Viewer => ({
  link: id,
  viewer,
  at,
  keptSince: at - 45,
  keptUntil: at + 60,
})
const exportRow = {
  id: 'clip',
  volume: '',
  camera: cameraKey('key of yard'),
  name: '',
  start: now - 10_000,
  end: now,
  expected: 10_000,
  tries: 1,
  bytes: 1,
  duration: 10_000,
  problem: null,
  promised: 1,
  owner_auth_method: 'oidc',
  owner_key: 'kim',
  owner_user: null,
  created_by: 'kim',
  created_at: now,
  finished_at: now,
}
const twenty = <T>(act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => act(index)))

describe.each(engines)('share links on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  /** The stores of two instances. */
  let here: ShareLinkStore
  let there: ShareLinkStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    here = shareLinkStore(store)
    there = shareLinkStore(await database.open())
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await accountStore(store).addUser(ann, entry, 0)
  })
  const eitherOf = (index: number): ShareLinkStore => (index % 2 === 0 ? here : there)

  test('a link is read as it was written', async () => {
    const whole = link('whole', {
      kind: 'history',
      start: now - 10_000,
      end: now,
      codeHash: 'code',
      maxOpens: 3,
      maxViewers: 2,
      download: true,
      audio: true,
      note: 'für später',
      tokenId: 'token',
    })
    expect(await here.add(whole, entry, 10)).toBe('added')
    const owner = { userKey: 'ann', userName: 'ann', userMethod: 'password' }
    const read = { ...whole, ...owner, exportExists: true, revokedAt: null }
    expect(await there.linksById(['whole', 'missing'])).toEqual([
      { ...read, wrongCodes: 0, opens: 0, lastOpenedAt: null },
    ])
    expect(await here.links(ann.id)).toHaveLength(1)
    expect(await here.links('another user')).toEqual([])
    expect(await here.linksById([])).toEqual([])
  })

  test('a link without any limits is read as it was written', async () => {
    await here.add(link('plain'), entry, 10)
    expect(await there.linksById(['plain'])).toMatchObject([link('plain')])
  })

  test('[LINK-3] a link of a user of an identity provider, and one of an export, say so', async () => {
    const provider = { issuer: 'https://id.example', subject: 'kim', recheckAt: 0 }
    const kim = testUser('kim', { provider })
    await accountStore(store).addUser(kim, entry, 0)
    const of = { kind: 'export', exportId: 'clip', start: now - 10_000, end: now } as const
    await here.add(link('clip', { ...of, userId: kim.id }), entry, 10)
    const exportExists = async (state: string | undefined) => {
      await store.db.deleteFrom('export').execute()
      if (state !== undefined)
        await store.db
          .insertInto('export')
          .values({ ...exportRow, state })
          .execute()
      const [found] = await here.linksById(['clip'])
      return [found?.userMethod, found?.exportExists]
    }
    expect(await exportExists(undefined)).toEqual(['oidc', false])
    expect(await exportExists('running')).toEqual(['oidc', false])
    expect(await exportExists('done')).toEqual(['oidc', true])
  })

  test('[LINK-3] other instances are notified of the end of a link, once', async () => {
    const announced: Message[] = []
    const announce = async (message: Message) => void announced.push(message)
    const links = shareLinkStore({ ...store, changes: { ...store.changes, announce } })
    for (const id of ['revoked', 'expired']) await links.add(link(id), entry, 10)
    await links.revoke('revoked', now + 1, entry)
    expect(announced).toEqual([{ kind: 'credential', id: 'revoked' }])
    await links.revoke('revoked', now + 2, entry)
    await links.revoke('missing', now + 2, entry)
    expect(announced).toHaveLength(1)
    await links.removeEnded(now + 3_600_001)
    expect(announced.slice(1)).toEqual(
      expect.arrayContaining(['revoked', 'expired'].map((id) => ({ kind: 'credential', id }))),
    )
  })

  test('[LINK-3] many links that are removed together are announced as one change of everything', async () => {
    const announced: Message[] = []
    const announce = async (message: Message) => void announced.push(message)
    const links = shareLinkStore({ ...store, changes: { ...store.changes, announce } })
    for (let nth = 0; nth < 101; nth += 1) await links.add(link(`link ${nth}`), entry, 1000)
    expect(await links.removeEnded(now + 3_600_001)).toHaveLength(101)
    expect(announced).toEqual([{ kind: 'all' }])
  })

  test('[LINK-1] of concurrent requests, no more links are added than a user can have', async () => {
    const added = await twenty((index) => eitherOf(index).add(link(`one of ${index}`), entry, 7))
    expect(added.filter((result) => result === 'added')).toHaveLength(7)
    expect(await here.links()).toHaveLength(7)
  })

  test('[LINK-1] of the links that a user can have, those of others and those that have ended do not count', async () => {
    await accountStore(store).addUser(testUser('ben'), entry, 0)
    const add = (id: string, more: Partial<NewShareLink> = {}) => here.add(link(id, more), entry, 1)
    expect(await add('of ben', { userId: 'id of ben' })).toBe('added')
    expect(await add('expired', { createdAt: now - 1, expiresAt: now })).toBe('added')
    expect(await add('revoked')).toBe('added')
    expect(await add('one more')).toBe('full')
    await here.revoke('revoked', now, entry)
    expect(await add('one more')).toBe('added')
    expect(await add('two more')).toBe('full')
  })

  test('[LINK-1] of the links that have ended, as many are kept as a user can have, the newest', async () => {
    await accountStore(store).addUser(testUser('ben'), entry, 0)
    const announced: Message[] = []
    const announce = async (message: Message) => void announced.push(message)
    const links = shareLinkStore({ ...store, changes: { ...store.changes, announce } })
    const add = (id: string, more: Partial<NewShareLink> = {}) => links.add(link(id, more), entry, 2)
    for (const id of ['1', '2']) await add(`of ben ${id}`, { userId: 'id of ben', expiresAt: now + 1 })
    for (const at of [1, 2, 3]) {
      await add(`revoked ${at}`, { createdAt: now + at })
      await links.revoke(`revoked ${at}`, now + at, entry)
    }
    await add('expired', { createdAt: now + 4, expiresAt: now + 5 })
    announced.length = 0
    await add('active', { createdAt: now + 5 })
    const kept = (await links.links()).map(({ id }) => id)
    expect(kept.toSorted()).toEqual(['active', 'expired', 'of ben 1', 'of ben 2', 'revoked 3'])
    expect(announced).toEqual([{ kind: 'credential', id: 'revoked 2' }])
  })

  test('[LINK-1] links are listed newest first', async () => {
    const made = { e: now, b: now + 1, d: now + 1, c: now + 1, a: now + 2 }
    for (const [id, createdAt] of Object.entries(made)) await here.add(link(id, { createdAt }), entry, 10)
    expect((await here.links()).map(({ id }) => id)).toEqual(['a', 'd', 'c', 'b', 'e'])
  })

  test('[LINK-3] the uses of a link change no other link', async () => {
    for (const id of ['one', 'other']) await here.add(link(id, { maxOpens: 3, codeHash: 'code' }), entry, 10)
    const slot = (id: string, at: number) => here.takeSlot(viewerOf(id, 'viewer', at), 1)
    expect([await slot('other', now), await slot('one', now + 10)]).toEqual([true, true])
    const each = { one: 1, other: 1 }
    expect(Object.fromEntries(await here.viewerCounts(now, now + 100))).toEqual(each)
    expect(await slot('one', now + 100)).toBe(true)
    expect(Object.fromEntries(await here.viewerCounts(now, now + 100))).toEqual(each)
    expect(await here.open('one', now, true, entry)).toBe('opened')
    for (let nth = 0; nth < 2; nth += 1) await here.takeCodeTry('one', 5)
    await here.returnCodeTry('one')
    const links = new Map((await here.linksById(['one', 'other'])).map((found) => [found.id, found]))
    expect(links.get('one')).toMatchObject({ opens: 1, wrongCodes: 1, lastOpenedAt: now })
    expect(links.get('other')).toMatchObject({ opens: 0, wrongCodes: 0, lastOpenedAt: null })
  })

  test('[LINK-3] of concurrent openings, no more succeed than are allowed; those of earlier viewers do not count', async () => {
    await here.add(link('few', { maxOpens: 3 }), entry, 10)
    const opened = await twenty((index) => eitherOf(index).open('few', now, true, entry))
    expect(opened.filter((result) => result === 'opened')).toHaveLength(3)
    expect(await here.open('few', now + 1, false, entry)).toBe('opened')
    expect(await here.linksById(['few'])).toMatchObject([{ opens: 3, lastOpenedAt: now + 1 }])
  })

  test('[LINK-3] a link that has ended cannot be opened', async () => {
    await here.add(link('over'), entry, 10)
    expect(await here.open('over', now + 3_600_000, true, entry)).toBe('over')
    expect(await here.revoke('over', now + 1, entry)).toBe(true)
    expect(await here.open('over', now + 2, true, entry)).toBe('over')
    expect(await here.open('over', now + 2, false, entry)).toBe('over')
    expect(await here.open('missing', now, true, entry)).toBe('over')
  })

  test('[LINK-3] of concurrent codes, no more are checked than can be wrong', async () => {
    await here.add(link('coded', { codeHash: 'code' }), entry, 10)
    const tries = await twenty((index) => eitherOf(index).takeCodeTry('coded', 5))
    expect(tries.filter(Boolean)).toHaveLength(5)
    await here.returnCodeTry('coded')
    expect(await there.takeCodeTry('coded', 5)).toBe(true)
    expect(await here.takeCodeTry('coded', 5)).toBe(false)
    expect(await here.takeCodeTry('missing', 5)).toBe(false)
  })

  test('[LINK-3] of concurrent viewers, no more get a slot than there are; a slot that is not renewed is free', async () => {
    await here.add(link('full'), entry, 10)
    const slot = (viewer: string, at: number, max: number | null) => here.takeSlot(viewerOf('full', viewer, at), max)
    const slots = await twenty((index) => eitherOf(index).takeSlot(viewerOf('full', `viewer ${index}`, now), 4))
    expect(slots.filter(Boolean)).toHaveLength(4)
    expect(await here.viewerCounts(now, now)).toEqual(new Map([['full', 4]]))
    expect(await slot('late', now + 40, 4)).toBe(false)
    expect(await slot('late', now + 40, null)).toBe(true)
    expect(await slot('other', now + 50, 2)).toBe(true)
    // Who has a slot keeps it.
    expect(await slot('late', now + 60, 2)).toBe(true)
    expect(await here.viewerCounts(now + 60, now + 60)).toEqual(new Map([['full', 1]]))
    expect(await here.takeSlot(viewerOf('missing', 'x', now), 4)).toBe(false)
  })

  test('[LINK-3] a slot from a clock that was ahead is free, and not counted', async () => {
    const hour = 3_600_000
    await here.add(link('one'), entry, 10)
    await here.add(link('other'), entry, 10)
    const take = (id: string, viewer: string, at: number) => here.takeSlot(viewerOf(id, viewer, at), 1)
    for (const id of ['one', 'other']) expect(await take(id, 'early', now + hour)).toBe(true)
    expect(await take('one', 'viewer', now)).toBe(true)
    expect(await take('one', 'early', now)).toBe(false)
    expect(await here.viewerCounts(now - 45, now + 60)).toEqual(new Map([['one', 1]]))
    // Of another link, and by the viewer who had it.
    expect(await take('other', 'early', now)).toBe(true)
    expect(await take('other', 'viewer', now)).toBe(false)
  })

  test('[LINK-3] a slot from a clock that is a little ahead is kept', async () => {
    await here.add(link('one'), entry, 10)
    expect(await here.takeSlot(viewerOf('one', 'first', now + 60), 1)).toBe(true)
    expect(await here.takeSlot(viewerOf('one', 'second', now), 1)).toBe(false)
    expect(await here.viewerCounts(now - 45, now + 60)).toEqual(new Map([['one', 1]]))
  })

  test('[LINK-3] a revoked link keeps the time of its first end, and links are removed long after their end', async () => {
    await here.add(link('revoked'), entry, 10)
    await here.add(link('expired', { expiresAt: now + 5 }), entry, 10)
    await here.add(link('active'), entry, 10)
    expect(await here.revoke('revoked', now + 10, entry)).toBe(true)
    expect(await there.revoke('revoked', now + 20, entry)).toBe(true)
    expect(await here.linksById(['revoked'])).toMatchObject([{ revokedAt: now + 10 }])
    expect(await here.revoke('missing', now, entry)).toBe(false)
    expect(await here.revoke('expired', now + 5, entry)).toBe(true)
    expect(await here.linksById(['expired'])).toMatchObject([{ revokedAt: null }])
    expect([...(await here.removeEnded(now + 11))].toSorted()).toEqual(['expired', 'revoked'])
    expect((await here.links()).map(({ id }) => id)).toEqual(['active'])
  })

  test('[AUD-1] what was refused writes no audit entry', async () => {
    await here.add(link('one', { maxOpens: 1 }), entry, 1)
    await here.add(link('two'), entry, 1)
    await here.open('one', now, true, entry)
    await here.open('one', now, true, entry)
    const rows = await store.db.selectFrom('audit').select('target').orderBy('id').execute()
    // The user, the link and one opening.
    expect(rows).toHaveLength(3)
    for (const id of ['one', 'one', 'missing']) await here.revoke(id, now, entry)
    expect(await store.db.selectFrom('audit').select('target').execute()).toHaveLength(4)
  })
})

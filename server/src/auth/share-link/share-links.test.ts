import { describe, expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { fakeRole } from '../../../test/support/fake-roles.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { rolesFrom } from '../../access/role.ts'
import type { User } from '../../users/user.ts'
import { createLinkKeys } from './link-keys.ts'
import type { LinkEnd, ShareLink } from './share-link.ts'
import { createShareLinks } from './share-links.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const hour = 3_600_000
const keys = createLinkKeys('a secret')
const viewer = 'f'.repeat(32)
const { id } = testShareLink()

function world(more: Partial<ShareLink> = {}) {
  const clock = createTestClock({ now })
  const link = testShareLink(more)
  const at = {
    link: link as ShareLink | undefined,
    user: testUser('ann', { role: 'sharer' }) as User | undefined,
    reads: [] as (readonly string[])[],
    hasSlot: true,
    isAccepted: true,
    isTokenValid: true,
    isClockTrusted: true,
    cameras: { nameOf: (key: string) => key.replace(/~.*/, ''), version: 1 },
    published: [] as Invalidation[],
    removals: [] as number[],
    removed: async (): Promise<readonly string[]> => ['old', 'older'],
    tokens: [] as unknown[],
  }
  const roles = rolesFrom(
    new Map([
      ['sharer', fakeRole(['yard'], { allow: ['live', 'history', 'download', 'share'], history: 24 * hour })],
      ['guard', fakeRole(['yard'])],
      ['listener', fakeRole(['yard'], { allow: ['audio', 'share'] })],
      ['other', fakeRole(['door'], { allow: ['live', 'share'] })],
    ]),
    { now: () => clock.now(), wallClock: () => ({ weekday: 'thu', minute: 0 }) },
  )
  const links = createShareLinks({
    store: {
      async linksById(ids) {
        at.reads.push(ids)
        return at.link ? [at.link] : []
      },
      takeSlot: async () => at.hasSlot,
      viewerCounts: async () => new Map(),
      removeEnded(before) {
        at.removals.push(before)
        return at.removed()
      },
    },
    users: { byKey: (key) => (key === 'ann' ? at.user : undefined) },
    isAccepted: () => at.isAccepted,
    async isTokenValid(...token) {
      at.tokens.push(token)
      return at.isTokenValid
    },
    roles: () => roles,
    cameras: {
      nameOf: (key) => at.cameras.nameOf(key),
      get version() {
        return at.cameras.version
      },
    },
    keys,
    isFresh: () => true,
    isClockTrusted: () => at.isClockTrusted,
    publish: (invalidation) => void at.published.push(invalidation),
    clock,
    log: silent,
  })
  const cookie = `gatehouse_link=${viewer}.${keys.sign(link, viewer)}`
  return {
    ...links,
    at,
    clock,
    link,
    meta: withCookie(cookie),
    enter: () => links.authenticate(withCookie(cookie), id),
  }
}

const withCookie = (...cookie: string[]) => requestMeta({ cookie })
const refused = { identity: { kind: 'unauthenticated' } }
type World = ReturnType<typeof world>

describe('[LINK-2] a viewer', () => {
  test('is authenticated as the creator, within the link', async () => {
    const { enter } = world()
    const found = await enter()
    const credential = { kind: 'link', id, limits: { cameras: new Set(['yard']) } }
    expect(found).toMatchObject({ identity: { kind: 'authenticated', name: 'ann', credential }, ambient: true })
  })

  test.each<[string, (of: World) => ReturnType<World['authenticate']>, number]>([
    ['without a cookie', ({ authenticate }) => authenticate(withCookie(), id), 0],
    [
      'with another signature',
      ({ authenticate }) => authenticate(withCookie(`gatehouse_link=${viewer}.${'A'.repeat(43)}`), id),
      1,
    ],
    ['at a text that isn’t an id', ({ authenticate, meta }) => authenticate(meta, 'x'), 0],
    [
      'of a link that does not exist',
      ({ enter, at }) => {
        at.link = undefined
        return enter()
      },
      1,
    ],
  ])('%s is not authenticated', async (_which, enter, reads) => {
    const of = world()
    const found = await enter(of)
    expect(found).toMatchObject(refused)
    expect(await found.reauthenticate()).toMatchObject(refused)
    expect(of.at.reads).toHaveLength(reads)
  })

  test('is known by the signature of the cookie alone', () => {
    const { viewerOf, link, meta } = world()
    expect(viewerOf(link, meta)).toBe(viewer)
    expect(viewerOf({ ...link, secretHash: 'another' }, meta)).toBeUndefined()
    expect(viewerOf(link, withCookie())).toBeUndefined()
  })

  test.each<[string, Partial<ShareLink>, Partial<User>, number]>([
    ['of the slot', {}, {}, now + 15_000],
    ['of the link', { expiresAt: now + 1 }, { expiresAt: now + 2 }, now + 1],
    ["of the creator's account", { expiresAt: now + 2 }, { expiresAt: now + 1 }, now + 1],
    [
      "of the creator's access by the identity provider",
      {},
      { provider: { issuer: 'x', subject: 'y', recheckAt: now + 1 - hour } },
      now + 1,
    ],
  ])('[LINK-3] is authenticated again at the end %s', async (_whose, more, user, until) => {
    const { enter, at } = world(more)
    at.user = { ...at.user!, ...user }
    expect(await enter()).toMatchObject({ identity: { kind: 'authenticated' }, until })
  })

  test('has the same identity as long as nothing changes', async () => {
    const { enter, at } = world()
    const first = (await enter()).identity
    expect((await enter()).identity).toBe(first)
    at.user = { ...at.user! }
    const second = (await enter()).identity
    expect(second).not.toBe(first)
    at.cameras = { nameOf: (key) => key, version: 2 }
    expect((await enter()).identity).toMatchObject({ credential: { limits: { cameras: new Set() } } })
  })
})

const ends: [string, (of: World) => unknown, LinkEnd][] = [
  ['it has expired', ({ clock }) => clock.setWallTime(now + hour), 'link-expired'],
  ['its creator was deleted', ({ at }) => (at.user = undefined), 'link-unavailable'],
  ['the configuration does not accept its creator', ({ at }) => (at.isAccepted = false), 'link-unavailable'],
  [
    'the identity provider has not confirmed its creator',
    ({ at }) => (at.user = { ...at.user!, provider: { issuer: 'x', subject: 'y', recheckAt: now - hour } }),
    'link-unavailable',
  ],
]

describe('[LINK-3] a link', () => {
  test.each(ends)('says why it shows nothing once %s, and ends open streams', async (_why, change, reason) => {
    const of = world()
    const stream = await of.enter()
    expect(await stream.reauthenticate()).toMatchObject({ identity: { kind: 'authenticated' } })
    expect(await of.endOf(of.link)).toBeUndefined()
    change(of)
    await expect(of.enter()).rejects.toMatchObject({ code: 'gone', reason })
    expect(await stream.reauthenticate()).toMatchObject(refused)
    expect(await of.endOf(of.link)).toBe(reason)
    expect(await of.identityOf(id, of.clock.now())).toEqual({ kind: 'unauthenticated' })
  })

  test('that an API token made ends with it', async () => {
    const { enter, at, endOf, link } = world({ tokenId: 'token' })
    expect(await enter()).toMatchObject({ identity: { kind: 'authenticated' } })
    expect(at.tokens).toEqual([['token', now]])
    at.isTokenValid = false
    await expect(enter()).rejects.toMatchObject({ code: 'gone', reason: 'link-unavailable' })
    expect(await endOf(link)).toBe('link-unavailable')
  })

  test('without a token asks for none', async () => {
    const { enter, at } = world()
    await enter()
    expect(at.tokens).toEqual([])
  })

  test('with as many viewers as it can have says so, and ends the stream of one without a slot', async () => {
    const { enter, at, clock } = world({ maxViewers: 1 })
    const stream = await enter()
    at.hasSlot = false
    await clock.advance(15_000)
    await expect(enter()).rejects.toMatchObject({ code: 'busy', reason: 'too-many-viewers', retryAfter: 15 })
    expect(await stream.reauthenticate()).toMatchObject(refused)
  })

  const shared = { kind: 'export', exportId: 'x', end: now } as const
  test.each<[string, Partial<ShareLink>, string, LinkEnd | undefined]>([
    ['of a live camera', {}, 'sharer', undefined],
    ['of a range', { kind: 'history', start: now - 1000, end: now }, 'sharer', undefined],
    ['of a camera that was removed', { camera: cameraKey('yard~gone') }, 'sharer', 'link-unavailable'],
    ['of a user who no longer shares', {}, 'guard', 'link-unavailable'],
    ['of a user who has lost the action', {}, 'listener', 'link-unavailable'],
    ['of a user who has lost the camera', {}, 'other', 'link-unavailable'],
    ['of an export', { ...shared, start: now - 23 * hour }, 'sharer', undefined],
    [
      'of an export that is too old for its creator',
      { ...shared, start: now - 25 * hour },
      'sharer',
      'link-unavailable',
    ],
    ['of an export that was deleted', { ...shared, start: now, exportExists: false }, 'sharer', 'link-unavailable'],
  ])('%s can be opened as long as its creator can see that', async (_which, more, role, end) => {
    const { at, endOf, link } = world(more)
    const { nameOf } = at.cameras
    at.cameras = { nameOf: (key) => (key === 'yard~gone' ? key : nameOf(key)), version: 1 }
    at.user = { ...at.user!, role }
    expect(await endOf(link)).toBe(end)
  })
})

test('[LINK-3] the camera of a link is the one that has its key, and an export also has a time', async () => {
  const { cameraOf, at, invalidate } = world()
  expect(await cameraOf(id)).toBe('yard')
  const found = async (link: ShareLink | undefined) => {
    at.link = link
    invalidate({ kind: 'credential', id })
    return cameraOf(id)
  }
  const start = now - 1000
  expect(await found(testShareLink({ kind: 'export', start }))).toEqual({ camera: 'yard', time: start })
  expect(await found(testShareLink({ kind: 'history', start }))).toBe('yard')
  expect(await found(undefined)).toBeUndefined()
  at.cameras = { nameOf: (key) => key, version: 2 }
  expect(await found(testShareLink())).toBeUndefined()
  expect(await found(testShareLink({ kind: 'export', start }))).toBeUndefined()
})

test('[LINK-3] the identity of viewers at a time', async () => {
  const { identityOf, at, invalidate } = world()
  expect(await identityOf(id, now + hour - 1)).toMatchObject({ kind: 'authenticated', name: 'ann' })
  expect(await identityOf(id, now + hour)).toEqual({ kind: 'unauthenticated' })
  expect(at.reads).toHaveLength(1)
  expect(await identityOf('x', now)).toBeUndefined()
  expect(at.reads).toHaveLength(1)
  at.link = undefined
  invalidate({ kind: 'credential', id })
  expect(await identityOf(id, now)).toBeUndefined()
})

test.each<[Invalidation, boolean]>([
  [{ kind: 'credential', id }, true],
  [{ kind: 'credential', id: 'another' }, false],
  [{ kind: 'all' }, true],
  [{ kind: 'config' }, false],
])('[LINK-3] after %j the link is read again: %s', async (invalidation, isReadAgain) => {
  const { byId, at, invalidate, link } = world()
  expect([await byId(id), await byId(id)]).toEqual([link, link])
  expect(at.reads).toEqual([[id]])
  invalidate(invalidation)
  await byId(id)
  expect(at.reads).toHaveLength(isReadAgain ? 2 : 1)
})

describe('[LINK-3] links that ended 30 days ago', () => {
  test('are deleted every hour, and announced', async () => {
    const { at, clock, stop } = world()
    await clock.advance(hour - 1)
    expect(at.removals).toEqual([])
    await clock.advance(1)
    expect(at.removals).toEqual([now + hour - 30 * 24 * hour])
    expect(at.published).toEqual(['old', 'older'].map((each) => ({ kind: 'credential', id: each })))
    stop()
    await clock.advance(hour)
    expect(at.removals).toHaveLength(1)
  })

  test('are kept while the clock cannot be trusted', async () => {
    const { at, clock } = world()
    at.isClockTrusted = false
    await clock.advance(hour)
    expect(at.removals).toEqual([])
  })

  test('are deleted later if the database is unavailable', async () => {
    const { at, clock } = world()
    at.removed = () => Promise.reject(new Error('unavailable'))
    await clock.advance(hour)
    at.removed = async () => ['old']
    await clock.advance(hour)
    expect(at.published).toHaveLength(1)
  })
})

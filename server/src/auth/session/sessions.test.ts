import { expect, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { fakeAccountStore } from '../../../test/support/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import { createSessions, type ActiveSession } from './sessions.ts'
import type { Session } from '../../users/accounts/session.ts'
import { createKnownAddresses } from './known-addresses.ts'

const day = 86_400_000

async function world() {
  let now = 1_800_000_000_000
  const invalidations: Invalidation[] = []
  const clock = { ...systemClock, now: () => now, elapsed: () => now }
  const store = fakeAccountStore()
  const written = vi.spyOn(store, 'touch')
  const knownAddresses = createKnownAddresses([])
  const sessions = createSessions({
    store,
    isFresh: () => true,
    isClockTrusted: () => true,
    knownAddresses,
    publish(invalidation) {
      invalidations.push(invalidation)
      if (invalidation.kind === 'session') sessions.invalidate(invalidation.id)
    },
    clock,
    random: systemRandom,
    log: silent,
  })
  const ann = newUser({ name: 'ann', role: 'viewer', hash: '', origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry, 0)
  const begun = {
    expiresAt: now + day,
    confirmedAt: null,
    isSignIn: true,
    address: '192.0.2.1',
    userAgent: 'x'.repeat(1000),
  }
  const { session } = (await sessions.begin(ann, begun, null)) as ActiveSession<Session>
  const active = (await sessions.find(session.id)) as ActiveSession
  return {
    store,
    sessions,
    knownAddresses,
    written,
    invalidations,
    ann,
    session,
    active,
    now: () => now,
    pass: (ms: number) => void (now += ms),
  }
}

test('[RATE-7] the address of a new session is known, unless the session could not begin', async () => {
  const { sessions, knownAddresses, ann, now } = await world()
  expect(knownAddresses.has('192.0.2.1')).toBe(true)
  const beginning = { expiresAt: now() + day, confirmedAt: null, isSignIn: true, address: '192.0.2.2', userAgent: '' }
  await sessions.begin({ ...ann, credentialVersion: 7 }, beginning, null)
  expect(knownAddresses.has('192.0.2.2')).toBe(false)
})

test('[TOK-12] the end of the session that a new one replaces is published', async () => {
  const { sessions, invalidations, ann, session, now } = await world()
  invalidations.length = 0
  const replaced = { id: session.id, entry: testEntry }
  const more = { confirmedAt: null, isSignIn: true, address: '192.0.2.1', userAgent: '' }
  await sessions.begin(ann, { expiresAt: now() + day, ...more, replaced }, null)
  expect(invalidations).toEqual([{ kind: 'session', id: session.id }])
})

test('[MFA-1] no session begins for a user whose factors have changed since the user was read', async () => {
  const { sessions, store, ann, now } = await world()
  store.rows.users.set(ann.key, { ...ann, factorVersion: 1 })
  const beginning = { expiresAt: now() + day, confirmedAt: null, isSignIn: true, address: '192.0.2.1', userAgent: '' }
  expect(await sessions.begin(ann, beginning, null)).toBeUndefined()
  expect(await sessions.begin({ ...ann, factorVersion: 1 }, beginning, null)).toBeDefined()
})

test('a session id has 128 random bits, and the user agent is shortened', async () => {
  const { session } = await world()
  expect(session.id).toMatch(/^[0-9a-f]{32}$/)
  expect((await world()).session.id).not.toBe(session.id)
  expect(session.userAgent).toHaveLength(256)
})

test('no session starts after the password has changed', async () => {
  const { store, sessions, ann } = await world()
  await store.setPassword(ann.id, { hash: 'new', at: 0, origin: 'own' }, testEntry)
  expect(
    await sessions.begin(ann, { expiresAt: 0, confirmedAt: null, isSignIn: true, address: '', userAgent: '' }, null),
  ).toBeUndefined()
})

test('session activity is written at most once a minute', async () => {
  const { sessions, written, active, pass } = await world()
  for (let i = 0; i < 100; i += 1) {
    pass(500)
    sessions.touch(active)
  }
  await sessions.flush()
  expect(written).not.toHaveBeenCalled()
  pass(10_000)
  sessions.touch(active)
  sessions.touch(active)
  await sessions.flush()
  await sessions.flush()
  expect(written).toHaveBeenCalledTimes(1)
})

test('[TOK-6] a session was last seen at its last use, to the minute, also if the clock was set back', async () => {
  const { store, sessions, written, active, now, pass } = await world()
  pass(59_999)
  sessions.touch(active)
  expect(active.lastSeenAt).toBe(now() - 59_999)
  pass(1)
  sessions.touch(active)
  sessions.invalidate()
  expect(((await sessions.find(active.session.id)) as ActiveSession).lastSeenAt).toBe(now())
  await sessions.flush()
  sessions.invalidate()
  pass(-3_600_000)
  const found = (await sessions.find(active.session.id)) as ActiveSession
  sessions.touch(found)
  await sessions.flush()
  expect(written.mock.lastCall).toMatchObject([[{ lastSeenAt: now() }], now()])
  expect(await store.session(active.session.id)).toMatchObject({ lastSeenAt: now() })
  sessions.invalidate()
  expect(((await sessions.find(active.session.id)) as ActiveSession).lastSeenAt).toBe(now())
})

test('an earlier or equal expiry changes nothing', async () => {
  const { sessions, written, active } = await world()
  const { expiresAt } = active
  sessions.extend(active, expiresAt, day)
  sessions.extend(active, expiresAt - 1, day)
  await sessions.flush()
  expect(active.expiresAt).toBe(expiresAt)
  expect(written).not.toHaveBeenCalled()
})

test('while a later expiry is written, the next one waits', async () => {
  const { sessions, written, active } = await world()
  const writing = Promise.withResolvers<void>()
  written.mockReturnValueOnce(writing.promise)
  sessions.extend(active, active.expiresAt + day, day)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
  sessions.extend(active, active.expiresAt + 60_000, day)
  writing.resolve()
  await new Promise(setImmediate)
  expect(written).toHaveBeenCalledTimes(1)
})

test('an expiry that is written with the rest counts as written', async () => {
  const { sessions, written, active } = await world()
  sessions.extend(active, active.expiresAt + 60_000, day)
  await sessions.flush()
  sessions.extend(active, active.expiresAt + 60_000, day)
  await new Promise(setImmediate)
  expect(written).toHaveBeenCalledTimes(1)
})

test('activity of a session that is no longer cached is written too', async () => {
  const { store, sessions, active } = await world()
  sessions.extend(active, active.expiresAt + 1000, day)
  sessions.invalidate()
  await sessions.flush()
  expect((await store.session(active.session.id))?.expiresAt).toBe(active.expiresAt)
})

test('a later expiry is written immediately if the row would be far behind, otherwise with the rest', async () => {
  const { store, sessions, written, active, now, pass } = await world()
  pass(30_000)
  sessions.extend(active, now() + day, day)
  expect(written).not.toHaveBeenCalled()
  pass(40_000)
  sessions.extend(active, now() + day, day)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
  expect((await store.session(active.session.id))?.expiresAt).toBe(now() + day)
})

test('the row of a short session is never behind by a quarter of its length', async () => {
  const { sessions, written, active } = await world()
  sessions.extend(active, active.expiresAt + 1100, 4000)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
})

test('a renewal with a shorter length changes no expiry, and its time is written as a later expiry would be', async () => {
  const { store, sessions, written, active, now, pass } = await world()
  const { id, expiresAt } = active.session
  const renew = () => sessions.extend(active, now() + day / 2, day / 2)
  pass(60_000)
  renew()
  expect([active.lastSeenAt, written.mock.calls]).toEqual([now() - 60_000, []])
  pass(1)
  renew()
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
  expect(await store.session(id)).toMatchObject({ expiresAt, lastSeenAt: now() })
  pass(60_000)
  sessions.touch(active)
  await sessions.flush()
  pass(60_000)
  renew()
  await new Promise(setImmediate)
  expect(written).toHaveBeenCalledTimes(2)
  sessions.invalidate()
  const again = (await sessions.find(id)) as ActiveSession
  sessions.extend(again, now() + 1000, 4000)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(3), 20_000)
})

test('the time of a renewal is stored with its expiry', async () => {
  const { store, sessions, active, now, pass } = await world()
  pass(1000)
  sessions.extend(active, now() + day, day)
  await sessions.flush()
  expect(await store.session(active.session.id)).toMatchObject({ expiresAt: now() + day, lastSeenAt: now() })
})

test('activity that is not written yet survives an invalidation of the cache', async () => {
  const { sessions, active } = await world()
  sessions.extend(active, active.expiresAt + 1000, day)
  sessions.invalidate(active.session.id)
  expect(((await sessions.find(active.session.id)) as ActiveSession).expiresAt).toBe(active.expiresAt)
})

test('a session that another instance renewed is read past the cache, and the cached one is dropped', async () => {
  const { store, sessions, active } = await world()
  const { id, expiresAt, lastSeenAt } = active.session
  await store.touch([{ id, lastSeenAt, expiresAt: expiresAt + day }], lastSeenAt)
  expect(((await sessions.find(id)) as ActiveSession).expiresAt).toBe(expiresAt)
  expect((await sessions.findUncached(id))?.expiresAt).toBe(expiresAt + day)
  expect(((await sessions.find(id)) as ActiveSession).expiresAt).toBe(expiresAt + day)
})

test('[TOK-6] the end of a session is published, and its activity is not written anymore', async () => {
  const { sessions, written, invalidations, active, pass } = await world()
  pass(60_000)
  sessions.touch(active)
  expect(await sessions.end(active.session.id, testEntry)).toBe(true)
  expect(invalidations).toEqual([{ kind: 'session', id: active.session.id }])
  await sessions.flush()
  expect(written).not.toHaveBeenCalled()
  expect(await sessions.find(active.session.id)).toBeUndefined()
})

test.each([
  [1, 'session'],
  [100, 'session'],
  [101, 'all'],
])('[TOK-6] the end of %i sessions invalidates: %s', async (count, kind) => {
  const { store, sessions, invalidations, ann } = await world()
  const ids = Array.from({ length: count }, (_, at) => String(at))
  vi.spyOn(store, 'deleteSessionsOf').mockResolvedValue(ids)
  await sessions.revokeAllOf(ann.id, () => testEntry)
  expect(invalidations).toEqual(kind === 'all' ? [{ kind }] : ids.map((id) => ({ kind, id })))
})

test.each<[readonly string[] | 'used', 'ended' | 'used', number]>([
  [['s1', 's2'], 'ended', 2],
  [[], 'ended', 0],
  ['used', 'used', 0],
])('[OIDC-4] a logout at the provider that ends %j is %s, and publishes %i sessions', async (ended, result, count) => {
  const { store, sessions, invalidations } = await world()
  vi.spyOn(store, 'endProviderSessions').mockResolvedValue(ended)
  const logout = { issuer: 'https://id.lan', hash: '', subject: 'ann', sid: undefined, expiresAt: 0, now: 0 }
  expect(await sessions.endAtProvider(logout, () => testEntry)).toBe(result)
  expect(invalidations).toHaveLength(count)
})

test('a failed write is retried later and when the service stops', async () => {
  const { store, sessions, written, active } = await world()
  written.mockRejectedValueOnce(new Error('locked'))
  sessions.extend(active, active.expiresAt + day, day)
  await sessions.flush()
  await sessions.stop()
  expect((await store.session(active.session.id))?.expiresAt).toBe(active.expiresAt)
})

test('expired sessions are not listed', async () => {
  const { sessions, ann, pass } = await world()
  expect(await sessions.ofUser(ann.id)).toHaveLength(1)
  pass(day)
  expect(await sessions.ofUser(ann.id)).toEqual([])
})

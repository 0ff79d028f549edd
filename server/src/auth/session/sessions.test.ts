import { expect, test, vi } from 'vitest'
import { testEntry } from '../../shared/test-entry.ts'
import { systemClock } from '../../shared/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { fakeAccountStore } from '../../users/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import { createSessions, type ActiveSession } from './sessions.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
const day = 86_400_000

async function world() {
  let now = 1_800_000_000_000
  const clock = { ...systemClock, now: () => now, elapsed: () => now }
  const store = fakeAccountStore()
  const written = vi.spyOn(store, 'touch')
  const sessions = createSessions({
    store,
    trusted: () => true,
    publish: (fact) => fact.kind === 'session' && sessions.invalidate(fact.id),
    clock,
    random: systemRandom,
    log: quiet,
  })
  const ann = newUser({ name: 'ann', role: 'viewer', hash: '', origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry)
  const begun = { expiresAt: now + day, address: '192.0.2.1', userAgent: 'x'.repeat(1000) }
  const { session } = (await sessions.begin(ann, begun, null)) as ActiveSession
  const live = (await sessions.find(session.id)) as ActiveSession
  return { store, sessions, written, ann, live, now: () => now, pass: (ms: number) => void (now += ms) }
}

test('a session id has 128 random bits, and the user agent is shortened', async () => {
  const { live } = await world()
  expect(live.session.id).toMatch(/^[0-9a-f]{32}$/)
  expect(live.session.userAgent).toHaveLength(256)
})

test('no session starts after the password has changed', async () => {
  const { store, sessions, ann } = await world()
  await store.setPassword('ann', { hash: 'new', at: 0, origin: 'own' }, testEntry)
  expect(await sessions.begin(ann, { expiresAt: 0, address: '', userAgent: '' }, null)).toBeUndefined()
})

test('session activity is written at most once a minute', async () => {
  const { sessions, written, live, pass } = await world()
  for (let i = 0; i < 100; i += 1) {
    pass(500)
    sessions.touch(live)
  }
  await sessions.flush()
  expect(written).not.toHaveBeenCalled()
  pass(10_000)
  sessions.touch(live)
  sessions.touch(live)
  await sessions.flush()
  await sessions.flush()
  expect(written).toHaveBeenCalledTimes(1)
})

test('a later expiry is written immediately if the row would be far behind, otherwise with the rest', async () => {
  const { store, sessions, written, live, now, pass } = await world()
  pass(30_000)
  sessions.extend(live, now() + day, day)
  expect(written).not.toHaveBeenCalled()
  pass(40_000)
  sessions.extend(live, now() + day, day)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
  expect((await store.session(live.session.id))?.expiresAt).toBe(now() + day)
})

test('the row of a short session is never behind by a quarter of its length', async () => {
  const { sessions, written, live } = await world()
  sessions.extend(live, live.expiresAt + 1100, 4000)
  await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1), 20_000)
})

test('activity that is not written yet survives an invalidation of the cache', async () => {
  const { sessions, live } = await world()
  sessions.extend(live, live.expiresAt + 1000, day)
  sessions.invalidate(live.session.id)
  expect(((await sessions.find(live.session.id)) as ActiveSession).expiresAt).toBe(live.expiresAt)
})

test('a failed write is retried later and when the service stops', async () => {
  const { store, sessions, written, live } = await world()
  written.mockRejectedValueOnce(new Error('locked'))
  sessions.extend(live, live.expiresAt + day, day)
  await sessions.flush()
  await sessions.stop()
  expect((await store.session(live.session.id))?.expiresAt).toBe(live.expiresAt)
})

test('expired sessions are not listed', async () => {
  const { sessions, ann, pass } = await world()
  expect(await sessions.ofUser(ann.id)).toHaveLength(1)
  pass(day)
  expect(await sessions.ofUser(ann.id)).toEqual([])
})

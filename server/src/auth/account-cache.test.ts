import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { testSession } from '../../test/support/test-session.ts'
import type { Invalidation } from '../access/invalidation.ts'
import { systemRandom } from '../shared/random.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { fakeAccountStore } from '../../test/support/fake-account-store.ts'
import { newUser } from '../users/new-user.ts'
import { createAccountCache } from './account-cache.ts'
import { createKnownAddresses } from './session/known-addresses.ts'

test.each<[Invalidation, user: boolean, session: boolean]>([
  [{ kind: 'user', key: 'ann' }, true, false],
  [{ kind: 'session', id: 's1' }, false, true],
  [{ kind: 'all' }, true, true],
  [{ kind: 'config' }, false, false],
])('[ROLE-10] %j drops the cached user: %s, the cached session: %s', async (invalidation, dropsUser, dropsSession) => {
  const clock = createTestClock()
  const store = fakeAccountStore()
  const ann = newUser({ name: 'Ann', role: 'viewer', hash: '', origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry, 0)
  const session = testSession('s1', ann, { createdAt: 0, lastSeenAt: 0, expiresAt: 1000 })
  store.rows.sessions.set('s1', session)
  const { users, sessions, invalidate, stop } = createAccountCache({
    store,
    knownAddresses: createKnownAddresses([]),
    isFresh: () => true,
    isClockTrusted: () => true,
    publish: () => undefined,
    clock,
    random: systemRandom,
    log: silent,
  })
  expect(await users.byKey('ann')).toMatchObject({ id: ann.id })
  expect((await sessions.find('s1'))?.session).toMatchObject({ id: 's1', userId: ann.id })
  invalidate(invalidation)
  expect([users.byKey('ann') instanceof Promise, sessions.find('s1') instanceof Promise]).toEqual([
    dropsUser,
    dropsSession,
  ])
  await stop()
  expect(clock.pending()).toBe(0)
})

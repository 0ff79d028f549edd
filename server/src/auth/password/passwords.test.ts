import { availableParallelism } from 'node:os'
import { expect, test, vi } from 'vitest'
import { fakeAccountStore } from '../../../test/support/fake-account-store.ts'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { ServiceError } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { newUser } from '../../users/new-user.ts'
import { derivedLength, type Derivation } from '../../users/password/derive.ts'
import type { User } from '../../users/user.ts'
import { createPasswords } from './passwords.ts'

const cores = availableParallelism()
/** The hash of a password, as {@link derived} derives it. */
const hashOf = (password: string, iterations = 600_000) =>
  `pbkdf2_sha256$${iterations}$salt$${derived({ password }).toString('base64')}`
const derived = ({ password }: Pick<Derivation, 'password'>) => Buffer.alloc(derivedLength, password)

const oldHash = hashOf('right')
const here = '192.0.2.1'
const known = '192.0.2.9'

async function world(isAccepted = true) {
  const clock = createTestClock({ now: 10_500 })
  const store = fakeAccountStore()
  const ann = newUser({ name: 'Ann', role: 'viewer', hash: oldHash, origin: 'own' }, { clock, random: systemRandom })
  await store.addUser(ann, testEntry, 0)
  const permits: string[] = []
  const threads: number[] = []
  const lookups = vi.fn(store.userByKey)
  const derive = vi.fn(async (derivation: Derivation) => derived(derivation))
  const passwords = createPasswords({
    store: { ...store, userByKey: lookups },
    limit: {
      acquire: async (address) => {
        permits.push(`acquire ${address}`)
        return { fail: () => void permits.push('fail'), release: () => void permits.push('release') }
      },
    },
    knownAddresses: { has: (address) => address === known },
    createHashing({ concurrency }) {
      threads.push(concurrency)
      return { derive, stop: async () => undefined }
    },
    isAccepted: () => isAccepted,
    clock,
    random: systemRandom,
    log: silent,
  })
  /** Derivations that wait until they are finished, in the order in which they began. */
  const holdUp = () => {
    const held: { readonly password: string; readonly finish: () => void }[] = []
    derive.mockImplementation(
      (derivation) =>
        new Promise((resolve) => {
          held.push({ password: derivation.password, finish: () => resolve(derived(derivation)) })
        }),
    )
    return held
  }
  return {
    ...passwords,
    ann,
    permits,
    threads,
    lookups,
    derive,
    holdUp,
    stored: async () => (await store.userByKey('ann'))!,
    become: (more: Partial<User>) => void store.rows.users.set('ann', { ...ann, ...more }),
  }
}

const passed = [`acquire ${here}`, 'release']
const counted = [`acquire ${here}`, 'fail', 'release']

test('the right password finds the user, and changes nothing', async () => {
  const { userWith, ann, permits, derive, stored } = await world()
  expect(await userWith('ANN', 'right', here)).toEqual(ann)
  expect(permits).toEqual(passed)
  await new Promise(setImmediate)
  expect(derive).toHaveBeenCalledOnce()
  expect((await stored()).passwordHash).toBe(oldHash)
})

test.each([
  ['a wrong password', 'ann', 'wrong', 'salt'],
  ['an unknown user', 'eve', 'right', 'unknown'],
  ['a text that isn’t a name', 'a:b', 'right', 'unknown'],
])('[RATE-7] %s fails and counts, with one derivation of full length', async (_what, name, password, salt) => {
  const { userWith, permits, derive } = await world()
  expect(await userWith(name, password, here)).toBeUndefined()
  expect(permits).toEqual(counted)
  expect(derive.mock.calls).toEqual([[{ password, salt, iterations: 600_000 }]])
})

test.each<[string, Partial<User>, boolean]>([
  ['is disabled', { disabled: true }, true],
  ['has expired', { expiresAt: 10_500 }, true],
  ['is not accepted by the configuration', {}, false],
])('[GRANT-4] a user who %s is not found, after the password check', async (_what, more, isAccepted) => {
  const { userWith, become, permits, derive } = await world(isAccepted)
  become(more)
  expect(await userWith('ann', 'right', here)).toBeUndefined()
  // The password was right.
  expect([permits, derive.mock.calls.length]).toEqual([passed, 1])
})

test('[OIDC-1] a user of an identity provider has no password', async () => {
  const { userWith, derive, become } = await world()
  become({ provider: { issuer: 'https://id.example', subject: 'ann', recheckAt: 0 } })
  expect(await userWith('ann', 'right', here)).toBeUndefined()
  expect(derive.mock.calls).toMatchObject([[{ salt: 'unknown' }]])
})

test('[USER-3] a hash with too few iterations is replaced, and a failure changes nothing', async () => {
  const { userWith, become, derive, stored } = await world()
  const weak = hashOf('right', 1000)
  become({ passwordHash: weak })
  expect(await userWith('ann', 'wrong', here)).toBeUndefined()
  await new Promise(setImmediate)
  expect((await stored()).passwordHash).toBe(weak)
  for (const _ of ['the check', 'the rest of its length'])
    derive.mockImplementationOnce(async () => derived({ password: 'right' }))
  derive.mockRejectedValueOnce(new ServiceError('unavailable'))
  expect(await userWith('ann', 'right', here)).toBeDefined()
  await new Promise(setImmediate)
  expect((await stored()).passwordHash).toBe(weak)
  expect(await userWith('ann', 'right', here)).toBeDefined()
  await vi.waitFor(async () => expect((await stored()).passwordHash).toMatch(/^pbkdf2_sha256\$600000\$/), 20_000)
})

test.each<[string, boolean, string[]]>([
  ['right', true, passed],
  ['wrong', false, counted],
])('[RATE-2] the current password of a signed-in user: %s is %s', async (password, isRight, permitted) => {
  const { isPasswordOf, ann, permits } = await world()
  expect(await isPasswordOf(ann, password, here)).toBe(isRight)
  expect(permits).toEqual(permitted)
})

test('[RATE-7] a check that cannot run counts as no failure, and makes room for the next one', async () => {
  const { userWith, isPasswordOf, ann, permits, derive } = await world()
  derive.mockRejectedValue(new ServiceError('unavailable'))
  await expect(userWith('ann', 'right', here)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(isPasswordOf(ann, 'right', here)).rejects.toMatchObject({ code: 'unavailable' })
  expect(permits).toEqual([...passed, ...passed])
})

test('[RATE-7] as many passwords are hashed at a time as there are cores', async () => {
  const { hash, holdUp, threads } = await world()
  const held = holdUp()
  for (let nth = 0; nth < cores + 3; nth += 1) void hash('a password of a test')
  await expect.poll(() => held.length).toBe(cores)
  held[0]?.finish()
  await expect.poll(() => held.length).toBe(cores + 1)
  expect(threads).toEqual([cores])
})

test('[RATE-7] the check of a user who is signed in, or at a known address, goes first', async () => {
  const { userWith, isPasswordOf, ann, holdUp } = await world()
  const held = holdUp()
  for (let nth = 0; nth < cores; nth += 1) void userWith('ann', 'before', here)
  await expect.poll(() => held.length).toBe(cores)
  void userWith('ann', 'unknown', here)
  void userWith('ann', 'known', known)
  void isPasswordOf(ann, 'signed in', here)
  for (let nth = 0; nth < 3; nth += 1) {
    held[nth]?.finish()
    await expect.poll(() => held.length).toBe(cores + nth + 1)
  }
  expect(held.slice(cores).map(({ password }) => password)).toEqual(['known', 'signed in', 'unknown'])
})

test('[RATE-7] a login that gets no turn causes no lookup', async () => {
  const { userWith, holdUp, lookups } = await world()
  const held = holdUp()
  for (let nth = 0; nth < cores + 64; nth += 1) void userWith('ann', 'before', here)
  await expect.poll(() => held.length).toBe(cores)
  await expect(userWith('Ann', 'right', here)).rejects.toMatchObject({ code: 'busy' })
  expect(lookups).toHaveBeenCalledTimes(cores)
})

import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import { createLoginLimit, decideLogin, type LoginLimitDeps } from './login-limit.ts'

const second = { count: 1, seconds: 1 }
const minute = { count: 5, seconds: 60 }
const hour = { count: 20, seconds: 3600 }

describe('decideLogin', () => {
  test.each<[number[], number, number, RateLimit[], ReturnType<typeof decideLogin>]>([
    [[], 0, 0, [], 'go'],
    [[0, 1, 2], 99, 3, [], 'go'],
    [[], 0, 0, [second, minute, hour], 'go'],
    [[], 1, 0, [second], 'wait'],
    [[], 1, 0, [minute], 'go'],
    [[], 5, 0, [minute], 'wait'],
    [[0, 0, 0], 2, 10, [minute], 'wait'],
    [[0, 0, 0], 1, 10, [minute], 'go'],
    [[100], 0, 1099, [second], { retryAt: 1100 }],
    [[100], 0, 1100, [second], 'go'],
    [[1, 2, 3, 4, 5], 0, 10, [minute], { retryAt: 60_001 }],
    [[1, 2, 3, 4, 5, 6], 0, 10, [minute], { retryAt: 60_002 }],
    // All limits apply: the one that lasts longest decides when to retry.
    [[1, 2, 3, 4, 5], 0, 10, [second, minute], { retryAt: 60_001 }],
    // A reached limit rejects immediately, although another limit would only wait.
    [[100], 5, 200, [second, minute], { retryAt: 1100 }],
  ])('[RATE-2] failures at %j, %i pending, at %i, limits %j: %j', (failures, checking, now, limits, turn) => {
    expect(decideLogin(failures, checking, now, limits)).toEqual(turn)
  })

  test('[RATE-3] never allows more checks than a limit permits if all of them fail', () => {
    const limit = fc.record({ count: fc.integer({ min: 1, max: 6 }), seconds: fc.constantFrom(1, 60, 3600) })
    const times = fc.array(fc.integer({ min: 0, max: 4_000_000 }), { maxLength: 20 })
    fc.assert(
      fc.property(times, fc.nat(10), fc.array(limit, { maxLength: 3 }), (unsorted, checking, limits) => {
        const failures = unsorted.toSorted((one, other) => one - other)
        const now = failures.at(-1) ?? 0
        const fits = limits.every(
          ({ count, seconds }) => failures.filter((at) => at > now - seconds * 1000).length + checking < count,
        )
        expect(decideLogin(failures, checking, now, limits) === 'go').toBe(fits)
      }),
    )
  })
})

const limiter = (limits: RateLimit[], more: Partial<LoginLimitDeps> = {}) => {
  let now = 0
  const limit = createLoginLimit({ limits: () => limits, clock: { now: () => 0, elapsed: () => now }, ...more })
  /** Runs a check as a login does. */
  const attempt = async (address: string, check: () => Promise<boolean>): Promise<boolean> => {
    const permit = await limit.acquire(address)
    try {
      const isRight = await check()
      if (!isRight) permit.fail()
      return isRight
    } finally {
      permit.release()
    }
  }
  return { attempt, pass: (milliseconds: number) => void (now += milliseconds) }
}
const wrong = () => Promise.resolve(false)
const right = () => Promise.resolve(true)
const slow = () => setImmediate(true)
const tooMany = { code: 'too-many-attempts' }

describe('createLoginLimit', () => {
  test('[RATE-3] 200 concurrent guesses get five checks', async () => {
    const { attempt } = limiter([minute])
    let checks = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        attempt('192.0.2.1', async () => {
          checks += 1
          await setImmediate()
          return false
        }),
      ),
    )
    expect(checks).toBe(5)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(tooMany)
  })

  test('[RATE-2] two right logins in the same second both succeed', async () => {
    const { attempt } = limiter([second])
    expect(await Promise.all([attempt('192.0.2.1', slow), attempt('192.0.2.1', slow)])).toEqual([true, true])
  })

  test('[RATE-2] when the limit is reached, a right password is rejected too until the window has passed', async () => {
    const { attempt, pass } = limiter([minute])
    for (let i = 0; i < 5; i += 1) expect(await attempt('192.0.2.1', wrong)).toBe(false)
    pass(30_000)
    await expect(attempt('192.0.2.1', right)).rejects.toMatchObject({ ...tooMany, retryAfter: 30 })
    pass(30_000)
    expect(await attempt('192.0.2.1', right)).toBe(true)
  })

  test('[RATE-2] a success does not reset the failures', async () => {
    const { attempt } = limiter([{ count: 2, seconds: 60 }])
    await attempt('192.0.2.1', wrong)
    for (let i = 0; i < 10; i += 1) await attempt('192.0.2.1', right)
    await attempt('192.0.2.1', wrong)
    await expect(attempt('192.0.2.1', right)).rejects.toMatchObject(tooMany)
  })

  test('a check that throws does not count', async () => {
    const { attempt } = limiter([second])
    for (let i = 0; i < 3; i += 1) {
      await expect(attempt('192.0.2.1', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
    }
    expect(await attempt('192.0.2.1', right)).toBe(true)
  })

  test('[RATE-2] [RATE-4] any logins from any addresses at any times are limited as the rules say', async () => {
    // Addresses that count together, by what they count as.
    const countedAs: Readonly<Record<string, readonly string[]>> = {
      v4: ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'],
      'another v4': ['192.0.2.2'],
      'a /64': ['2001:db8::1', '2001:db8::ffff:1', '2001:DB8:0:0::2'],
      'the next /64': ['2001:db8:0:1::1'],
    }
    const source = fc.constantFrom(
      ...Object.entries(countedAs).flatMap(([name, addresses]) => addresses.map((address) => ({ name, address }))),
    )
    const limit = fc.record({ count: fc.integer({ min: 1, max: 4 }), seconds: fc.constantFrom(1, 60, 3600) })
    const login = fc.record({
      source,
      isRight: fc.boolean(),
      pause: fc.constantFrom(0, 1, 400, 999, 1000, 1001, 59_000, 60_000, 3_599_999, 3_600_000),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(limit, { maxLength: 3 }),
        fc.array(login, { maxLength: 30 }),
        async (limits, logins) => {
          const { attempt, pass } = limiter(limits)
          const failures: { name: string; at: number }[] = []
          let now = 0
          for (const { source: from, isRight, pause } of logins) {
            now += pause
            pass(pause)
            const blocking = limits.flatMap(({ count, seconds }) => {
              const recent = failures.filter(({ name, at }) => name === from.name && now - at < seconds * 1000)
              return recent.length < count ? [] : [recent.at(-count)!.at + seconds * 1000 - now]
            })
            const attempted = attempt(from.address, isRight ? right : wrong)
            if (blocking.length > 0) {
              const retryAfter = Math.ceil(Math.max(...blocking) / 1000)
              await expect(attempted).rejects.toMatchObject({ ...tooMany, retryAfter })
              continue
            }
            expect(await attempted).toBe(isRight)
            if (!isRight) failures.push({ name: from.name, at: now })
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('[RATE-4] each address is limited separately', async () => {
    const { attempt } = limiter([second])
    await attempt('192.0.2.1', wrong)
    await expect(attempt('::ffff:192.0.2.1', right)).rejects.toMatchObject(tooMany)
    expect(await attempt('192.0.2.2', right)).toBe(true)
  })

  test('[RATE-4] evicting an address takes as many failures from other addresses as are kept', async () => {
    const { attempt, pass } = limiter([second, minute, { count: 1, seconds: 3600 }], { addresses: 3 })
    await attempt('192.0.2.1', wrong)
    pass(1)
    await attempt('192.0.2.2', wrong)
    await attempt('192.0.2.3', wrong)
    await expect(attempt('192.0.2.1', right)).rejects.toMatchObject(tooMany)
    await attempt('192.0.2.4', wrong)
    expect(await attempt('192.0.2.1', right)).toBe(true)
    await expect(attempt('192.0.2.2', right)).rejects.toMatchObject(tooMany)
  })

  test('[RATE-5] without limits nothing is counted', async () => {
    const { attempt } = limiter([])
    for (let i = 0; i < 100; i += 1) expect(await attempt('192.0.2.1', wrong)).toBe(false)
  })

  test('only a limited number of attempts can wait', async () => {
    const { attempt } = limiter([second], { waitingOfOne: 1 })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const one = attempt('192.0.2.1', () => promise)
    const two = attempt('192.0.2.1', right)
    await expect(attempt('192.0.2.1', right)).rejects.toMatchObject({ code: 'busy' })
    resolve(true)
    expect(await Promise.all([one, two])).toEqual([true, true])
  })

  test('only a limited number of attempts of all addresses can wait', async () => {
    const { attempt } = limiter([second], { waitingOfAll: 2 })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const addresses = ['192.0.2.1', '192.0.2.2']
    const first = addresses.map((address) => attempt(address, () => promise))
    const waiting = addresses.map((address) => attempt(address, right))
    await expect(attempt('192.0.2.1', right)).rejects.toMatchObject({ code: 'busy' })
    resolve(true)
    expect(await Promise.all([...first, ...waiting])).toEqual([true, true, true, true])
    // None waits anymore.
    expect(await Promise.all([attempt('192.0.2.1', slow), attempt('192.0.2.1', slow)])).toEqual([true, true])
  })

  test('[RATE-3] what waits is checked one after the other, and so is what arrives later', async () => {
    const { attempt } = limiter([second])
    let checking = 0
    const check = async () => {
      checking += 1
      expect(checking).toBe(1)
      await setImmediate()
      checking -= 1
      return true
    }
    const checks = [1, 2, 3].map(() => attempt('192.0.2.1', check))
    expect(await checks[0]).toBe(true)
    checks.push(attempt('192.0.2.1', check))
    expect(await Promise.all(checks)).toEqual([true, true, true, true])
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', 'not an address'],
])('[RATE-4] %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

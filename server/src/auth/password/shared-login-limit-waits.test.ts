import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import type { FullCount } from './failed-login-store.ts'
import { createSharedLoginLimit } from './shared-login-limit.ts'

const address = '192.0.2.1'
const limit: RateLimit = { count: 1, seconds: 10 }
const tooMany = { code: 'too-many-attempts' }
const busy = { code: 'busy', reason: 'login-queue-full', retryAfter: 5 }

/** An instance whose clock stands still. */
function instance(limits: readonly RateLimit[] = [limit]) {
  const clock = createTestClock()
  const at = {
    reserve: async (): Promise<number | FullCount> => 7,
    reserved: 0,
    settled: [] as unknown[],
    cleaned: 0,
    released: 0,
  }
  const shared = createSharedLoginLimit({
    local: { acquire: async () => ({ fail: () => undefined, release: () => void (at.released += 1) }) },
    store: {
      reserve() {
        at.reserved += 1
        // A loop that does not wait has to end, so that its test fails.
        return at.reserved > 200 ? Promise.resolve(7) : at.reserve()
      },
      settle: async (...settled) => void at.settled.push(settled),
      clean: async () => void (at.cleaned += 1),
    },
    limits: () => limits,
    clock,
    log: silent,
  })
  return { ...shared, clock, at }
}

/** A check at another instance is in the way. */
const inTheWay = async (): Promise<FullCount> => ({ failures: [], checking: 1, now: 0 })
const lost = () => Promise.reject(new Error('the database is unavailable'))

test('[NODE-4] an address is rejected without the database until its wait is over, and not longer', async () => {
  const { acquire, clock, at } = instance()
  // The other clock is at 4 seconds, and the failure was 3 seconds ago.
  at.reserve = async () => ({ failures: [1000], checking: 0, now: 4000 })
  await expect(acquire(address)).rejects.toMatchObject({ ...tooMany, retryAfter: 7 })
  await clock.advance(6999)
  await expect(acquire(address)).rejects.toMatchObject({ ...tooMany, retryAfter: 1 })
  expect(at.reserved).toBe(1)
  await clock.advance(1)
  at.reserve = async () => 7
  await acquire(address)
  expect(at.reserved).toBe(2)
})

test('[NODE-4] an attempt looks every 50 milliseconds, for five seconds, whether a check in its way has ended', async () => {
  const { acquire, clock, at } = instance()
  at.reserve = inTheWay
  const ended = acquire(address).catch((error: unknown) => error)
  await clock.advance(49)
  expect(at.reserved).toBe(1)
  await clock.advance(1)
  expect(at.reserved).toBe(2)
  await clock.advance(4949)
  expect([at.reserved, at.released]).toEqual([100, 0])
  await clock.advance(1)
  expect([await ended, at.reserved, at.released]).toMatchObject([busy, 101, 1])
})

test('[NODE-4] an attempt that waits goes on once the place is free', async () => {
  const { acquire, clock, at } = instance()
  at.reserve = inTheWay
  const waiting = acquire(address)
  await clock.advance(49)
  at.reserve = async () => 8
  await clock.advance(1)
  const permit = await waiting
  permit.fail()
  permit.release()
  await setImmediate()
  expect([at.settled, at.released]).toEqual([[[address, 8, true]], 1])
})

test('no attempt waits for others once the service stops, and no cleanup is left', async () => {
  const { acquire, stop, clock, at } = instance()
  await acquire(address)
  expect(clock.pending()).toBe(1)
  at.reserve = inTheWay
  const waiting = acquire(address).catch((error: unknown) => error)
  await clock.advance(50)
  stop()
  expect(await waiting).toMatchObject(busy)
  expect(clock.pending()).toBe(0)
})

test('[NODE-4] what counts no longer is deleted at most once a minute', async () => {
  const { acquire, clock, at } = instance()
  for (const cleaned of [1, 2]) {
    await acquire(address)
    await acquire(address)
    await clock.advance(59_999)
    expect(at.cleaned).toBe(cleaned - 1)
    await clock.advance(1)
    expect(at.cleaned).toBe(cleaned)
  }
  await clock.advance(60_000)
  expect(at.cleaned).toBe(2)
})

test.each<[string, readonly RateLimit[], () => Promise<number>, number]>([
  ['without a limit', [], async () => 7, 0],
  ['without the database', [limit], lost, 1],
])('[NODE-4] %s, nothing is written', async (_what, limits, reserve, reserved) => {
  const { acquire, at } = instance(limits)
  at.reserve = reserve
  const permit = await acquire(address)
  permit.fail()
  permit.release()
  await setImmediate()
  expect(at).toMatchObject({ reserved, settled: [], released: 1 })
})

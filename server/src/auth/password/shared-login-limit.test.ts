import { sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresEngines, type TestDatabase } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Store } from '../../store/store.ts'
import { failedLoginStore } from './failed-login-store.sql.ts'
import type { FailedLoginStore } from './failed-login-store.ts'
import { createLoginLimit } from './login-limit.ts'
import { createSharedLoginLimit } from './shared-login-limit.ts'

const second = { count: 1, seconds: 1 }
const minute = { count: 5, seconds: 60 }
const hour = { count: 20, seconds: 3600 }
const address = '192.0.2.1'
const tooMany = { code: 'too-many-attempts' }

/** One of several instances. */
function instance(store: FailedLoginStore, limits: readonly RateLimit[]) {
  const clock = createTestClock({ now: Date.now(), runs: true })
  const active = { limits }
  const limitsNow = () => active.limits
  const local = createLoginLimit({ limits: limitsNow, clock })
  const limit = createSharedLoginLimit({ local, store, limits: limitsNow, clock, log: silent })
  let checks = 0
  /** Runs a check as a login does. */
  const attempt = async (isRight: boolean, from = address): Promise<number> => {
    const permit = await limit.acquire(from)
    checks += 1
    await setImmediate()
    if (!isRight) permit.fail()
    permit.release()
    return checks
  }
  return {
    limit,
    attempt,
    checks: () => checks,
    setLimits: (next: readonly RateLimit[]) => void (active.limits = next),
    clock,
  }
}

describe.each(postgresEngines)('failed logins on $name', ({ create }) => {
  let database: TestDatabase
  let stores: readonly Store[]
  beforeEach(async () => {
    database = await create()
    stores = [await database.open(), await database.open()]
  })
  afterEach(() => database.remove())

  const two = (one: readonly RateLimit[], other = one) => {
    const [first, second] = stores.map((store) => failedLoginStore(store))
    return [instance(first!, one), instance(second!, other)] as const
  }
  const rows = () =>
    sql<{ address: string; failures: number; checking: number }>`
      select address, cardinality(failures) as failures, cardinality(checking) as checking from failed_login order by 1`
      .execute(stores[0]!.db)
      .then((found) => found.rows)
  const settled = () => expect.poll(async () => (await rows()).some((row) => row.checking > 0)).toBe(false)
  /** Moves all that was counted into the past. */
  const pass = (milliseconds: number) =>
    sql`update failed_login set failures = array(select t - ${milliseconds}::bigint from unnest(failures) t),
      checking = array(select t - ${milliseconds}::bigint from unnest(checking) t),
      ends_at = ends_at - ${milliseconds}::bigint`.execute(stores[0]!.db)

  test('[NODE-4] [RATE-3] parallel guesses at two instances get five checks together', async () => {
    const [one, other] = two([minute])
    const guesses = Array.from({ length: 60 }, (_, nth) => (nth % 2 === 0 ? one : other).attempt(false))
    const ended = await Promise.allSettled(guesses)
    expect(one.checks() + other.checks()).toBe(5)
    for (const each of ended) if (each.status === 'rejected') expect(each.reason).toMatchObject(tooMany)
    await settled()
    expect(await rows()).toEqual([{ address, failures: 5, checking: 0 }])
  })

  test('[NODE-4] a failure at one instance counts at the other until its window has passed', async () => {
    const [one, other] = two([minute, hour])
    for (const each of [one, other, one, other, one]) await each.attempt(false)
    for (const each of [one, other]) {
      const refused: unknown = await each.attempt(true).catch((error: unknown) => error)
      expect(refused).toMatchObject(tooMany)
      expect((refused as ServiceError).retryAfter).toBeGreaterThan(50)
    }
    await settled()
    await pass(60_000)
    for (const each of [one, other]) await each.clock.advance(60_000)
    await other.attempt(false)
    await one.attempt(true)
  })

  test('[NODE-4] [RATE-2] a success gives its place back and resets nothing', async () => {
    const [one, other] = two([{ count: 2, seconds: 3600 }])
    await one.attempt(false)
    for (let nth = 0; nth < 5; nth += 1) await other.attempt(true)
    await other.attempt(false)
    await expect(one.attempt(true)).rejects.toMatchObject(tooMany)
  })

  test('[NODE-4] [RATE-2] two right logins in the same second at two instances both succeed', async () => {
    const [one, other] = two([second])
    await Promise.all([one.attempt(true), other.attempt(true)])
    expect([one.checks(), other.checks()]).toEqual([1, 1])
  })

  test('[NODE-4] an attempt waits for a check at another instance, and is rejected if that fails', async () => {
    const [one, other] = two([{ count: 1, seconds: 60 }])
    const permit = await one.limit.acquire(address)
    const waiting = other.attempt(true)
    await setImmediate()
    permit.fail()
    permit.release()
    await expect(waiting).rejects.toMatchObject(tooMany)
    expect(other.checks()).toBe(0)
  })

  test('[NODE-4] a check that its instance never ended counts as a failure after 30 seconds', async () => {
    const [one, other] = two([{ count: 1, seconds: 60 }])
    await one.limit.acquire(address)
    const busy = expect(other.attempt(true)).rejects.toMatchObject({ code: 'busy' })
    await other.clock.advance(10_000)
    await busy
    await pass(31_000)
    const refused: unknown = await other.attempt(true).catch((error: unknown) => error)
    expect(refused).toMatchObject(tooMany)
    expect((refused as ServiceError).retryAfter).toBeLessThan(30)
  })

  test('[NODE-4] [RATE-4] addresses count apart, IPv6 by its /64', async () => {
    const [one, other] = two([second])
    await one.attempt(false, '2001:db8::1')
    await one.attempt(false, '::ffff:192.0.2.9')
    await expect(other.attempt(true, '2001:db8::ffff:2')).rejects.toMatchObject(tooMany)
    await expect(other.attempt(true, '192.0.2.9')).rejects.toMatchObject(tooMany)
    await other.attempt(true, '2001:db8:0:1::1')
    await other.attempt(true, '192.0.2.10')
    expect((await rows()).map((row) => row.address)).toEqual([
      '192.0.2.10',
      '192.0.2.9',
      '2001:db8:0:0::/64',
      '2001:db8:0:1::/64',
    ])
  })

  test('[NODE-4] instances with different limits each apply their own to all failures', async () => {
    const [strict, loose] = two([second], [{ count: 3, seconds: 3600 }])
    await loose.attempt(false)
    await expect(strict.attempt(true)).rejects.toMatchObject(tooMany)
    for (let nth = 0; nth < 2; nth += 1) {
      await settled()
      await pass(1001)
      await strict.clock.advance(1001)
      await strict.attempt(false)
    }
    await settled()
    await pass(1001)
    await strict.clock.advance(1001)
    // The strict one has kept what only the loose one counts.
    await expect(loose.attempt(true)).rejects.toMatchObject(tooMany)
    await strict.attempt(true)
  })

  test('[NODE-4] without a limit nothing is written; a changed limit applies at once', async () => {
    const [one, other] = two([])
    for (let nth = 0; nth < 3; nth += 1) await one.attempt(false)
    expect(await rows()).toEqual([])
    one.setLimits([second])
    other.setLimits([{ count: 1, seconds: 3600 }])
    await one.attempt(false)
    await expect(other.attempt(true)).rejects.toMatchObject(tooMany)
    other.setLimits([{ count: 2, seconds: 3600 }])
    await other.attempt(true)
  })

  test('[NODE-4] an address that another instance has rejected causes no more statements', async () => {
    const hour = { count: 1, seconds: 3600 }
    const [one] = two([hour])
    await one.attempt(false)
    // Until then, the other instance waits for that check, and looks again.
    await settled()
    let reserved = 0
    const counting: FailedLoginStore = {
      ...failedLoginStore(stores[1]!),
      reserve(...of) {
        reserved += 1
        return failedLoginStore(stores[1]!).reserve(...of)
      },
    }
    const other = instance(counting, [hour])
    for (let nth = 0; nth < 20; nth += 1) await expect(other.attempt(true)).rejects.toMatchObject(tooMany)
    expect(reserved).toBe(1)
  })

  test('[NODE-4] what counts no longer is deleted', async () => {
    const [one] = two([minute])
    await one.attempt(false, '192.0.2.1')
    await settled()
    await pass(60_000)
    await one.attempt(false, '192.0.2.2')
    await one.attempt(true, '192.0.2.3')
    await expect.poll(async () => (await rows()).at(-1)?.checking).toBe(0)
    await one.clock.advance(60_000)
    await expect.poll(async () => (await rows()).map((row) => row.address)).toEqual(['192.0.2.2'])
  })
})

const away = () => Promise.reject(new ServiceError('unavailable', { reason: 'database-unavailable' }))

test('[NODE-4] while the database is unavailable, each instance limits by its own count', async () => {
  const alone = instance({ reserve: away, settle: away, clean: away }, [minute])
  for (let nth = 0; nth < 5; nth += 1) await alone.attempt(false)
  await expect(alone.attempt(true)).rejects.toMatchObject(tooMany)
})

test('[NODE-4] a failure during an outage still counts at its instance, and a place that cannot be given back does not stop it', async () => {
  const cut = instance({ reserve: () => Promise.resolve(1), settle: away, clean: away }, [{ count: 2, seconds: 60 }])
  for (let nth = 0; nth < 5; nth += 1) await cut.attempt(true)
  await cut.attempt(false)
  await cut.attempt(false)
  await expect(cut.attempt(true)).rejects.toMatchObject(tooMany)
})

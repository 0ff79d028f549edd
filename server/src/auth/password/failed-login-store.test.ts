import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresEngines, type TestDatabase } from '../../../test/support/engines.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import type { Store } from '../../store/store.ts'
import { failedLoginStore, fullCount } from './failed-login-store.sql.ts'

const now = 1_700_000_000_000
const address = '192.0.2.1'
const second = { count: 1, seconds: 1 }

test.each<[string, number[] | null, number[] | null, number[], number]>([
  ['no row yet', null, null, [], 0],
  ['failures, and checks that are underway', [now - 2, now - 1], [now - 29_999, now], [now - 2, now - 1], 2],
  ['a check that began 30 seconds ago', [], [now - 30_000, now], [now - 30_000], 1],
  ['a failure after such a check', [now - 1], [now - 30_001], [now - 30_001, now - 1], 0],
])('[NODE-4] of %s, the failures are %j', (_what, failed, began, failures, checking) => {
  expect(fullCount({ failures: failed, checking: began, now })).toEqual({ failures, checking, now })
})

describe.each(postgresEngines)('failed logins on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await create()
    store = await database.open()
  })
  afterEach(() => database.remove())

  /** Moves all that was counted into the past. */
  const pass = (milliseconds: number) =>
    sql`update failed_login set failures = array(select t - ${milliseconds}::bigint from unnest(failures) t),
      checking = array(select t - ${milliseconds}::bigint from unnest(checking) t),
      ends_at = ends_at - ${milliseconds}::bigint`.execute(store.db)
  const rows = async () => (await store.db.selectFrom('failed_login').select('failures').execute()).length

  test.each<[string, RateLimit[]]>([
    ['the longer and larger limit last', [second, { count: 3, seconds: 3600 }]],
    ['the longer and larger limit first', [{ count: 3, seconds: 3600 }, second]],
  ])('[NODE-4] [RATE-1] all limits apply to what is kept, with %s', async (_order, limits) => {
    const { reserve, settle } = failedLoginStore(store)
    for (let nth = 0; nth < 3; nth += 1) {
      const place = await reserve(address, limits)
      expect(place).toBeTypeOf('number')
      await settle(address, Number(place), true)
      await pass(1001)
    }
    expect(await reserve(address, limits)).toMatchObject({ checking: 0, failures: { length: 3 } })
  })

  test.each<[string, RateLimit, boolean]>([
    ['a check is underway, longer than the limit', second, false],
    ['a failure counts, longer than a check can last', { count: 1, seconds: 60 }, true],
  ])('[NODE-4] an address is kept as long as %s', async (_what, limit, failed) => {
    const { reserve, settle, clean } = failedLoginStore(store)
    const place = await reserve(address, [limit])
    if (failed) await settle(address, Number(place), true)
    await pass(failed ? 31_000 : 1001)
    await clean()
    expect(await rows()).toBe(1)
    await pass(30_000)
    await clean()
    expect(await rows()).toBe(0)
  })
})

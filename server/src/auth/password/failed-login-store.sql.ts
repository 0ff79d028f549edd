import { sql, type RawBuilder } from 'kysely'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import type { Store } from '../../store/store.ts'
import type { FailedLoginStore, FullCount } from './failed-login-store.ts'

/** Milliseconds after which a check that was never settled counts as a failure: its instance was killed. */
const longestCheck = 30_000

/** Max addresses kept. To evict its own, an attacker needs failures from as many other networks. */
const addresses = 50_000

/** Every time is one of the database's clock, because the clocks of the instances may differ. */
const now: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Of a row that was added after the statement began, it has no times. */
interface Row {
  readonly failures: readonly number[] | null
  readonly checking: readonly number[] | null
  readonly now: number
}

interface Found extends Row {
  readonly place: number | null
}

/** Failed logins in PostgreSQL: one row per address, whose lock lets one instance after the other decide. */
export const failedLoginStore = ({ db }: Pick<Store, 'db'>): FailedLoginStore => ({
  async reserve(address, limits) {
    const { rows } = await reserving(address, limits).execute(db)
    const found = rows[0]
    if (!found) throw new Error('unreachable: the statement has one row')
    return found.place ?? fullCount(found)
  },

  async settle(address, place, failed) {
    await sql`update failed_login set
      checking = array_remove(checking, ${place}::bigint),
      failures = ${failed ? sql`array[${place}::bigint] || failures` : sql`failures`}
      where address = ${address}`.execute(db)
  },

  async clean() {
    await sql`delete from failed_login
      where ends_at <= ${now} or (cardinality(failures) = 0 and cardinality(checking) = 0)
      or address in (select address from failed_login order by ends_at desc offset ${sql.lit(addresses)})`.execute(db)
  },
})

/** A check that was never settled is a failure. */
export function fullCount({ failures, checking, now: at }: Row): FullCount {
  const began = checking ?? []
  const abandoned = began.filter((each) => each <= at - longestCheck)
  return {
    failures: [...(failures ?? []), ...abandoned].toSorted((one, other) => one - other),
    checking: began.length - abandoned.length,
    now: at,
  }
}

/** The times of a row that an instance still needs, latest first. */
const kept = (times: RawBuilder<unknown>, atLeast: number) =>
  sql`(select t from unnest(${times}) t
    where t > excluded.checking[1] - greatest(f.longest_window, excluded.longest_window, ${sql.lit(atLeast)})
    order by t desc limit greatest(f.largest_count, excluded.largest_count))`

/** The number of times in a window, milliseconds. */
const counted = (times: RawBuilder<unknown>, window: number) =>
  sql`(select count(*) from unnest(${times}) t where t > excluded.checking[1] - ${window}::bigint)`

/**
 * One statement. `excluded` is the new attempt, at `excluded.checking[1]`. A denied attempt changes nothing, and gets the
 * row as it was when the statement began.
 */
function reserving(address: string, limits: readonly RateLimit[]) {
  const windows = limits.map(({ seconds }) => seconds * 1000)
  const longest = Math.max(...windows)
  const largest = Math.max(...limits.map(({ count }) => count))
  const fits = limits.map(
    ({ count }, nth) =>
      sql`${counted(sql`f.failures`, windows[nth]!)}
        + ${counted(sql`f.checking`, Math.max(windows[nth]!, longestCheck))} < ${count}::bigint`,
  )
  return sql<Found>`with time as materialized (select ${now} as now), reserved as (
    insert into failed_login as f (address, failures, checking, longest_window, largest_count, ends_at)
    select ${address}::text, '{}'::bigint[], array[now], ${longest}::bigint, ${largest}::integer,
      now + ${Math.max(longest, longestCheck)}::bigint from time
    on conflict (address) do update set
      failures = array${kept(sql`f.failures`, 0)},
      checking = array${kept(sql`f.checking`, longestCheck)} || greatest(
        excluded.checking[1], (select max(t) + 1 from unnest(f.failures || f.checking) t)),
      longest_window = greatest(f.longest_window, excluded.longest_window),
      largest_count = greatest(f.largest_count, excluded.largest_count),
      ends_at = greatest(f.ends_at, excluded.ends_at)
    where ${sql.join(fits, sql` and `)}
    returning checking[cardinality(checking)] as place)
    select (select place from reserved) as place, to_json(failures) as failures, to_json(checking) as checking, now
    from time left join failed_login on address = ${address}::text`
}

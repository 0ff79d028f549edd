import { sql } from 'kysely'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../server/src/store/open.ts'
import type { Store } from '../server/src/store/store.ts'
import { postgresPrograms, startPostgres } from '../server/test/support/postgres-server.ts'
import { alternating, median, ratioOf, type Bench, type BenchDeps, type Figure } from './figure.ts'
import { createSandbox, quietCameras, startService } from './service.ts'

const rows = 1_000_000
const day = 86_400_000
const span = { days: 365, shown: 31 }
const names = Array.from({ length: 16 }, (_, each) => `camera${each}`)
const page = (more: string): string => `/api/review?limit=50${more}`
const log = { debug() {}, info() {}, warn: console.error, error: console.error, enabled: () => false }

/** Measures lists and counts of a million review items over a year, all seen except those of the last week. */
export const review: Bench = {
  name: 'review',
  async run(parts) {
    const figures = await measured('SQLite', 'sqlite', parts)
    if (!postgresPrograms) return figures
    const server = await startPostgres(postgresPrograms)
    try {
      return [...figures, ...(await measured('PostgreSQL', server.url, parts))]
    } finally {
      server.remove()
    }
  },
}

async function measured(engine: string, url: string, { quick, scratch, print }: BenchDeps): Promise<Figure[]> {
  const sandbox = await createSandbox(join(scratch, engine), {
    cameras: quietCameras(names),
    auth: { roles: { guard: names.slice(0, 2) } },
    database: { url },
    review: { retain_days: 1000 },
  })
  mkdirSync(sandbox.mediaDir, { recursive: true })
  const service = await startService(sandbox, 'any')
  const headers = { viewer: await service.user('erin', 'viewer'), guard: await service.user('gil', 'guard') }
  const store = await openStore({ url, configDir: sandbox.configDir, log })
  try {
    print(`review: filling ${engine} …`)
    const volume = readFileSync(join(sandbox.mediaDir, 'recordings/.library'), 'utf8').trim()
    const now = Date.now()
    await fill(store, volume, now)
    const rounds = quick ? 5 : 30
    const ask = async (path: string, who: keyof typeof headers = 'viewer') => {
      const began = performance.now()
      const response = await fetch(`http://127.0.0.1:${service.gatePort}${path}`, { headers: headers[who] })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return performance.now() - began
    }
    const bare = async (query: ReturnType<typeof sql>) => {
      const began = performance.now()
      await query.execute(store.db)
      return performance.now() - began
    }
    const compare = async (what: string, max: number, ours: () => Promise<number>, peer: () => Promise<number>) => {
      await ours()
      await peer()
      const turns = await alternating(rounds, ours, peer)
      const { ratio, spread } = ratioOf(turns.ours, turns.peer)
      const middle = median(turns.ours)
      return {
        what: `${engine}: ${what} (±${(spread / 2).toFixed(2)})`,
        ours: `${middle.toFixed(1)} ms`,
        peer: `${median(turns.peer).toFixed(1)} ms`,
        ratio,
        target: `< ${max} ms`,
        met: middle < max,
      } satisfies Figure
    }

    const newest = (cameras: readonly string[], before = now + day) =>
      sql`select * from review_item where volume = ${volume} and camera in (${sql.join(cameras)})
          and severity in ('alert', 'detection') and start >= ${before - 3 * day} and start < ${before}
          order by start desc, id desc limit 50`
    const counted = (after: number) =>
      sql`select camera, severity, start / 86400000, count(*) from review_item where volume = ${volume}
          and camera in (${sql.join(names)}) and severity in ('alert', 'detection') and start >= ${after}
          group by camera, severity, start / 86400000`
    const halfway = now - (span.days / 2) * day
    const summary = (days: number) => `/api/review/summary?after=${(now - days * day) / 1000}&timezone=Europe/Berlin`
    return [
      await compare(
        'newest 50 of 16 cameras',
        20,
        () => ask(page('')),
        () => bare(newest(names)),
      ),
      await compare(
        'newest 50 of 2 cameras, by a custom role',
        20,
        () => ask(page(''), 'guard'),
        () => bare(newest(names.slice(0, 2))),
      ),
      await compare(
        '50 from half a year ago',
        20,
        () => ask(page(`&before=${halfway / 1000}`)),
        () => bare(newest(names, halfway)),
      ),
      await compare(
        'newest 50 unseen',
        40,
        () => ask(page('&seen=false')),
        () => bare(newest(names)),
      ),
      await compare(
        'counts of a day, with unseen ones',
        20,
        () => ask(summary(1)),
        () => bare(counted(now - day)),
      ),
      await compare(
        'counts of a month, with unseen ones',
        250,
        () => ask(summary(span.shown)),
        () => bare(counted(now - span.shown * day)),
      ),
    ]
  } finally {
    await store.close()
    await service.stop()
  }
}

/** Rows per insert: the service's database timeout applies here too. */
const batch = 10_000

async function fill({ db, engine }: Store, volume: string, now: number): Promise<void> {
  const step = Math.floor((span.days * day) / rows)
  const begin = now - step * rows
  for (let from = 0; from < rows; from += batch) {
    const [first, last] = [begin + from * step, begin + (from + batch) * step]
    const start = sql`cast(${first} as bigint) + n * ${sql.lit(step)}`
    const [id, numbers] =
      engine === 'sqlite'
        ? [
            sql`printf('%012x', ${start}) || lower(hex(randomblob(10)))`,
            sql`(with recursive c(n) as (select 0 union all select n + 1 from c where n < ${sql.lit(batch - 1)}) select n from c)`,
          ]
        : [
            sql`lpad(to_hex(${start}), 12, '0') || left(md5(random()::text), 20)`,
            sql`(select generate_series(0, ${sql.lit(batch - 1)}) as n)`,
          ]
    await sql`insert into review_item (id, volume, camera, severity, start, "end", open, motion)
      select ${id}, ${volume}, 'camera' || (n % 16), case when n % 5 = 0 then 'alert' else 'detection' end,
      ${start}, ${start} + 15000, 0, 5 from ${numbers} as numbers`.execute(db)
    await sql`insert into review_seen (auth_method, user_key, user_id, volume, camera, severity, start, item)
      select 'password', 'erin', (select id from "user" where key = 'erin'), volume, camera, severity, start, id
      from review_item where volume = ${volume} and camera in (${sql.join(names)})
      and severity in ('alert', 'detection') and start >= ${first} and start < ${Math.min(last, now - 7 * day)}`.execute(
      db,
    )
  }
  if (engine === 'sqlite') await sql`analyze`.execute(db)
  else for (const table of ['review_item', 'review_seen']) await sql`analyze ${sql.table(table)}`.execute(db)
}

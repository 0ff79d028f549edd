import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../src/store/open.ts'
import { clientOptions, postgresListenConnection } from '../src/store/postgres/dialect.ts'
import { stopAll } from './support/cleanups.ts'
import { lineTo } from './support/database-line.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { silent } from './support/null-log.ts'
import { within } from './support/own-time.ts'
import { askPostgres, postgresPrograms, startPostgres, type PostgresServer } from './support/postgres-server.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type Reply, type TestClient } from './support/test-client.ts'

const eventually = { timeout: 30_000, interval: 50 }

const instance = (url: string): Promise<InProcessService> =>
  startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null }, database: { url } },
    env: { SERVICE_JWT_SECRET },
  })

describe.skipIf(postgresPrograms === undefined)('a failover of PostgreSQL', () => {
  let primary: PostgresServer
  let elsewhere: InProcessService

  beforeAll(async () => {
    primary = await startPostgres(postgresPrograms!)
    elsewhere = await instance(primary.url)
  })
  afterAll(async () => {
    await stopAll()
    primary.remove()
  })

  /** A standby that has everything that was committed until now, and later changes only if it isn't delayed. */
  const startStandby = async (settings = ''): Promise<PostgresServer & AsyncDisposable> => {
    const standby = await startPostgres(postgresPrograms!, { standbyOf: primary.url, settings })
    return { ...standby, [Symbol.asyncDispose]: () => Promise.resolve(standby.remove()) }
  }

  test('that led to a standby for a moment: nothing was read from the standby, and the database is writable again', async () => {
    await using standby = await startStandby()
    const line = await lineTo(primary.url)
    const store = await openStore({ url: line.url, configDir: '', log: silent })
    onTestFinished(() => store.close())
    store.ready()
    line.leadTo(standby.url)
    line.cut()
    const read = () => store.db.selectFrom('meta').select('key').execute()
    // As many as there are connections.
    const reads = await Promise.allSettled(Array.from({ length: 10 }, read))
    line.leadTo(primary.url)
    // More often than an unused connection ends.
    await expect.poll(() => store.healthy(), eventually).toBe(true)
    expect(reads.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
    await store.db.insertInto('meta').values({ key: 'after', value: '' }).execute()
  })

  test('that leads to a standby: no attempt to LISTEN leaves a connection open', async () => {
    await using standby = await startStandby()
    const open = postgresListenConnection(clientOptions(standby.url))
    const attempt = () =>
      open(
        'gatehouse',
        () => undefined,
        () => undefined,
      )
    for (let nth = 0; nth < 3; nth += 1) await expect(attempt()).rejects.toThrow()
    const ours = `select 1 from pg_stat_activity where application_name = 'gatehouse'`
    await expect.poll(() => askPostgres(standby.url, ours), eventually).toEqual([])
  })

  test('[ROLE-10] that led to a standby for a moment: a revocation elsewhere takes effect although the standby lacks it', async () => {
    await elsewhere.user('ann')
    await using standby = await startStandby('-c recovery_min_apply_delay=1h')
    const line = await lineTo(primary.url)
    const service = await instance(line.url)
    const ann = service.gate.with((await elsewhere.user('ann')).headers)
    expect(await statusOf(ann)).toBe(200)
    line.leadTo(standby.url)
    line.cut()
    await service.printed(/LISTEN connection lost/)
    await Promise.all(Array.from({ length: 10 }, () => statusOf(ann)))
    line.leadTo(primary.url)
    await service.printed(/LISTEN connection restored/)
    await expect.poll(() => statusOf(ann), eventually).toBe(200)
    expect((await elsewhere.internal.delete('/api/sessions?user=ann')).status).toBe(204)
    await within(1000, async () => expect(await statusOf(ann)).toBe(401))
  })

  test('[ROLE-10] [NODE-1] to a standby that lacks the last changes: all instances undo them, and the next version with the number of a lost one applies to all within a second', async () => {
    await using standby = await startStandby()
    const lines = [await lineTo(primary.url), await lineTo(primary.url)]
    const [one, other] = [await instance(lines[0]!.url), await instance(lines[1]!.url)]
    const setRole = async (cameras: string[]) =>
      expect((await one.internal.put('/api/roles/guard', { cameras })).status).toBeLessThan(300)
    await setRole(['yard'])
    const gus = await one.user('gus', 'guard')
    const both = [one, other]
    await expect.poll(() => camerasAt(both, gus), eventually).toEqual([['yard'], ['yard']])
    // Everything until now is on the standby, and nothing from now on.
    const written = await at(primary, 'pg_current_wal_lsn()')
    await expect.poll(() => at(standby, `pg_last_wal_replay_lsn() >= '${String(written)}'`), eventually).toBe(true)
    await askPostgres(standby.url, `alter system set primary_conninfo = ''`)
    await askPostgres(standby.url, 'select pg_reload_conf()')
    await expect.poll(() => askPostgres(standby.url, 'select 1 from pg_stat_wal_receiver'), eventually).toEqual([])

    await setRole(['yard', 'office'])
    const ann = await one.user('ann-who-is-lost')
    await expect
      .poll(() => camerasAt(both, gus), eventually)
      .toEqual([
        ['office', 'yard'],
        ['office', 'yard'],
      ])
    await askPostgres(standby.url, 'select pg_promote()')
    for (const line of lines) {
      line.leadTo(standby.url)
      line.cut()
    }
    await expect.poll(() => camerasAt(both, gus), eventually).toEqual([['yard'], ['yard']])
    expect(await statusOf(other.gate.with(ann.headers))).toBe(401)
    await Promise.all(both.map((each) => each.printed(/LISTEN connection restored/)))
    await setRole(['door'])
    await within(1000, async () => expect(await camerasAt(both, gus)).toEqual([['door'], ['door']]))
  })
})

const allowedIn = ({ json }: Reply) => (json as { allowed_cameras?: string[] } | undefined)?.allowed_cameras?.toSorted()

/** The cameras that a user sees at each instance. */
const camerasAt = async (gates: InProcessService[], { headers }: TestClient) =>
  Promise.all(gates.map(async ({ gate }) => allowedIn(await gate.with(headers).get('/api/profile'))))

/** A position in the log of a server, or a comparison with one. */
const at = async ({ url }: PostgresServer, position: string) =>
  (await askPostgres(url, `select ${position} as at`))[0]?.['at']

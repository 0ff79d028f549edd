import { afterAll, describe, expect, test } from 'vitest'
import { version } from '../src/shared/package.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster } from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { within } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { failedRestart } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'

const soon = { timeout: 120_000, interval: 50 }
const notRecorded = { record: { enabled: false }, motion: { enabled: false } }

/** What the migrations of a newer version may do while this one runs: add tables, and columns with a default. */
const newerTables = `
  insert into migration (name, done_at) values ('9999-of-a-newer-version', 0);
  insert into meta (key, value) values ('migrated_by', '9.9.9') on conflict (key) do update set value = '9.9.9';
  create table of_a_newer_version (id integer);
  alter table "user" add column newer text not null default 'a';
  alter table session add column newer text not null default 'a';
  alter table audit add column newer text not null default 'a';
  alter table recording add column newer text not null default 'a';
  alter table camera_lease add column newer text not null default 'a';
  alter table camera add column newer text not null default 'a';
  alter table config_version add column newer text not null default 'a';
  alter table instance add column newer text not null default 'a'`

/** An instance of that version, which has a job that this version doesn't know, and the lease of a camera. */
const newerInstance = `
  insert into instance (id, name, started_at, seen_at, roles, address, jobs, labels, version, volume, load)
    select 'newer', 'newer', now, now + 3600000, '[]', 'https://127.0.0.1:1', '["gate","recorder","analyst"]', '[]',
      '9.9.9', 'of newer', '{"cpu_percent":1,"memory_bytes":1,"disk_free_bytes":null,"gpu_percent":1,"protocol":2}'
    from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now) as clock;
  update camera_lease set instance = 'newer', epoch = epoch + 1, valid_until = valid_until + 3600000 where camera = 'door'`

describe.skipIf(!canCluster)('instances while one after the other is updated', () => {
  afterAll(stopAll)

  test('[OPS-2] [NODE-1] [NODE-2] an instance goes on after a newer one migrated the database: requests, changes, leases and the list of instances; it can’t be started again', async () => {
    const cameras = {
      ...quietCameras,
      ...Object.fromEntries(['yard', 'door'].map((name) => [name, { source: `demo:${name}`, ...notRecorded }])),
    }
    const config = { cameras, auth: { roles: { guard: ['yard'] }, failed_login_rate_limit: null } }
    const cluster = await startCluster({ count: 2, config })
    const [one, other] = cluster.instances.map(({ service }) => service)
    const gill = await one!.user('gill', 'guard')
    await expect.poll(async () => Object.keys(await cluster.owners()).sort(), soon).toEqual(['door', 'yard'])
    for (const statement of [...newerTables.split(';'), ...newerInstance.split(';')]) await cluster.ask(statement)

    await expect
      .poll(async () => (await listInstances(one!)).map((each) => [each.name, each.version]), soon)
      .toEqual([
        ['newer', '9.9.9'],
        ['node-0', version],
        ['node-1', version],
      ])
    await expect
      .poll(() => listInstances(other!), soon)
      .toMatchObject([
        { name: 'newer', state: 'running', cameras: ['door'], jobs: ['gate', 'recorder'], other_protocol: true },
        { other_protocol: false },
        { other_protocol: false },
      ])
    for (const { gate, internal } of [one!, other!]) {
      expect((await gate.get('/api/health')).json).toEqual({ status: 'ok' })
      const { json } = await gate.with(gill.headers).get('/api/profile')
      expect(json).toMatchObject({ allowed_cameras: ['yard'] })
      // It can't be reached, which is said in time and shows nothing.
      await expect.poll(() => statusOf(internal, '/api/cameras/door/latest.jpg'), soon).toBe(503)
    }
    expect((await other!.internal.put('/api/roles/guard', { cameras: ['office'] })).status).toBe(200)
    await within(
      1000,
      async () => expect((await gill.get('/api/profile')).json).toMatchObject({ allowed_cameras: ['office'] }),
      'gatehouse_cluster_',
    )
    await one!.user('hal', 'viewer')
    const lease = async () =>
      Number((await cluster.ask(`select valid_until from camera_lease where camera = 'yard'`))[0]!['valid_until'])
    const before = await lease()
    await expect.poll(lease, soon).toBeGreaterThan(before)

    const { status, output } = await failedRestart(one!)
    expect([status, output]).toEqual([78, expect.stringContaining('migrated by version 9.9.9 of Gatehouse')])
    // Another one takes its camera over, and goes on.
    await expect.poll(async () => (await cluster.owners())['yard'], soon).toBe('node-1')
    expect((await other!.gate.get('/api/health')).status).toBe(200)
  })
})

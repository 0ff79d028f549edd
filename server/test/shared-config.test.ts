import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { configFormat } from '../src/app/config/load-config.ts'
import { openSharedConfig } from '../src/app/shared-config.ts'
import { openMachineFile } from '../src/config/source/machine-file.ts'
import { systemClock } from '../src/shared/time/clock.ts'
import { systemRandom } from '../src/shared/random.ts'
import { openStore } from '../src/store/open.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, freshDatabase } from './support/cluster.ts'
import { lineTo } from './support/database-line.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { listInstances } from './support/list-instances.ts'
import { silent } from './support/null-log.ts'
import { stopwatch, within } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import type { ConfigOptions } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { failedStart, startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const yaml = { 'content-type': 'text/yaml', 'if-match': '*' }

/** Settings of config.yml that aren't a section of a machine. */
type Shared = Record<string, unknown>

const withRoles = (roles: Record<string, string[]>, more: Shared = {}): Shared => ({
  auth: { roles, failed_login_rate_limit: null },
  cameras: quietCameras,
  ...more,
})

/** An instance with these settings in its config.yml, beside those of its machine. */
const instance = (url: string, shared: Shared = {}, more: Partial<ConfigOptions> = {}) =>
  startService({
    config: { cameras: undefined, ...shared, tls: { enabled: false }, database: { url } },
    env: { SERVICE_JWT_SECRET },
    ...more,
  })

const documentOf = async ({ internal }: InProcessService) => (await internal.get('/api/config/raw')).text
const camerasOf = async (client: TestClient) =>
  ((await client.get('/api/profile')).json as { allowed_cameras?: string[] }).allowed_cameras
const health = async ({ gate }: InProcessService) => (await gate.get('/api/health')).json

/** At another instance a change applies within a second. */
const applies = (what: () => Promise<unknown>, condition: unknown) =>
  within(1000, async () => expect(await what()).toEqual(condition), 'gatehouse_cluster_')
const eventually = { timeout: 120_000, interval: 50 }

const runtime = () => ({ clock: systemClock, log: silent })

describe.skipIf(!canCluster)('the configuration of instances on one PostgreSQL database', () => {
  afterAll(stopAll)

  test('[NODE-1] the file of the first instance becomes the document, with its comments and without the sections of its machine', async () => {
    const url = await freshDatabase()
    const text = stringify({ auth: { roles: { guard: ['yard'] } }, cameras: quietCameras })
    const first = await instance(url, withRoles({ guard: ['yard'] }))
    await first.stop()
    await askPostgres(url, 'truncate config_version')
    const file = readFileSync(first.configFile, 'utf8')
    writeFileSync(first.configFile, `# of all instances\n\n${text}\n# of this machine\n${machineOf(file)}`)
    const again = await first.restart()
    expect(await documentOf(again)).toBe(`# of all instances\n\n${text}`)
    expect(again.output()).not.toContain('sections that are not used')
  })

  test('[NODE-1] an instance with an older, a wider or an empty file changes no user’s permissions, and says what it ignores', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard'] }))
    const gill = await one.user('gill', 'guard')
    const files: Shared[] = [withRoles({ other: ['door'] }), withRoles({ guard: ['yard', 'door', 'office'] }), {}]
    const others = await Promise.all(files.map((shared) => instance(url, shared)))
    for (const [nth, other] of others.entries()) {
      const here = other.gate.with(gill.headers)
      expect(await camerasOf(here)).toEqual(['yard'])
      expect(await statusOf(here, '/api/cameras/door/latest.jpg')).toBe(403)
      expect(await documentOf(other)).toBe(await documentOf(one))
      const unused = /gatehouse config import.*sections that are not used/
      if (nth < 2) expect((await other.printed(unused))[0]).toBeDefined()
      else expect(other.output()).not.toMatch(unused)
    }
    const [older] = others
    // Nor does an edit of the file, a restart, or a save.
    appendFileSync(older!.configFile, 'logger: { default: debug }\n')
    await expect.poll(() => older!.output().match(/sections that are not used/g)?.length, eventually).toBe(2)
    expect(older!.output()).not.toMatch(/role missing/)
    const restarted = await older!.restart()
    expect(await camerasOf(restarted.gate.with(gill.headers))).toEqual(['yard'])
    expect((await restarted.internal.put('/api/roles/third', { cameras: ['office'] })).status).toBe(201)
    await applies(async () => (await documentOf(one)).includes('third'), true)
    expect(await camerasOf(gill)).toEqual(['yard'])
  })

  test('[NODE-1] of instances that start at the same time on an empty database, one contributes the document', async () => {
    const url = await freshDatabase()
    const roles = ['a', 'b', 'c']
    const all = await Promise.all(roles.map((role) => instance(url, withRoles({ [role]: ['yard'] }))))
    const documents = new Set(await Promise.all(all.map(documentOf)))
    expect(documents.size).toBe(1)
    expect(roles.filter((role) => [...documents][0]!.includes(`    ${role}:`))).toHaveLength(1)
    expect(await askPostgres(url, 'select number from config_version')).toHaveLength(1)
  })

  test('[NODE-1] a service that starts waits for the migration of another instance, longer than a request waits for the database', async () => {
    const url = await freshDatabase()
    const other = new Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('select pg_advisory_lock(4715001)')
    const starting = instance(url)
    await wait(4000, 'the limits of PostgreSQL and its driver are real time')
    await other.query('select pg_advisory_unlock(4715001)')
    expect(await health(await starting)).toEqual({ status: 'ok' })
  })

  test('[NODE-1] first starts that reach the database at the same moment wait for each other', async () => {
    const url = await freshDatabase()
    const format = configFormat({
      mediaDir: '/media',
      trustedHeaders: { names: new Set(), file: '' },
      lookup: () => undefined,
    })
    const folder = temporaryFolder()
    const starts = Array.from({ length: 6 }, async (_, nth) => {
      const file = join(folder, `${nth}.yml`)
      writeFileSync(file, stringify({ auth: { roles: { [`role${nth}`]: ['yard'] } }, database: { url } }))
      utimesSync(file, 1, 1)
      const machine = await openMachineFile({ format, file, decidedBy: ['database', 'url'], ...runtime() })
      const store = await openStore({ url, configDir: folder, log: silent })
      onTestFinished(() => store.close())
      const accounts = { roleCounts: () => Promise.resolve(new Map<string, number>()) }
      return { store, format, machine: machine!, accounts, volume: `v${nth}`, random: systemRandom, runtime }
    })
    const ready = await Promise.all(starts)
    const opened = await Promise.all(ready.map((deps) => openSharedConfig(deps)))
    onTestFinished(async () => void (await Promise.all(opened.map(({ configStore }) => configStore.stop()))))
    const etags = new Set(opened.map(({ configStore }) => configStore.version()))
    expect(etags.size).toBe(1)
    expect(await opened[0]!.versions()).toMatchObject([{ number: 1, author: 'config.yml' }])
  })

  test('[NODE-1] a role that loses a camera at one instance ends an open stream at another within a second', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard', 'door'] }))
    const other = await instance(url)
    const gill = await one.user('gill', 'guard')
    const socket = other.gate.with(gill.headers).socket('/api/cameras/yard/live')
    await once(socket, 'open')
    const closed = once(socket, 'close')
    expect((await one.internal.put('/api/roles/guard', { cameras: ['door'] })).status).toBe(200)
    const elapsed = stopwatch('gatehouse_cluster_')
    await closed
    expect(elapsed()).toBeLessThan(1000)
    expect(await camerasOf(other.gate.with(gill.headers))).toEqual(['door'])
  })

  test('[NODE-1] of two saves of one version at two instances, one is refused; edits of roles at both are both kept', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({}))
    const other = await instance(url)
    const { text, headers } = await one.internal.get('/api/config/raw')
    const etag = String(headers.etag)
    const saves = await Promise.all(
      [one, other].map(({ internal }, nth) =>
        internal.put('/api/config/raw', `${text}audit: { retain_days: ${nth + 8} }\n`, { ...yaml, 'if-match': etag }),
      ),
    )
    expect(saves.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
    const names = Array.from({ length: 8 }, (_, nth) => `role${nth}`)
    const made = await Promise.all(
      names.map((name, nth) => [one, other][nth % 2]!.internal.put(`/api/roles/${name}`, { cameras: ['yard'] })),
    )
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201))
    const document = await documentOf(one)
    expect(names.filter((name) => !document.includes(name))).toEqual([])
    await applies(async () => (await other.internal.get('/api/roles')).text.includes('role7'), true)
    const { versions } = (await other.internal.get('/api/config/versions')).json as {
      versions: { number: number; author: string }[]
    }
    expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, nth) => 10 - nth))
    expect(versions.at(-1)?.author).toBe('config.yml')
  })

  test('[NODE-1] a section of the machine is refused in the document, and a document without any key', async () => {
    const one = await instance(await freshDatabase(), withRoles({}))
    const before = await documentOf(one)
    const refused = await one.internal.put('/api/config/raw', `${before}database: { url: sqlite }\n`, yaml)
    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ problems: [{ field: 'database', code: 'machine-section' }] })
    expect((await one.internal.put('/api/config/raw', '# nothing\n', yaml)).status).toBe(400)
    expect(await documentOf(one)).toBe(before)
  })

  test('[NODE-1] an instance that was cut off while a role lost a camera grants it to no one afterward', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard', 'door'] }))
    const line = await lineTo(url)
    const other = await instance(line.url)
    const gill = other.gate.with((await one.user('gill', 'guard')).headers)
    expect(await camerasOf(gill)).toEqual(['yard', 'door'])
    line.partition(true)
    await other.printed(/LISTEN connection lost/)
    expect((await one.internal.put('/api/roles/guard', { cameras: ['door'] })).status).toBe(200)
    expect(await statusOf(gill)).toBe(503)
    line.partition(false)
    await expect.poll(() => camerasOf(gill), eventually).toEqual(['door'])
    await other.printed(/LISTEN connection restored/)
    // Without announcements, the document is polled.
    line.refuseListening(true)
    await other.printed(/LISTEN connection lost[\s\S]*LISTEN connection lost/)
    expect((await one.internal.put('/api/roles/guard', { cameras: ['office'] })).status).toBe(200)
    await applies(() => camerasOf(gill), ['office'])
  })

  test('[CAM-4] [NODE-1] an instance that was cut off while a camera was replaced, and its source then changed back, records the new one as a new camera', async () => {
    const url = await freshDatabase()
    const yard = { source: 'demo:yard' }
    const one = await instance(url, { cameras: { yard: { ...yard, enabled: false } } })
    const line = await lineTo(url)
    const other = await instance(line.url)
    expect((await one.internal.put('/api/config/raw', stringify({ cameras: { yard } }), yaml)).status).toBe(200)
    const recorded = () => readdirSync(join(other.mediaDir, 'recordings'), { recursive: true }).map(String)
    await expect.poll(recorded, eventually).toContainEqual(expect.stringMatching(/yard\W.*\.part$/))
    line.partition(true)
    await other.printed(/LISTEN connection lost/)
    for (const cameras of [{}, { yard: { source: 'demo:office' } }, { yard }])
      expect((await one.internal.put('/api/config/raw', stringify({ cameras }), yaml)).status).toBe(200)
    line.partition(false)
    await other.printed(/LISTEN connection restored/)
    await expect.poll(recorded, eventually).toContainEqual(expect.stringMatching(/yard~.*\.part$/))
  })

  test('[NODE-1] a document that this version can’t use leaves the newest valid one active, also after a restart', async () => {
    const url = await freshDatabase()
    let one = await instance(url, withRoles({ guard: ['yard'] }))
    const gill = await one.user('gill', 'guard')
    await askPostgres(
      url,
      `insert into config_version select number + 1, 'from_the_future: 1\n' || replace(document, '- yard', '- office'), 'newer', at from config_version order by number desc limit 1`,
    )
    await askPostgres(url, `select pg_notify('gatehouse', '')`)
    await one.printed(/from_the_future.*config invalid; keeping previous config/)
    const unchanged = async () => {
      expect(await camerasOf(one.gate.with(gill.headers))).toEqual(['yard'])
      expect(await health(one)).toEqual({ status: 'ok', config: 'outdated' })
      expect((await one.internal.put('/api/roles/guard', { cameras: ['door'] })).status).toBe(409)
      await expect.poll(() => listInstances(one), eventually).toMatchObject([{ config_outdated: true }])
    }
    await unchanged()
    one = await one.restart()
    await one.printed(/from_the_future.*config invalid; using the latest valid version/)
    await unchanged()
    const fixed = await one.internal.put('/api/config/raw', stringify(withRoles({ guard: ['door'] })), yaml)
    expect(fixed.status).toBe(200)
    expect(await health(one)).toEqual({ status: 'ok' })
    await expect.poll(() => listInstances(one), eventually).toMatchObject([{ config_outdated: false }])
    expect(await camerasOf(one.gate.with(gill.headers))).toEqual(['door'])
  })

  test('[ROLE-7] a role is deleted in one transaction with the move of its users, at all instances', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard'] }))
    const other = await instance(url)
    const gill = await one.user('gill', 'guard')
    const role = () => askPostgres(url, `select role from "user" where name = 'gill'`).then(([row]) => row?.['role'])
    await askPostgres(
      url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger refuse before update of role on "user" for each row execute function refuse()`,
    )
    expect((await other.internal.delete('/api/roles/guard')).status).toBe(503)
    expect([await role(), (await documentOf(one)).includes('guard')]).toEqual(['guard', true])
    await askPostgres(url, 'drop trigger refuse on "user"')
    expect((await other.internal.delete('/api/roles/guard')).json).toEqual({ reassigned: ['gill'] })
    expect([await role(), (await documentOf(one)).includes('guard')]).toEqual(['viewer', false])
    await applies(async () => (await camerasOf(gill))?.length, 3)
    expect(await askPostgres(url, 'select * from deleted_role')).toEqual([])
    const entries = await askPostgres(url, `select target from audit where action = 'role.delete'`)
    expect(entries).toEqual([{ target: 'guard' }])
  })

  test('[CAM-4] a camera added under a listed name is withheld at every instance until an admin confirms it at one', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard', 'barn'] }))
    const other = await instance(url)
    const gill = await one.user('gill', 'guard')
    const there = other.gate.with(gill.headers)
    const { headers } = await other.internal.get('/api/config/raw')
    const made = await other.internal.post(
      '/api/cameras',
      { name: 'barn', source: 'demo:yard', enabled: false },
      { 'if-match': String(headers.etag) },
    )
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    await applies(async () => (await one.internal.get('/api/cameras')).text.includes('barn'), true)
    expect([await camerasOf(gill), await camerasOf(there)]).toEqual([['yard'], ['yard']])
    const restarted = await other.restart()
    expect(await camerasOf(restarted.gate.with(gill.headers))).toEqual(['yard'])
    const confirmed = await one.internal.post('/api/roles/guard/confirm', { cameras: ['barn'] })
    expect(confirmed.status).toBeLessThan(300)
    await applies(() => camerasOf(restarted.gate.with(gill.headers)), ['yard', 'barn'])
  })

  test('[CAM-4] of two instances that add a camera under a removed one’s name at the same moment, one does, with one new key', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard'] }))
    const other = await instance(url)
    const anyVersion = { 'if-match': '*' }
    for (const name of ['yard', 'door', 'office']) {
      await askPostgres(
        url,
        `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file)
          values ('elsewhere', '${name}', 0, 1, 1, 0, 0, 0, '${name}.mp4')`,
      )
      expect((await one.internal.delete(`/api/cameras/${name}`, anyVersion)).status).toBeLessThan(300)
      const gone = async () => (await other.internal.get('/api/cameras')).text.includes(`"${name}"`)
      await applies(gone, false)
      const added = await Promise.all(
        [one, other].map(({ internal }, nth) =>
          internal.post('/api/cameras', { name, source: `rtsp://192.0.2.${nth + 1}/`, enabled: false }, anyVersion),
        ),
      )
      const statuses = added.map(({ status }) => status).sort((a, b) => a - b)
      expect(statuses).toEqual([201, expect.toSatisfy((status: number) => status === 409 || status === 412)])
      const keys = await askPostgres(
        url,
        `select key, removed_at from camera where name = '${name}' order by removed_at`,
      )
      expect(keys).toEqual([
        { key: name, removed_at: expect.anything() },
        { key: expect.not.stringMatching(new RegExp(`^${name}$`)), removed_at: null },
      ])
    }
    // The roles that listed the first one grant none of them.
    const gill = await one.user('gill', 'guard')
    for (const { gate } of [one, other]) expect(await camerasOf(gate.with(gill.headers))).toEqual([])
  })

  test('[CAM-4] what an instance recorded of another camera with the same name stops the service at startup, unless an admin says it is the same', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard'] }))
    const own = (await askPostgres(url, `select source from camera where key = 'yard'`)) as { source: string }[]
    await one.stop()
    const earlier = async (source: string, stored: boolean) => {
      await askPostgres(url, `truncate recording; delete from camera where volume = 'earlier'`)
      await askPostgres(
        url,
        `insert into camera (volume, key, name, source, added_at, withheld) values ('earlier', 'yard', 'yard', '${source}', 0, '[]')`,
      )
      if (!stored) return
      await askPostgres(
        url,
        `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file)
          values ('earlier', 'yard', 0, 1, 1, 0, 0, 0, 'a.mp4')`,
      )
    }
    const config = { ...withRoles({ guard: ['yard'] }), tls: { enabled: false }, database: { url } }
    await earlier('another', true)
    const failed = await failedStart({ config, env: { SERVICE_JWT_SECRET } })
    expect([failed.status, failed.output]).toEqual([78, expect.stringContaining('with recordings: yard.')])
    for (const [source, stored] of [
      ['another', false],
      [own[0]!.source, true],
      ['', true],
    ] as const) {
      await earlier(source, stored)
      await (await instance(url)).stop()
    }
    await earlier('another', true)
    await askPostgres(
      url,
      `update config_version set document = regexp_replace(document, '\\m(yard:\\s*\\n)', '\\1    inherit: true' || chr(10))`,
    )
    expect(await askPostgres(url, 'select document from config_version')).toMatchObject([
      { document: expect.stringMatching(/yard:\n    inherit: true\n/) as string },
    ])
    await instance(url)
  })

  test('[ROLE-7] without a document, a file with only the sections of the machine stops the service at startup if users have custom roles', async () => {
    const url = await freshDatabase()
    const one = await instance(url, withRoles({ guard: ['yard'] }))
    await one.user('gill', 'guard')
    await one.stop()
    await askPostgres(url, 'truncate config_version')
    const config = { cameras: undefined, tls: { enabled: false }, database: { url } }
    const failed = await failedStart({ config, env: { SERVICE_JWT_SECRET } })
    expect(failed.status).toBe(78)
    expect(failed.output).toMatch(/roles that auth\.roles should define: guard.*gatehouse config import/)
    const again = await one.restart()
    expect(await camerasOf(await signIn(again.gate, 'gill'))).toEqual(['yard'])
  })
})

/** The sections of the machine in a file of {@link instance}, which come last. */
const machineOf = (file: string): string => file.slice(file.indexOf('tls:'))

import { closeSync, cpSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Stats } from '../src/system/stats-response.ts'
import { canMount, fill, mount, remount } from './support/mounts.ts'
import { noted, rolesOf } from './support/role-state.ts'
import { openDatabase } from './support/service-database.ts'
import { password } from './support/sign-in.ts'
import { failedRestart, startService, type InProcessService } from './support/start-service.ts'
import { statusOf, type Reply } from './support/test-client.ts'

const hour = 3_600_000

const config = { tls: { enabled: false }, auth: { roles: { guard: ['door'] }, failed_login_rate_limit: null } }

const login = ({ gate }: InProcessService, user = 'ann') => gate.post('/api/login', { user, password })

const unavailable = async (response: Promise<Reply>): Promise<void> => {
  const { status, json, headers } = await response
  expect([status, json]).toMatchObject([503, { code: 'unavailable' }])
  expect(headers).toHaveProperty('retry-after')
}

const names = async ({ internal }: InProcessService) =>
  ((await internal.get('/api/users')).json as { username: string }[]).map(({ username }) => username).sort()

/** Waits until the health is checked again. */
const becomes = (service: InProcessService, status: number) =>
  expect.poll(() => statusOf(service.gate, '/api/health')).toBe(status)

/** Overwrites every page of the database but the first, which has the names of the tables, in place. */
function damage({ configDir }: InProcessService): () => void {
  const path = join(configDir, 'gatehouse.db')
  const database = openDatabase({ configDir, clock: 'in this process' })
  // The write-ahead log becomes empty, and the service drops the pages it has in memory.
  database.exec(`update meta set value = 'x' where key = 'health'; pragma wal_checkpoint(truncate)`)
  database.close()
  const good = readFileSync(path)
  const put = (data: Uint8Array) => {
    const file = openSync(path, 'r+')
    writeSync(file, data, 4096, good.length - 4096, 4096)
    closeSync(file)
  }
  put(Buffer.alloc(good.length, 0xa5))
  return () => put(good)
}

describe('the SQLite database of a running service', () => {
  test('with damaged pages: no caller is let in by it, the log has the reason, and once restored, everything is as before', async () => {
    const service = await startService({ config })
    const [ann, gus] = [await service.user('ann'), await service.user('gus', 'guard')]
    expect([await statusOf(ann), await statusOf(gus)]).toEqual([200, 200])
    // A user that is not in memory.
    expect((await service.internal.post('/api/users', { username: 'bob', password, role: 'admin' })).status).toBe(201)
    const restore = damage(service)
    await unavailable(login(service, 'bob'))
    await unavailable(login(service, 'ann'))
    await unavailable(service.internal.get('/api/users'))
    await unavailable(service.internal.put('/api/users/ann/role', { role: 'admin' }))
    await unavailable(service.internal.delete('/api/roles/guard'))
    await becomes(service, 503)
    expect(await statusOf(service.gate)).toBe(401)
    // Callers in memory have what they had, or nothing if the change of the file was noticed before it was unreadable.
    for (const path of ['/api/users', '/api/config/raw']) expect([403, 503]).toContain(await statusOf(ann, path))
    expect([403, 503]).toContain(await statusOf(gus, '/api/cameras/yard'))
    expect(service.output()).toMatch(/malformed|not a database/)

    restore()
    await becomes(service, 200)
    expect((await login(service, 'bob')).status).toBe(200)
    expect((await service.internal.get('/api/users/ann')).json).toMatchObject({ role: 'viewer' })
    expect((await rolesOf(service)).map(({ name, users }) => [name, users])).toContainEqual(['guard', 1])
    const database = openDatabase(service, { readOnly: true })
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
    expect(await statusOf(await service.restart().then(({ gate }) => gate.with(ann.headers)))).toBe(200)
  })

  test.skipIf(!canMount)(
    'replaced by a read-only copy: it can be read, nothing is written, and it recovers',
    async () => {
      const service = await startService({ config })
      const ann = await service.user('ann')
      // It has written now: within a minute, the next check only reads, unless something failed.
      expect(await statusOf(service.gate, '/api/health')).toBe(200)
      const copy = join(service.dir, 'copy')
      cpSync(service.configDir, copy, { recursive: true })
      mount('--bind', copy, service.configDir)
      remount(service.configDir, 'ro')
      await unavailable(login(service))
      await unavailable(service.internal.post('/api/users', { username: 'eve', password, role: 'admin' }))
      await unavailable(service.internal.put('/api/users/ann/role', { role: 'admin' }))
      await becomes(service, 503)
      expect(await statusOf(ann, '/api/users')).toBe(403)
      expect(service.output()).toMatch(/readonly|unable to open/)
      spawnSync('umount', ['-l', service.configDir])
      await becomes(service, 200)
      expect((await login(service)).status).toBe(200)
      expect((await service.internal.get('/api/users')).text).not.toContain('eve')
    },
  )

  test.skipIf(!canMount)(
    '[CONF-4] [ROLE-7] in a folder that became read-only: roles stay as they are, with the reason, and no deletion is left unfinished',
    async () => {
      const service = await startService({ config })
      const gus = await service.user('gus', 'guard')
      const before = readFileSync(service.configFile, 'utf8')
      mount('--bind', service.configDir, service.configDir)
      remount(service.configDir, 'ro')
      const yaml = { 'content-type': 'text/yaml', 'if-match': '*' }
      const attempts = [
        await service.internal.put('/api/roles/night', { cameras: ['yard'] }),
        await service.internal.put('/api/roles/guard', { cameras: ['yard'] }),
        await service.internal.delete('/api/roles/guard'),
        await service.internal.put('/api/config/raw', `${before}# more\n`, yaml),
      ]
      for (const { status, json } of attempts) {
        expect([status, json]).toMatchObject([503, { reason: { code: 'config-not-written' } }])
      }
      expect(noted(service)).toEqual([])
      expect(await statusOf(gus, '/api/cameras/door')).toBe(200)
      expect(await statusOf(gus, '/api/cameras/yard')).toBe(403)
      remount(service.configDir, 'rw')
      expect(readFileSync(service.configFile, 'utf8')).toBe(before)
      expect(readdirSync(service.configDir).filter((name) => name.endsWith('.tmp'))).toEqual([])
      expect((await service.internal.put('/api/roles/guard', { cameras: ['yard'] })).status).toBe(200)
      expect(await statusOf(gus, '/api/cameras/yard')).toBe(200)
    },
  )

  test.skipIf(!canMount)('on a full disk: 503, nothing half-written, and it recovers', async () => {
    let service = await startService({ config })
    const ann = await service.user('ann')
    await service.stop()
    const kept = join(service.dir, 'kept')
    cpSync(service.configDir, kept, { recursive: true })
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', service.configDir)
    cpSync(kept, service.configDir, { recursive: true })
    service = await service.restart()
    const text = readFileSync(service.configFile, 'utf8')
    const filler = join(service.configDir, 'filler')
    fill(filler)

    await becomes(service, 503)
    const late = { username: 'late', password, role: 'viewer' }
    await unavailable(service.internal.post('/api/users', late))
    await unavailable(service.internal.put('/api/roles/late', { cameras: ['yard'] }))
    expect(readFileSync(service.configFile, 'utf8')).toBe(text)
    expect((await service.internal.get('/api/roles')).text).not.toContain('late')
    // Reading needs no space.
    expect((await ann.get('/api/profile')).json).toMatchObject({ username: 'ann' })
    expect((await ann.get('/api/users')).status).toBe(403)

    rmSync(filler)
    await becomes(service, 200)
    expect(await names(service)).toEqual(['admin', 'ann'])
    expect((await service.internal.post('/api/users', late)).status).toBe(201)
    expect((await service.internal.put('/api/roles/late', { cameras: ['yard'] })).status).toBe(201)
    expect(readdirSync(service.configDir).filter((name) => name.endsWith('.tmp'))).toEqual([])
    // And it starts with the remaining files.
    service = await service.restart()
    expect(await names(service)).toEqual(['admin', 'ann', 'late'])
  })

  test.skipIf(!canMount)(
    '[CONF-4] a config file mounted by itself cannot be replaced: 503 with the hint, and nothing has changed',
    async () => {
      const service = await startService({ config })
      const gus = await service.user('gus', 'guard')
      mount('--bind', service.configFile, service.configFile)
      const before = [
        readFileSync(service.configFile, 'utf8'),
        readdirSync(service.configDir).filter((name) => /config/.test(name)),
      ]
      const hint = expect.stringMatching(/mount its folder/i) as string
      const attempts = [
        await service.internal.put('/api/roles/night', { cameras: ['yard'] }),
        await service.internal.delete('/api/roles/guard'),
        await service.internal.request('PUT', '/api/config/raw', {
          headers: { 'if-match': '*', 'content-type': 'text/yaml' },
          body: `${before[0] as string}# more\n`,
        }),
      ]
      for (const { status, json } of attempts) expect([status, json]).toMatchObject([503, { detail: hint }])
      expect(readFileSync(service.configFile, 'utf8')).toBe(before[0])
      expect(readdirSync(service.configDir).filter((name) => name.endsWith('.tmp'))).toEqual([])
      const after = (await service.internal.get('/api/roles')).json as { name: string; users: number }[]
      expect(after.map(({ name }) => name)).toEqual(['admin', 'viewer', 'guard'])
      expect(after[2]).toMatchObject({ users: 1 })
      expect((await gus.get('/api/profile')).json).toMatchObject({ role: 'guard' })
    },
  )

  test.skipIf(!canMount)('shrinks within the hour, and on a full disk stays as it is, logged once', async () => {
    let service = await startService({ config })
    await service.user('ann')
    await service.stop()
    const kept = join(service.dir, 'kept')
    cpSync(service.configDir, kept, { recursive: true })
    mount('-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', service.configDir)
    cpSync(kept, service.configDir, { recursive: true })
    const database = openDatabase({ configDir: service.configDir, clock: 'stopped' })
    for (let nth = 0; nth < 12; nth += 1) {
      database.exec(`insert into meta values ('large${nth}', hex(zeroblob(500000)))`)
    }
    database.exec("delete from meta where key like 'large%'")
    database.close()
    service = await service.restart()
    const { internal, clock } = service
    const sizes = async () => ((await internal.get('/api/stats')).json as Stats).service?.database
    const before = await sizes()
    expect(before?.free).toBeGreaterThan(11e6)

    const filler = join(service.configDir, 'filler')
    fill(filler)
    await clock.skip(hour)
    const failed = 'failed to shrink database file'
    await service.printed(new RegExp(failed))
    await clock.skip(hour)
    expect(await sizes()).toMatchObject({ size: before?.size })

    rmSync(filler)
    await becomes(service, 200)
    await clock.skip(hour)
    await service.printed(/database file shrunk/)
    const after = await sizes()
    expect(after?.size).toBeLessThan(4e6)
    expect(after?.free).toBeLessThan(3e6)
    expect(service.output().split(failed)).toHaveLength(2)
    expect((await login(service)).status).toBe(200)
  })

  test.skipIf(!canMount)('on a read-only disk at startup: the service stops, and names the file', async () => {
    const service = await startService({ config })
    await service.user('ann')
    await service.stop()
    mount('--bind', service.configDir, service.configDir)
    remount(service.configDir, 'ro')
    const { status, output } = await failedRestart(service)
    expect(status).toBe(1)
    expect(output).toMatch(/Couldn't use the database .*gatehouse\.db: .*EROFS/)
    remount(service.configDir, 'rw')
    const again = await service.restart()
    expect((await login(again)).status).toBe(200)
  })
})

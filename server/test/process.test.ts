import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashersOf, isHasher } from './support/children.ts'
import { ownTimeOf } from './support/own-time.ts'
import { password, signIn } from './support/sign-in.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { startService } from './support/start-service.ts'
import { wait } from './support/wait.ts'

const plain = { tls: { enabled: false }, auth: { failed_login_rate_limit: null } }

const printedPasswords = (output: string) => [...output.matchAll(/password: +(\S+)/g)].map(([, found]) => found ?? '')

test('[BOOT-1, BOOT-2] creates the admin and prints the password once', async () => {
  const first = await startGatehouse({ fresh: true })
  const [printed = '', ...more] = printedPasswords(first.output())
  expect(more).toEqual([])
  expect(new Set(printed).size).toBeGreaterThan(8)
  expect(printed.length * 5).toBeGreaterThanOrEqual(128)
  const admin = await signIn(first.gate, 'admin', printed)
  expect((await admin.get('/api/profile')).json).toMatchObject({ username: 'admin', role: 'admin' })
  expect((await admin.get('/api/logs')).text).not.toContain(printed)

  const second = await first.restart()
  expect(printedPasswords(second.output())).toEqual([])
  await signIn(second.gate, 'admin', printed)
})

test('[SEC-3] a service that fails to start prints the reason, and exits with its status', async () => {
  const service = await startGatehouse({ files: { '.jwt_secret': 'too short' }, ready: false })
  await service.printed(/Gatehouse cannot start\. .*at least 64/)
  await expect.poll(() => service.process.exitCode).toBe(78)
  expect(service.output()).not.toContain('too short')
})

test('a stop takes at most 5 s and exits with status 0, whatever is running', async () => {
  const service = await startGatehouse({ config: plain, realHashes: true })
  const ann = await service.user('ann')
  const sockets = Array.from({ length: 20 }, () => ann.socket('/api/cameras/yard/live'))
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const load = new AbortController()
  const again = async (ask: () => Promise<unknown>) => {
    while (!load.signal.aborted) await ask().catch(() => wait(10, 'asks again after a failure'))
  }
  const loading = [
    ...Array.from({ length: 20 }, () => again(() => ann.get('/api/cameras'))),
    ...Array.from({ length: 10 }, () =>
      again(() => service.gate.post('/api/login', { user: 'ann', password: 'wrong' })),
    ),
    ...Array.from({ length: 4 }, (_, n) =>
      again(() => service.internal.post('/api/users', { username: `u${n}${Math.random()}`, password, role: 'viewer' })),
    ),
  ]
  await wait(500, 'until the requests and hashes are under way')
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close') as Promise<[number]>))
  const took = await ownTimeOf(async () => expect(await service.stop()).toBe(0), service.process.pid!)
  expect(took).toBeLessThan(5000)
  load.abort()
  expect((await closed).map(([code]) => code)).toEqual(sockets.map(() => 1001))
  await Promise.all(loading)
  const restarted = await service.restart()
  expect((await restarted.internal.get('/api/users')).text).toContain('"ann"')
})

const npm = spawnSync('npm', ['--version']).status === 0
const root = resolve(import.meta.dirname, '../..')
test.skipIf(!npm)('a stop of `npm start` stops the service too', async () => {
  const service = await startService({ config: plain })
  await service.stop()
  const env = {
    PATH: process.env['PATH'],
    HOME: service.dir,
    CONFIG_DIR: service.configDir,
    MEDIA_DIR: service.mediaDir,
  }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await Promise.race([
    expect.poll(() => printed, { timeout: 250_000, interval: 100 }).toMatch(/service ready/),
    exited.then(() => expect.fail(`it ended: ${printed}`)),
  ])
  expect((await service.gate.get('/api/health')).status).toBe(200)
  const took = await ownTimeOf(() => {
    child.kill('SIGTERM')
    return exited
  }, child.pid!)
  expect(took).toBeLessThan(5000)
  expect(await exited).toEqual([0, null])
  await expect(service.gate.get('/api/health')).rejects.toThrow('ECONNREFUSED')
})

test('without ffmpeg, the service logs once at startup which package to install, and continues', async () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'support/another-processor.mjs')).href
  const service = await startGatehouse({
    env: { PATH: '/nowhere', NODE_OPTIONS: `--import ${preload}` },
    config: { cameras: { yard: { source: 'demo:yard' }, door: { source: 'demo:door' } } },
  })
  await vi.waitFor(
    async () =>
      expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({
        detail: "ffmpeg isn't installed.",
      }),
    60_000,
  )
  expect(service.output().match(/ffmpeg missing/g)).toHaveLength(1)
})

test('[RATE-7] passwords are hashed by a process that has a lower priority in all its threads, contains nothing secret, and ends with a killed service', async () => {
  const secret = 'a-secret-of-the-service-'.repeat(4)
  const service = await startGatehouse({ config: plain, env: { SERVICE_JWT_SECRET: secret }, realHashes: true })
  const pid = service.process.pid!
  await service.user('ann')
  const [hasher = 0, ...more] = hashersOf(pid)
  expect(more).toEqual([])
  const threads = readdirSync(`/proc/${hasher}/task`).map(Number)
  const lowered = Math.min(19, getPriority(pid) + 10)
  expect(lowered).toBeGreaterThan(getPriority(pid))
  expect(new Set(threads.map(getPriority))).toEqual(new Set([lowered]))
  const reported = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${hasher}/${name}`, 'utf8')).join('\0')
  for (const known of [secret, password, 'CONFIG_DIR']) expect(reported).not.toContain(known)
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(secret)

  const wrong = { user: 'ann', password: 'wrong password' }
  const logins = Promise.allSettled(Array.from({ length: 60 }, () => service.gate.post('/api/login', wrong)))
  for (let i = 0; i < 20; i += 1) await service.internal.get('/api/health')
  expect(isHasher(hasher)).toBe(true)
  await service.kill()
  await expect.poll(() => isHasher(hasher)).toBe(false)
  await logins
})

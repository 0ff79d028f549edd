import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { within } from './support/own-time.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const config = {
  tls: { enabled: false },
  auth: { roles: { guard: ['door'] }, failed_login_rate_limit: null },
}

/** Blocks every thread for files, name lookups and ciphers. @returns a function that releases them */
function blockThreads({ dir }: InProcessService): () => Promise<void> {
  const pipe = join(dir, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Opening a pipe blocks in the kernel until someone writes to it, as on an unreachable network disk.
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  const opened = Array.from({ length: threads }, () => open(pipe, 'r').then((file) => file.close()))
  let isReleased = false
  const release = async () => {
    if (isReleased) return
    isReleased = true
    const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    await Promise.all(opened)
    closeSync(writer)
  }
  onTestFinished(release)
  return release
}

test('[ROLE-10] with every thread blocked: tokens and revocations work, and what needs a file waits and happens completely', async () => {
  // Passwords are hashed in another process, which has its own threads.
  const service = await startService({ config, realHashes: true })
  const [ann, gus] = [await service.user('ann'), await service.user('gus', 'guard')]
  const socket = ann.socket('/api/cameras/yard/live')
  const closed = once(socket, 'close')
  const door = gus.socket('/api/cameras/door/live')
  let isDoorOpen = true
  const doorClosed = once(door, 'close').finally(() => (isDoorOpen = false))
  await Promise.all([once(socket, 'open'), once(door, 'open')])
  const before = readFileSync(service.configFile, 'utf8')
  const release = blockThreads(service)

  const granted = service.internal.put('/api/roles/guard', { cameras: ['yard'] })
  expect([await statusOf(ann), await statusOf(ann, '/api/users'), await statusOf(service.gate)]).toEqual([
    200, 403, 401,
  ])
  expect([await statusOf(gus, '/api/cameras/door'), await statusOf(gus, '/api/cameras/yard')]).toEqual([200, 403])
  expect((await service.gate.post('/api/login', { user: 'ann', password })).status).toBe(200)
  expect((await service.internal.delete('/api/sessions?user=ann')).status).toBe(204)
  expect(await statusOf(ann)).toBe(401)
  expect((await closed)[0]).toBe(4401)
  expect(await Promise.race([granted, wait(100, 'to see that nothing is written')])).toBeUndefined()
  expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  expect(isDoorOpen).toBe(true)

  await release()
  expect((await granted).status).toBe(200)
  // A change that isn't acknowledged may end no stream yet; one that is has ended them.
  await within(1000, () => expect(isDoorOpen).toBe(false))
  expect((await doorClosed)[0]).toBe(4403)
  expect([await statusOf(gus, '/api/cameras/door'), await statusOf(gus, '/api/cameras/yard')]).toEqual([403, 200])
})

test('[TOK-3] [ROLE-10] after the process was blocked, requests and streams are decided by the state at that time', async () => {
  const length = 2
  const service = await startService({ config: { ...config, auth: { ...config.auth, session_length: length } } })
  await service.user('ann')
  const login = await service.gate.post('/api/login', { user: 'ann', password })
  const ann = service.gate.with({ cookie: login.cookies[0]!.split(';')[0]! })
  const socket = ann.socket('/api/cameras/yard/live')
  const closed = once(socket, 'close')
  await once(socket, 'open')
  const early = connect(service.gatePort, '127.0.0.1')
  await once(early, 'connect')
  const head = `GET /api/profile HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${String(ann.headers['cookie'])}\r\n\r\n`
  await new Promise((sent) => early.write(head, sent))
  // Nothing else in this process runs for this long.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (length + 1) * 1000)
  const [response] = (await once(early, 'data')) as [Buffer]
  expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /)
  expect((await closed)[0]).toBe(4401)
  expect(await statusOf(ann)).toBe(401)
})

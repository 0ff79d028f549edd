import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { signIn, startGatehouse } from './harness.ts'
import { camerasOf, expectNoGrant, noted, refuse, roleOf, rolesOf, withoutGuard } from './role-state.ts'

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

test('[SEC-3] a start that fails prints the reason, and exits with its status', async () => {
  const service = await startGatehouse({ files: { '.jwt_secret': 'too short' }, ready: false })
  await service.printed(/Gatehouse cannot start\. .*at least 64/)
  await expect.poll(() => service.process.exitCode).toBe(78)
  expect(service.output()).not.toContain('too short')
})

test('a stop takes less than five seconds, with or without open streams, and exits with status 0', async () => {
  const short = await startGatehouse()
  const socket = short.internal.socket('/api/cameras/yard/live')
  await once(socket, 'open')
  const began = Date.now()
  expect(await short.stop()).toBe(0)
  expect(Date.now() - began).toBeLessThan(5000)
})

test('[ROLE-7] killed between removing a role from the file and from its users: the role grants nothing, and the next start completes the deletion', async () => {
  const service = await startGatehouse({ config: { auth: { roles: { guard: ['yard'] } } } })
  const admin = await service.admin()
  const gill = await service.user('gill', 'guard')
  expect(await camerasOf(gill)).toEqual(['yard'])
  const allow = await refuse(service, 'update of role on user')
  expect((await admin.delete('/api/roles/guard')).status).toBeGreaterThanOrEqual(500)
  expect(withoutGuard(service)()).toBe(true)
  await expectNoGrant(gill)
  await service.kill()
  expect(noted(service)).toEqual([{ role: 'guard' }])
  await allow()
  const again = await service.restart()
  expect(await roleOf(again, 'gill')).toBe('viewer')
  expect(again.output()).toMatch(/users of deleted roles moved to viewer/)
  expect(again.output()).toContain('gill')
  expect(await camerasOf(gill)).toEqual(['yard', 'door', 'office'])
  expect((await rolesOf(again)).map(({ name }) => name)).not.toContain('guard')
  expect(noted(again)).toEqual([])
  // The entry names the admin who deleted the role, though the service completed it.
  await expect
    .poll(async () => (await again.internal.get('/api/audit?action=role.delete')).json, {
      timeout: 15_000,
      interval: 20,
    })
    .toMatchObject({ entries: [{ user: 'admin', target: 'guard', result: 'success' }] })
})

test('without ffmpeg, the start logs once which package to install, and continues', async () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'another-processor.mjs')).href
  const service = await startGatehouse({
    env: { PATH: '/nowhere', NODE_OPTIONS: `--import ${preload}` },
    config: { cameras: { yard: { source: 'demo:yard' }, door: { source: 'demo:door' } } },
  })
  await vi.waitFor(async () =>
    expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({
      detail: "ffmpeg isn't installed.",
    }),
  )
  expect(service.output().match(/ffmpeg missing/g)).toHaveLength(1)
})

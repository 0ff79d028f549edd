/** Users who give themselves more: another role, another user's password or session, the account of the last admin. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null, roles: { guard: ['yard', 'door'] } } },
  })
  guard = await service.user('gill', 'guard')
  viewer = await service.user('vera')
  await service.user('otto')
})
afterAll(stopAll)

/** Users, roles, sessions and configuration. */
const state = async (): Promise<string[]> => {
  const paths = ['/api/users', '/api/roles', '/api/config/raw', '/api/sessions?user=admin', '/api/sessions?user=otto']
  return (await Promise.all(paths.map((path) => service.internal.get(path)))).map(({ text }) => text)
}

/** Checks that both are denied, and that nothing has changed. */
async function deny(method: string, path: string, body?: unknown, status: readonly number[] = [403]): Promise<void> {
  const before = await state()
  for (const client of [viewer, guard]) {
    const response = await client.request(method, path, { body })
    expect([method, path, response.status]).toEqual([method, path, expect.toBeOneOf([...status])])
    expect(response.cookies).toEqual([])
  }
  expect(await state()).toEqual(before)
}

describe('[ROLE-2] [ROLE-3] what only admins can do is 403 for viewers and custom roles, and changes nothing', () => {
  test.each<[source: string, method: string, path: string, body?: unknown]>([
    ['CVE-2026-33125', 'DELETE', '/api/users/admin'],
    ['CVE-2026-33125', 'DELETE', '/api/users/otto'],
    ['CVE-2026-33125', 'DELETE', '/api/users/unknown'],
    ['ASVS 8.2.1', 'GET', '/api/users'],
    ['ASVS 8.2.1', 'GET', '/api/users/admin'],
    ['ASVS 8.2.1', 'GET', '/api/users/vera'],
    ['ASVS 8.2.3', 'POST', '/api/users', { username: 'new', password, role: 'admin' }],
    ['ASVS 8.2.3', 'PUT', '/api/users/vera/role', { role: 'admin' }],
    ['ASVS 8.2.3', 'PUT', '/api/users/gill/role', { role: 'admin' }],
    ['ASVS 8.2.3', 'PUT', '/api/users/VERA/role', { role: 'admin' }],
    ['ASVS 8.2.3', 'PUT', '/api/users/%76era/role', { role: 'viewer', expected_role: 'viewer' }],
    ['CVE-2026-33124', 'PUT', '/api/users/admin/password', { password: 'correct horse battery' }],
    [
      'CVE-2026-33124',
      'PUT',
      '/api/users/otto/password',
      { password: 'correct horse battery', old_password: password },
    ],
    ['ASVS 8.2.1', 'GET', '/api/roles'],
    ['ASVS 8.2.3', 'PUT', '/api/roles/guard', { cameras: ['yard', 'door', 'office'] }],
    ['ASVS 8.2.3', 'PUT', '/api/roles/new', { cameras: ['office'] }],
    ['ASVS 8.2.1', 'DELETE', '/api/roles/guard'],
    ['ASVS 8.2.1', 'POST', '/api/roles/guard/confirm', { cameras: ['office'] }],
    ['ASVS 7.4.5', 'GET', '/api/sessions?user=admin'],
    ['ASVS 7.4.5', 'GET', '/api/sessions?user=ADMIN'],
    ['ASVS 7.4.5', 'GET', '/api/sessions?user=vera&user=admin'],
    ['ASVS 7.4.5', 'DELETE', '/api/sessions?user=otto'],
    ['ASVS 7.4.5', 'DELETE', '/api/sessions?user=vera&user=gill&user=otto'],
    ['ASVS 7.4.5', 'DELETE', '/api/sessions/anything'],
    ['CVE-2026-33469', 'GET', '/api/config/raw'],
    ['CVE-2026-33469', 'GET', '/api/config/schema.json'],
    ['CVE-2026-33469', 'GET', '/api/config/cameras'],
    ['GHSL-2023-198', 'PUT', '/api/config/raw', 'auth: {}'],
    ['GHSL-2023-198', 'POST', '/api/config/check', 'auth: {}'],
    ['CVE-2026-25643', 'POST', '/api/cameras', { name: 'new', source: 'demo:yard' }],
    ['CVE-2026-25643', 'PUT', '/api/cameras/yard', { source: 'demo:office' }],
    ['CVE-2026-25643', 'POST', '/api/cameras/test', { source: 'demo:yard' }],
    ['CVE-2026-25643', 'POST', '/api/cameras/yard/test'],
    ['CVE-2026-55106', 'POST', '/api/access/try', { user: 'vera' }],
    ['CVE-2022-39289', 'GET', '/api/logs'],
    ['CVE-2022-39289', 'GET', '/api/audit'],
    ['CVE-2022-24797', 'GET', '/api/metrics'],
    ['CVE-2022-24797', 'GET', '/api/instances'],
    ['ASVS 8.2.1', 'GET', '/api/recordings/disk'],
    ['ASVS 8.2.1', 'DELETE', '/api/cameras/yard/recordings?after=0&before=9'],
  ])('%s: %s %s %j', async (_source, method, path, body) => {
    await deny(method, path, body)
  })

  test('ASVS 8.2.2: and reveals no user who exists', async () => {
    for (const of of ['', '/role', '/password']) {
      const [existing, unknown] = await Promise.all(
        ['otto', 'nobo'].map((name) =>
          of === '' ? viewer.get(`/api/users/${name}`) : viewer.put(`/api/users/${name}${of}`, {}),
        ),
      )
      expect([existing!.status, existing!.text]).toEqual([403, unknown!.text])
    }
  })
})

describe('[USER-5] with the permission for the own password comes nothing else', () => {
  const own = { password: 'another long one', old_password: password }
  test.each<[source: string, method: string, path: string, body: unknown, status: number]>([
    ['ASVS 8.2.3', 'PUT', '/api/users/NAME/password', { ...own, role: 'admin' }, 400],
    ['ASVS 8.2.3', 'PUT', '/api/users/NAME/password', { ...own, username: 'admin' }, 400],
    ['ASVS 8.2.3', 'PUT', '/api/users/NAME/password', { ...own, id: '1', credential_version: 0 }, 400],
    ['ASVS 8.2.3', 'PUT', '/api/users/NAME/password', { ...own, must_change_password: false }, 400],
    ['ASVS 15.3.6', 'PUT', '/api/users/NAME/password', `{"__proto__":{"role":"admin"},"password":"x"}`, 400],
    ['ASVS 6.2.3', 'PUT', '/api/users/NAME/password', { password: 'another long one' }, 400],
    ['ASVS 6.2.3', 'PUT', '/api/users/NAME/password', { ...own, old_password: '' }, 403],
    ['ASVS 6.2.3', 'PUT', '/api/users/NAME/password', { ...own, old_password: null }, 400],
    ['CVE-2026-15074', 'PUT', '/api/users/NAME/../otto/password', own, 400],
    ['CVE-2026-15074', 'PUT', '/api/users/NAME%2f..%2fotto/password', own, 400],
    ['CVE-2026-0976', 'PUT', '/api/users/NAME;otto/password', own, 403],
    ['ASVS 15.3.7', 'PUT', '/api/users/otto/password?username=NAME', own, 403],
    ['ASVS 4.1.4', 'PATCH', '/api/users/NAME', { role: 'admin' }, 405],
    ['ASVS 4.1.4', 'PUT', '/api/users/NAME', { role: 'admin' }, 405],
    ['ASVS 4.1.4', 'POST', '/api/users/NAME/role', { role: 'admin' }, 405],
    ['ASVS 4.1.4', 'PUT', '/api/profile', { role: 'admin' }, 405],
    ['ASVS 4.1.4', 'PATCH', '/api/profile', { role: 'admin' }, 405],
    ['ASVS 8.2.3', 'POST', '/api/login', { user: 'NAME', password, role: 'admin' }, 400],
  ])('%s: %s %s %j is %i', async (_source, method, path, body, status) => {
    for (const [name, client] of [
      ['gill', guard],
      ['vera', viewer],
    ] as const) {
      const before = await state()
      const sent = typeof body === 'string' ? body : JSON.stringify(body).replaceAll('NAME', name)
      const headers = ['Content-Type: application/json']
      const response = await rawRequest(client, { method, target: path.replace('NAME', name), headers, body: sent })
      expect(response.status).toBe(status)
      expect(await state()).toEqual(before)
    }
  })

  test('[ROLE-8] ASVS 8.3.2: no header or query gives a role', async () => {
    const claims = { 'remote-role': 'admin', 'x-role': 'admin', 'x-forwarded-groups': 'admin', 'x-user-id': 'admin' }
    for (const [client, role] of [
      [guard, 'guard'],
      [viewer, 'viewer'],
    ] as const) {
      const profile = await client.get('/api/profile?role=admin&as=admin&sudo=admin&impersonate=admin', claims)
      expect(profile.json).toMatchObject({ role })
      expect((await client.get('/api/users', claims)).status).toBe(403)
    }
  })
})

describe('[USER-6] the last admin stays', () => {
  test.each<[source: string, method: string, path: string, body?: unknown]>([
    ['CVE-2026-33125', 'DELETE', '/api/users/admin'],
    ['CVE-2026-33125', 'DELETE', '/api/users/ADMIN'],
    ['CVE-2026-33125', 'DELETE', '/api/users/%61dmin'],
    ['ASVS 8.2.1', 'PUT', '/api/users/admin/role', { role: 'viewer' }],
    ['ASVS 8.2.1', 'PUT', '/api/users/Admin/role', { role: 'guard' }],
  ])('%s: %s %s %j is 409, for the admin and on the internal port', async (_source, method, path, body) => {
    const admin = await service.admin()
    const before = await state()
    for (const client of [admin, service.internal]) {
      expect((await client.request(method, path, { body })).status).toBe(409)
    }
    expect(await state()).toEqual(before)
  })

  test.each([
    ['ASVS 6.8.1', 'Admin'],
    ['ASVS 6.8.1', 'ADMIN'],
    ['RFC 8265 3.3', 'admin '],
    ['RFC 8265 3.3', 'a\u200bdmin'],
    ['RFC 8265 3.3', '\u0430dmin'],
    ['RFC 8265 3.3', 'ＡＤＭＩＮ'],
    ['PORT-2', 'anonymous'],
    ['PORT-2', 'Anonymous'],
    ['ASVS 15.3.6', '__proto__ '],
  ])('%s: no user is created who looks like another: %j', async (_source, username) => {
    const made = await service.internal.post('/api/users', { username, password, role: 'viewer' })
    expect(made.status).toBeOneOf([400, 409])
  })
})

test('[ERR-2] [ROLE-2] ASVS 8.3.1: no route but those of the table changes anything for a viewer', async () => {
  const before = await state()
  const known = new Set(accessRows.map(({ method, path }) => `${method} ${path}`))
  const found: string[] = []
  for (const path of new Set(accessRows.map((row) => row.path))) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      // Would sign the viewer out.
      if (known.has(`${method} ${path}`) || path.endsWith('/logout')) continue
      // `options` is the id of no passkey.
      if (known.has(`${method} ${path.replace(/passkeys\/options$/, 'passkeys/:id')}`)) continue
      const target = path.replace(':camera', 'yard').replaceAll(/:\w+/g, 'vera')
      const body = method === 'DELETE' ? undefined : { role: 'admin' }
      const { status } = await viewer.request(method, target, { body })
      if (![403, 404, 405].includes(status)) found.push(`${method} ${path}: ${status}`)
    }
  }
  expect(found).toEqual([])
  expect(await state()).toEqual(before)
})

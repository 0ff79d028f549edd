/** Guesses and reuse of invitations and password resets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const chosen = 'their own password'

let service: InProcessService
let admin: TestClient
let invitation: { id: string; secret: string }
let reset: { id: string; secret: string }
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: '40/minute' } } })
  admin = await service.user('boss', 'admin')
  await service.user('lea')
  const linkOf = async (path: string, body?: object) => {
    const { id, url } = (await admin.post(path, body)).json as { id: string; url: string }
    return { id, secret: new URL(url).hash.slice(1) }
  }
  invitation = await linkOf('/api/invitations', { role: 'viewer', username: 'new' })
  reset = await linkOf('/api/users/lea/password-reset')
})
afterAll(stopAll)

const use = (kind: 'invitations' | 'password-resets', id: string, body: object) =>
  service.gate.post(`/api/${kind}/${id}/accept`, { password: chosen, ...body })

test.each<[source: string, attack: string, request: () => ReturnType<typeof use>, status: number]>([
  ['ASVS 6.4.3', 'a guessed secret', () => use('invitations', invitation.id, { secret: 'A'.repeat(43) }), 401],
  ['ASVS 6.4.3', 'no secret', () => use('password-resets', reset.id, { secret: '' }), 401],
  ['CWE-640', 'a guessed id', () => use('password-resets', 'f'.repeat(32), { secret: reset.secret }), 401],
  [
    'CWE-640',
    'the secret in another case',
    () => use('password-resets', reset.id, { secret: reset.secret.toLowerCase() }),
    401,
  ],
  [
    'CWE-640',
    'a secret with more after it',
    () => use('password-resets', reset.id, { secret: `${reset.secret}A` }),
    401,
  ],
  ['CWE-640', 'the secret of another link', () => use('password-resets', reset.id, { secret: invitation.secret }), 401],
  [
    'CWE-841',
    'an invitation as a reset',
    () => use('password-resets', invitation.id, { secret: invitation.secret }),
    401,
  ],
  [
    'CWE-841',
    'a reset as an invitation',
    () => use('invitations', reset.id, { secret: reset.secret, username: 'x' }),
    401,
  ],
  [
    'ASVS 15.3.3',
    'another role',
    () => use('invitations', invitation.id, { secret: invitation.secret, role: 'admin' }),
    400,
  ],
  [
    'ASVS 15.3.3',
    'the name of an admin',
    () => use('invitations', invitation.id, { secret: invitation.secret, username: 'admin' }),
    400,
  ],
  [
    'ASVS 15.3.3',
    'another user’s name',
    () => use('password-resets', reset.id, { secret: reset.secret, username: 'admin' }),
    400,
  ],
  ['ASVS 1.2.4', 'a secret that is an object', () => use('password-resets', reset.id, { secret: { $ne: '' } }), 400],
  ['sqlmap', 'SQL as the id', () => use('password-resets', encodeURIComponent("' or 1=1; --"), { secret: 'x' }), 401],
  ['CWE-203', 'a malformed id', () => use('invitations', 'x'.repeat(200), { secret: 'x' }), 401],
  ['CWE-203', 'a malformed id', () => use('password-resets', 'x'.repeat(200), { secret: 'x' }), 401],
  ['CWE-158', 'an id with a NUL', () => use('password-resets', 'a%00b', { secret: 'x' }), 400],
])('[LINK-4] %s: %s', async (_source, _attack, request, status) => {
  const response = await request()
  expect([response.status, response.cookies]).toEqual([status, []])
})

test('[LINK-4] the links still work after all of that, once', async () => {
  expect((await use('invitations', invitation.id, { secret: invitation.secret })).status).toBe(200)
  expect((await use('password-resets', reset.id, { secret: reset.secret })).status).toBe(200)
  expect((await use('password-resets', reset.id, { secret: reset.secret })).status).toBe(410)
})

test('[LINK-4] wrong secrets are limited by address, and keep no one at it from signing in', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 60 }, (_, n) => use('password-resets', reset.id, { secret: `guess ${n}` })),
  )
  const refused = guesses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(refused[0]?.headers['retry-after']).toBeDefined()
  expect((await service.gate.post('/api/login', { user: 'lea', password: chosen })).status).toBe(200)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { startService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let admin: TestClient
beforeAll(async () => {
  const gatehouse = await startService({ config: { auth: { roles: { guard: ['yard'] } } } })
  admin = await gatehouse.admin()
})
afterAll(stopAll)

const someone = { username: 'vera', password: 'three green kettles', role: 'viewer' }

test.each<[what: string, body: object, problem: object]>([
  ['is too short', { ...someone, password: 'short' }, { field: 'password', code: 'too-short', values: { min: 12 } }],
  ['is common', { ...someone, password: 'passwordpassword' }, { field: 'password', code: 'common-password' }],
  ['has an invalid name', { ...someone, username: 'vera!' }, { field: 'username', code: 'invalid-username' }],
  [
    'has an unknown role',
    { ...someone, role: 'cook' },
    { field: 'role', code: 'no-such-role', values: { roles: ['admin', 'viewer', 'guard'] } },
  ],
  ['has no role at all', { ...someone, role: undefined }, { field: 'role', code: 'missing' }],
  [
    'has a role that is a number',
    { ...someone, role: 7 },
    { field: 'role', code: 'wrong-type', values: { type: 'string' } },
  ],
  ['has unknown fields', { ...someone, admin: true }, { field: 'admin', code: 'unknown-field' }],
])('[ERR-3] a user that %s is rejected with a code and its values', async (_why, body, problem) => {
  const { status, json } = await admin.post('/api/users', body)
  expect([status, json]).toMatchObject([400, { code: 'invalid-request', problems: [problem] }])
})

test('failures with the same code differ in their reason', async () => {
  expect((await admin.post('/api/users', { ...someone, username: 'admin' })).json).toMatchObject({
    code: 'conflict',
    reason: { code: 'name-taken' },
  })
  expect((await admin.delete('/api/users/admin')).json).toMatchObject({
    code: 'conflict',
    reason: { code: 'last-admin' },
  })
  expect((await admin.delete('/api/roles/cook')).json).toMatchObject({
    code: 'not-found',
    reason: { code: 'no-such-role' },
  })
})

test('configuration problems have codes, and list what is allowed', async () => {
  const text = 'auth: { session_length: soon, roles: { guard: [nowhere] } }'
  const { json } = await admin.post('/api/config/check', text, { 'content-type': 'text/yaml' })
  expect(json).toMatchObject({
    problems: [
      {
        field: 'auth.session_length',
        code: 'invalid-value',
        values: { found: '"soon"', allowed: [{ kind: 'integer', min: 0 }] },
      },
    ],
    warnings: [{ code: 'unknown-camera', values: { camera: 'nowhere' } }],
  })
})

test('an access preview names the deciding rule, and a connection test says why a source shows nothing', async () => {
  expect((await admin.post('/api/access/try', { user: 'admin' })).json).toMatchObject({
    reason: { code: 'given-by-admin' },
  })
  const { json } = await admin.post('/api/cameras/test', { source: 'clips/nothing.mp4' })
  expect(json).toMatchObject({
    ok: false,
    reason: { code: expect.stringMatching(/^(no-such-file|ffmpeg-missing)$/) as string },
  })
})

/** What a deleted user, role or session leaves behind, requests in flight and links, and whether a later one with the same name inherits it. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { createAuthenticator } from '../server/test/support/authenticator.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { named } from '../server/test/support/second-factor.ts'
import { changeDatabase } from '../server/test/support/service-database.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { createTestClock } from '../server/test/support/test-clock.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  const config = { tls: { enabled: false }, auth: { failed_login_rate_limit: null } }
  // The clock stands still, so that a decision doesn't become too old while the body of its request is on its way.
  service = await startService({ config }, createTestClock({ now: Date.now() }))
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const add = async (name: string): Promise<TestClient> => {
  expect((await admin.post('/api/users', { username: name, password, role: 'viewer' })).status).toBe(201)
  return signIn(service.gate, name)
}

/** Sends the head of a request, does something else, and then sends the body. @returns the status */
async function overtaken(
  client: TestClient,
  path: string,
  body: object,
  between: () => Promise<void>,
  method = 'POST',
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const text = JSON.stringify(body)
  const outgoing = request(
    {
      host: '127.0.0.1',
      port: client.port,
      method,
      path,
      agent: false,
      headers: { ...client.headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    },
    (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    },
  )
  outgoing.on('error', reject)
  outgoing.flushHeaders()
  for (let round = 0; round < 3; round += 1) await admin.get('/api/profile')
  await between()
  outgoing.end(text)
  return promise
}

const passkey = async (client: TestClient): Promise<object> => {
  const options = (await client.post('/api/account/passkeys/options')).json
  const credential = createAuthenticator(`http://localhost:${client.port}`).create(options)
  return { name: 'taken', credential }
}

const nothing = async (): Promise<void> => undefined

describe('[ROLE-10] a user who is deleted while a request is on its way', () => {
  test('CWE-367: creates no API token of the next user with that name', async () => {
    const ann = await add('ann')
    expect(await overtaken(ann, '/api/tokens', { name: 'kept' }, nothing)).toBe(201)
    let next = ann
    const status = await overtaken(ann, '/api/tokens', { name: 'taken' }, async () => {
      expect((await admin.delete('/api/users/ann')).status).toBe(204)
      next = await add('ann')
    })
    expect([status, (await next.get('/api/tokens')).json]).toEqual([401, []])
  })

  test('CWE-367: adds no passkey to the next user with that name', async () => {
    const ben = named(await add('ben'))
    const taken = await passkey(ben)
    let next = ben
    const status = await overtaken(ben, '/api/account/passkeys', taken, async () => {
      expect((await admin.delete('/api/users/ben')).status).toBe(204)
      next = named(await add('ben'))
    })
    expect([status, (await next.get('/api/account/factors')).json]).toMatchObject([401, { passkeys: [] }])
    expect(await overtaken(next, '/api/account/passkeys', await passkey(next), nothing)).toBe(201)
  })
})

const stateOfDan = async (): Promise<unknown> => [
  (await admin.get('/api/users/dan')).json,
  (await admin.get('/api/invitations')).json,
  (await admin.get('/api/sessions?user=dan')).json,
]

describe('[ROLE-10] an admin’s change of a user who is deleted while it is on its way', () => {
  const rows: Readonly<Record<string, readonly [body: object, success: number]>> = {
    'PUT /api/users/:username/role': [{ role: 'admin' }, 200],
    'PUT /api/users/:username/status': [{ disabled: true }, 200],
    'PUT /api/users/:username/password': [{ password: 'meant for someone else' }, 200],
    'POST /api/users/:username/password-reset': [{}, 201],
    'DELETE /api/users/:username/factors': [{}, 204],
    'DELETE /api/users/:username': [{}, 204],
  }

  test.each(Object.entries(rows))('CWE-367: %s: changes nothing of the next user with that name', async (row, sent) => {
    const [method, pattern] = row.split(' ') as [string, string]
    const path = pattern.replace(':username', 'dan')
    await add('dan')
    let before: unknown
    const status = await overtaken(
      admin,
      path,
      sent[0],
      async () => {
        expect((await admin.delete('/api/users/dan')).status).toBe(204)
        await add('dan')
        before = await stateOfDan()
      },
      method,
    )
    expect(status).toBe(404)
    expect(await stateOfDan()).toEqual(before)
    expect(await overtaken(admin, path, sent[0], nothing, method)).toBe(sent[1])
    await admin.delete('/api/users/dan')
    const created = () => add('dan').then(() => undefined)
    expect(await overtaken(admin, path, sent[0], created, method)).toBe(404)
    expect((await admin.delete('/api/users/dan')).status).toBe(204)
  })

  test('these are all the changes whose path names a user', () => {
    const changes = accessRows.filter(({ method, path }) => method !== 'GET' && path.includes('/:username'))
    expect(changes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(rows).toSorted())
  })
})

const signOut = async (): Promise<void> => {
  expect((await admin.delete('/api/sessions?user=cas')).status).toBe(204)
}

describe('[ROLE-10] a session that ends while a request of it is on its way', () => {
  test('CWE-613: leaves no API token', async () => {
    const cas = await add('cas')
    const status = await overtaken(cas, '/api/tokens', { name: 'left' }, signOut)
    expect([status, (await (await signIn(service.gate, 'cas')).get('/api/tokens')).json]).toEqual([401, []])
  })

  test('CWE-613: leaves no passkey', async () => {
    const cas = named(await signIn(service.gate, 'cas'))
    const status = await overtaken(cas, '/api/account/passkeys', await passkey(cas), signOut)
    const { json } = await (await signIn(service.gate, 'cas')).get('/api/account/factors')
    expect([status, json]).toMatchObject([401, { passkeys: [] }])
  })
})

/** Puts back an invitation that ended with its role, as if its request had waited for the deletion. */
const addLate = () =>
  changeDatabase(service, (database) => database.exec("update invitation set ended = null where role = 'cook'"))

test.each<[source: string, when: string, between: () => Promise<void>]>([
  ['CWE-672', 'before its role was deleted', nothing],
  ['CWE-367', 'while its role was being deleted', addLate],
])('[LINK-4] %s: an invitation that was created %s is not one for the next role with that name', async (...row) => {
  const [, , between] = row
  const role = (cameras: string[]) => admin.put('/api/roles/cook', { cameras })
  expect((await role(['yard'])).status).toBe(201)
  const made = (await admin.post('/api/invitations', { role: 'cook' })).json as { id: string; url: string }
  expect((await role(['door'])).status).toBe(200)
  expect((await admin.get('/api/invitations')).json).toMatchObject([{ id: made.id }])
  expect((await admin.delete('/api/roles/cook')).status).toBe(200)
  await between()
  expect((await role(['office'])).status).toBe(201)
  const accepted = await service.gate.post(`/api/invitations/${made.id}/accept`, {
    secret: new URL(made.url).hash.slice(1),
    username: 'someone',
    password: 'their own password',
  })
  expect([accepted.status, accepted.json]).toMatchObject([410, { reason: { code: 'one-time-link-ended' } }])
  expect((await admin.get('/api/invitations')).json).toEqual([])
  expect((await admin.delete('/api/roles/cook')).status).toBe(200)
})

test('[LINK-4] [ROLE-7] a refused attempt to create a role that is missing from config.yml ends no invitation for it', async () => {
  expect((await admin.put('/api/roles/cook', { cameras: ['yard'] })).status).toBe(201)
  const made = (await admin.post('/api/invitations', { role: 'cook' })).json as { id: string }
  const pending = async () => ((await admin.get('/api/invitations')).json as { id: string }[]).map(({ id }) => id)
  const whole = await admin.get('/api/config/raw')
  const save = (text: string) =>
    admin.put('/api/config/raw', text, { 'if-match': '*', 'content-type': 'text/yaml' }).then(({ status }) => status)
  const { auth, ...others } = parse(whole.text) as { auth: { roles: Record<string, unknown> } }
  const { cook, ...roles } = auth.roles
  expect(cook).toBeDefined()
  expect(await save(stringify({ ...others, auth: { ...auth, roles } }))).toBe(200)
  const stale = await admin.put('/api/roles/cook', { cameras: ['yard'], expected: { cameras: ['door'] } })
  expect(stale.status).toBe(412)
  expect(await save(whole.text)).toBe(200)
  expect(await pending()).toEqual([made.id])
  expect((await admin.delete('/api/roles/cook')).status).toBe(200)
})

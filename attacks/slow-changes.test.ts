/** Changes that wait, for a password's hash or for an earlier change, while their sender loses the permission to make them. */
import { appendFileSync, readFileSync, utimesSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createHashingProcess } from '../server/test/support/cheap-hashing.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { changeDatabase, openDatabase } from '../server/test/support/service-database.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Reply, TestClient } from '../server/test/support/test-client.ts'

const chosen = 'chosen by someone who left'

let service: InProcessService
let admin: TestClient
/** Hashes of the chosen password wait for this. */
let held: Promise<void> = Promise.resolve()
let waiting = 0
beforeAll(async () => {
  const hashing = createHashingProcess()
  const derive: typeof hashing.derive = async (derivation) => {
    if (derivation.password === chosen) {
      waiting += 1
      await held
    }
    return hashing.derive(derivation)
  }
  const config = { tls: { enabled: false }, auth: { failed_login_rate_limit: null } }
  service = await startService({ config, createHashing: () => ({ ...hashing, derive }) })
  admin = await service.user('boss', 'admin')
  await service.user('ann')
})
afterAll(stopAll)

type Send = (by: TestClient, name: string) => Promise<Reply>
const create: Send = (by, name) =>
  by.post('/api/users', { username: `friend-of-${name}`, password: chosen, role: 'admin' })
const take: Send = (by) => by.put('/api/users/ann/password', { password: chosen })
const changeOwn: Send = (by, name) =>
  by.put(`/api/users/${name}/password`, { old_password: password, password: chosen })

type End = (name: string, by: TestClient) => Promise<Reply>
const demote: End = (name) => admin.put(`/api/users/${name}/role`, { role: 'viewer' })
const disable: End = (name) => admin.put(`/api/users/${name}/status`, { disabled: true })
const remove: End = (name) => admin.delete(`/api/users/${name}`)
const revoke: End = (name) => admin.delete(`/api/sessions?user=${name}`)
const nothing: End = () => admin.get('/api/profile')
const signOut: End = (_name, by) => by.post('/api/logout')

/** Sends a change, takes the permission away while the password is being hashed, and lets the change go on. */
async function overtaken(send: Send, end: End, name: string, by: TestClient): Promise<number> {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  const before = waiting
  const sent = send(by, name)
  try {
    await expect.poll(() => waiting).toBe(before + 1)
    expect((await end(name, by)).status).toBeLessThan(300)
  } finally {
    release()
  }
  return (await sent).status
}

const loginStatus = async (name: string) =>
  (await service.gate.post('/api/login', { user: name, password: chosen })).status

let named = 0
const someAdmin = async (): Promise<[string, TestClient]> => {
  const name = `admin${(named += 1)}`
  await service.user(name, 'admin')
  return [name, await signIn(service.gate, name)]
}

describe('[ROLE-10] an admin who loses access while the password of a change is being hashed', () => {
  test.each<[source: string, what: string, how: string, send: Send, end: End, status: number]>([
    ['CWE-367', 'creates no admin', 'is demoted', create, demote, 403],
    ['CWE-367', 'creates no admin', 'is disabled', create, disable, 401],
    ['CWE-367', 'creates no admin', 'is deleted', create, remove, 401],
    ['CWE-613', 'creates no admin', 'loses the session', create, revoke, 401],
    ['CWE-613', 'creates no admin', 'signs out', create, signOut, 401],
    ['CWE-367', 'takes no account', 'is demoted', take, demote, 403],
    ['CWE-613', 'takes no account', 'loses the session', take, revoke, 401],
    ['CWE-613', 'gets no session with a new password', 'loses the session', changeOwn, revoke, 401],
  ])('%s: %s if the admin %s', async (_source, _what, _how, send, end, status) => {
    const [name, by] = await someAdmin()
    expect(await overtaken(send, end, name, by)).toBe(status)
    expect(await Promise.all([`friend-of-${name}`, 'ann', name].map(loginStatus))).toEqual([401, 401, 401])
  })

  test('CWE-613: a token that was revoked creates none either', async () => {
    const { id, token } = await createToken(admin, { actions: ['users.manage'] })
    const end = () => admin.delete(`/api/tokens/${id}`)
    expect(await overtaken(create, end, 'token', service.gate.with(bearer(token)))).toBe(401)
    expect(await loginStatus('friend-of-token')).toBe(401)
  })

  test('an admin who keeps it changes what they asked for', async () => {
    const [name, by] = await someAdmin()
    expect(await overtaken(create, nothing, name, by)).toBe(201)
    expect(await overtaken(changeOwn, nothing, name, by)).toBe(200)
  })
})

test('[ROLE-10] CWE-367: a password that was meant for a deleted user is not set for the next one with the same name', async () => {
  const again: End = async () => {
    expect((await admin.delete('/api/users/ann')).status).toBe(204)
    return admin.post('/api/users', { username: 'ann', password, role: 'viewer' })
  }
  expect(await overtaken(take, again, 'boss', admin)).toBe(404)
  expect(await loginStatus('ann')).toBe(401)
  await signIn(service.gate, 'ann')
  expect(await overtaken(take, nothing, 'boss', admin)).toBe(200)
  expect(await loginStatus('ann')).toBe(200)
})

const createCook: Send = (by) => by.post('/api/users', { username: 'late', password: chosen, role: 'cook' })

test('[USER-4] CWE-367: no one gets a role that was deleted and created again, for other cameras, while the password was being hashed', async () => {
  const cook = (...cameras: string[]) => admin.put('/api/roles/cook', { cameras })
  expect((await cook('yard')).status).toBe(201)
  const again: End = async () => {
    expect((await admin.delete('/api/roles/cook')).status).toBe(200)
    return cook('door')
  }
  expect(await overtaken(createCook, again, 'boss', admin)).toBe(409)
  expect((await admin.get('/api/users/late')).status).toBe(404)
  expect(await overtaken(createCook, nothing, 'boss', admin)).toBe(201)
  for (const path of ['/api/users/late', '/api/roles/cook']) expect((await admin.delete(path)).status).toBeLessThan(300)
})

const role = { cameras: ['yard'] }
const changes: Readonly<Record<string, Send>> = {
  'a role': (by, name) => by.put(`/api/roles/of_${name}`, role),
  'a role, deleted': (by) => by.delete('/api/roles/unused'),
  'a camera group': (by, name) => by.put(`/api/camera-groups/of_${name}`, { cameras: ['yard'] }),
  'a camera': (by, name) =>
    by.post('/api/cameras', { name: `of_${name}`, source: 'rtsp://192.0.2.1/', enabled: false }, { 'if-match': '*' }),
  'the whole file': (by, name) =>
    by.request('PUT', '/api/config/raw', {
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
      body: `${readFileSync(service.configFile, 'utf8')}# of_${name}\n`,
    }),
}

const touch = (): void => utimesSync(service.configFile, service.clock.now() / 1000, service.clock.now() / 1000)

/** Changes config.yml again and again, so that no change of the service begins. @returns a function that ends it */
function keepChanging(): () => void {
  touch()
  const timer = setInterval(touch, 100)
  return () => clearInterval(timer)
}

/** Sends a change while an earlier one waits until config.yml stays unchanged, takes the permission away, and goes on. */
async function overtakenInFile(send: Send, end: End, name: string, by: TestClient): Promise<number> {
  appendFileSync(service.configFile, `# edited by hand before ${name}\n`)
  const stopChanging = keepChanging()
  const earlier = admin.put(`/api/roles/before_${name}`, role)
  const sent = send(by, name)
  await admin.get('/api/profile')
  expect((await end(name, by)).status).toBeLessThan(300)
  stopChanging()
  await service.clock.advance(5000)
  expect((await earlier).status).toBe(201)
  return (await sent).status
}

describe('[ROLE-10] an admin who loses access while a change of the configuration waits for an earlier one', () => {
  beforeAll(async () => {
    expect((await admin.put('/api/roles/unused', role)).status).toBe(201)
  })
  const rows = Object.keys(changes).flatMap((what) => [
    { source: 'CWE-367', what, how: 'is demoted', end: demote, status: 403 },
    { source: 'CWE-613', what, how: 'loses the session', end: revoke, status: 401 },
  ])
  test.each(rows)('$source: does not change $what if the admin $how', async ({ what, end, status }) => {
    const [name, by] = await someAdmin()
    expect(await overtakenInFile(changes[what]!, end, name, by)).toBe(status)
    expect(readFileSync(service.configFile, 'utf8')).not.toContain(`of_${name}`)
    expect(readFileSync(service.configFile, 'utf8')).toContain('unused')
  })

  test('CWE-367: nothing is noted of the deletion of a role either', async () => {
    await changeDatabase(service, (database) => {
      database.exec('create table ever_noted (role text)')
      database.exec(`create trigger note after insert on deleted_role
        begin insert into ever_noted values (new.role); end`)
    })
    onTestFinished(() => changeDatabase(service, (changed) => changed.exec('drop trigger note; drop table ever_noted')))
    const [name, by] = await someAdmin()
    expect(await overtakenInFile(changes['a role, deleted']!, demote, name, by)).toBe(403)
    const database = openDatabase(service, { readOnly: true })
    expect(database.prepare('select role from ever_noted').all()).toEqual([])
    database.close()
  })

  test.each(Object.keys(changes))('an admin who keeps it changes %s', async (what) => {
    const [name, by] = await someAdmin()
    expect(await overtakenInFile(changes[what]!, nothing, name, by)).toBeLessThan(300)
  })
})

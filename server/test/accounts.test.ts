import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { changeDatabase } from './support/service-database.ts'
import { password, signIn, tokenIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let gatehouse: InProcessService
let gate: TestClient
let internal: TestClient
let admin: TestClient
beforeAll(async () => {
  const auth = { failed_login_rate_limit: null, roles: { neighbor: ['yard'] } }
  gatehouse = await startService({ config: { tls: { enabled: false }, auth } })
  ;({ gate, internal } = gatehouse)
  admin = await gatehouse.admin()
})
afterAll(() => stopAll())

const problem = (code: string) => ({ code }) as object
const make = (username: string, more: object = {}) =>
  admin.post('/api/users', { username, password, role: 'viewer', ...more })

interface ListedUser {
  readonly username: string
  readonly key: string
}

/** Every page of the user list, following its links. */
async function usersOf(client: TestClient, query: string): Promise<ListedUser[]> {
  const users: ListedUser[] = []
  for (let next: string | undefined = query; next !== undefined;) {
    const { status, json, headers } = await client.get(`/api/users${next}`)
    expect([next, status]).toEqual([next, 200])
    users.push(...(json as ListedUser[]))
    next = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1]
  }
  return users
}

const change = (by: TestClient, name: string, body: object) => by.put(`/api/users/${name}/password`, body)

describe('users', () => {
  test('[USER-5] an admin creates, lists, changes and deletes users', async () => {
    const made = await make('Ann', { role: 'neighbor' })
    expect([made.status, made.json]).toEqual([
      201,
      {
        username: 'Ann',
        key: 'ann',
        provider: null,
        role: 'neighbor',
        created_at: expect.stringMatching(/Z$/) as string,
        last_login_at: null,
        disabled: false,
        expires_at: null,
        blocked: null,
      },
    ])
    const ann = await signIn(gate, 'Ann')
    expect((await ann.get('/api/profile')).json).toMatchObject({ role: 'neighbor', allowed_cameras: ['yard'] })
    const role = await admin.put('/api/users/ann/role', { role: 'viewer' })
    expect([role.status, role.json]).toMatchObject([200, { username: 'Ann', role: 'viewer' }])
    expect((await ann.get('/api/profile')).json).toMatchObject({
      allowed_cameras: ['yard', 'door', 'office'],
    })
    expect((await admin.get('/api/users')).json).toContainEqual(
      expect.objectContaining({ username: 'Ann', last_login_at: expect.stringMatching(/Z$/) as string }),
    )
    expect((await admin.get('/api/users')).text).not.toContain('pbkdf2')
    expect((await admin.delete('/api/users/ANN')).status).toBe(204)
    expect((await admin.delete('/api/users/ann')).status).toBe(404)
    expect((await ann.get('/api/profile')).status).toBe(401)
  })

  test('[USER-5] [OIDC-2] local users and those of a provider are listed in pages, each user once', async () => {
    const mixed = await startService({ config: { tls: { enabled: false } } })
    await changeDatabase(mixed, (database) => {
      database.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 11)
      insert into user (id, name, key, role, password_hash, credential_version, password_set_at, password_origin,
        created_at, last_login_at, issuer, subject, recheck_at)
      select 'id' || i, 'User ' || i, case i % 2 when 0 then 'user_' || i else 'oidc:' || printf('%064x', i) end,
        case i % 3 when 0 then 'admin' else 'viewer' end, 'x', 1, 0, 0, i / 3, nullif(i / 4, 1),
        iif(i % 2, 'https://id.example', null), iif(i % 2, i, null), iif(i % 2, 0, null) from n`)
    })
    const orders = ['username', 'role', 'last_login_at', 'created_at']
    for (const sort of orders.flatMap((order) => [order, `-${order}`])) {
      const paged = await usersOf(mixed.internal, `?limit=1&sort=${sort}`)
      expect(paged.filter(({ key }) => key.startsWith('oidc:'))).toHaveLength(6)
      expect(paged).toHaveLength(13)
      expect(paged).toEqual((await mixed.internal.get(`/api/users?sort=${sort}`)).json)
    }
  })

  test("[USER-5] [OIDC-2] a provider's user is found by the name in any case, also if it isn't ASCII", async () => {
    await changeDatabase(gatehouse, (database) => {
      const insert = database.prepare(`insert into user (id, name, key, role, password_hash, credential_version,
        password_set_at, password_origin, created_at, issuer, subject, recheck_at)
        values (?1, ?1, ?2, 'viewer', 'x', 1, 0, 0, 0, 'https://id.example', ?1, 0)`)
      for (const [n, name] of ['Иван', 'Émile'].entries()) insert.run(name, `oidc:${String(n).repeat(64)}`)
    })
    for (const [search, name] of [
      ['Иван', 'Иван'],
      ['иван', 'Иван'],
      ['ИВА', 'Иван'],
      ['Émile', 'Émile'],
      ['ÉMILE', 'Émile'],
    ]) {
      const users = await usersOf(admin, `?search=${encodeURIComponent(search!)}`)
      expect([search, users.map(({ username }) => username)]).toEqual([search, [name]])
    }
  })

  test('[USER-5] thousands of users are listed in pages, each user once', async () => {
    const many = await startService({ config: { tls: { enabled: false }, auth: { roles: { guard: ['yard'] } } } })
    await changeDatabase(many, (database) => {
      database.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 2999)
      insert into user (id, name, key, role, password_hash, credential_version, password_set_at, password_origin, created_at)
      select 'many' || i, 'Many_' || i, 'many_' || i, case i % 100 when 0 then 'guard' when 1 then 'lost' else 'viewer' end,
      'x', 1, 0, 0, i / 7 from n`)
    })
    const { internal: client } = many
    const all = await client.get('/api/users')
    expect([(all.json as unknown[]).length, all.headers['x-total-count']]).toEqual([500, '3001'])

    const pagesOf = async (query: string) => (await usersOf(client, query)).map(({ username }) => username)
    for (const query of ['', '?sort=-created_at', '?sort=role&limit=499', '?sort=last_login_at']) {
      const names = await pagesOf(query)
      expect([names.length, new Set(names).size]).toEqual([3001, 3001])
    }
    const byName = await pagesOf('?limit=500')
    expect(byName.map((name) => name.toLowerCase())).toEqual(byName.map((name) => name.toLowerCase()).toSorted())
    expect(await pagesOf('?search=Y_299&limit=5')).toHaveLength(11)
    expect(await pagesOf('?search=y%25')).toEqual([])
    expect(await pagesOf('?role=guard&limit=7')).toHaveLength(30)
    expect(await pagesOf('?role=guard&search=00')).toHaveLength(29)
    expect(await pagesOf('?orphaned=true&limit=29')).toHaveLength(30)
    expect(await pagesOf('?role=lost&orphaned=false')).toEqual([])
    expect(await pagesOf('?camera=yard&role=guard&limit=7')).toHaveLength(30)
    expect(await pagesOf('?camera=yard&limit=500')).toHaveLength(2971)
    expect(await pagesOf('?camera=office&limit=500')).toHaveLength(2941)
    expect((await client.get('/api/users?camera=office&limit=1')).headers['x-total-count']).toBe('2941')
    expect((await client.put('/api/users/many_100/status', { disabled: true })).status).toBe(200)
    expect(await pagesOf('?camera=yard&role=guard&limit=7')).toHaveLength(29)
    expect(await pagesOf('?role=guard&limit=7')).toHaveLength(30)
    const unknown = await client.get('/api/users?camera=shed')
    expect([unknown.status, unknown.json]).toMatchObject([404, { reason: { code: 'no-such-camera' } }])

    const { headers } = await client.get('/api/users?limit=1')
    const cursor = /cursor=([\w-]+)/.exec(String(headers['link']))?.[1] ?? ''
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=many', 'limit'],
      ['cursor=x', 'cursor'],
      [`cursor=${cursor}&sort=role`, 'cursor'],
      [`cursor=${cursor.slice(1)}`, 'cursor'],
      ['sort=password_hash', 'sort'],
      ['camera=%2e%2e', 'camera'],
      ['orphaned=perhaps', 'orphaned'],
    ]) {
      const refused = await client.get(`/api/users?${query}`)
      expect([query, refused.status, refused.json]).toMatchObject([query, 400, { problems: [{ field }] }])
    }

    const one = await client.get('/api/users/MANY_7')
    expect([one.status, one.json]).toEqual([
      200,
      {
        username: 'Many_7',
        key: 'many_7',
        provider: null,
        role: 'viewer',
        created_at: '1970-01-01T00:00:00.001Z',
        last_login_at: null,
        disabled: false,
        expires_at: null,
        blocked: null,
      },
    ])
    for (const name of ['unknown', '%', '%00', "a'b"].map(encodeURIComponent)) {
      expect((await client.get(`/api/users/${name}`)).status).toBe(404)
    }
  })

  test('[ROLE-8] a conditional change of role fails when the role has changed since it was read', async () => {
    await make('Otto')
    const refused = await admin.put('/api/users/otto/role', { role: 'admin', expected_role: 'neighbor' })
    expect([refused.status, refused.json]).toMatchObject([412, problem('precondition-failed')])
    const known = await admin.put('/api/users/otto/role', { role: 'neighbor', expected_role: 'viewer' })
    expect([known.status, known.json]).toMatchObject([200, { role: 'neighbor' }])
  })

  test('[USER-5] users without the permission cannot read or change other users', async () => {
    const bob = await gatehouse.user('bob')
    for (const [method, path, body] of [
      ['GET', '/api/users', undefined],
      ['GET', '/api/users/admin', undefined],
      ['POST', '/api/users', { username: 'eve', password, role: 'admin' }],
      ['PUT', '/api/users/bob/role', { role: 'admin' }],
      ['PUT', '/api/users/admin/password', { password }],
      ['DELETE', '/api/users/admin', undefined],
    ] as const) {
      expect((await bob.request(method, path, { body })).status, `${method} ${path}`).toBe(403)
      expect((await gate.request(method, path, { body })).status, `${method} ${path}`).toBe(401)
    }
  })

  test('[USER-1] usernames are unique and case-insensitive', async () => {
    await make('Carol')
    const twin = await make('cAROL')
    expect([twin.status, twin.json]).toMatchObject([409, problem('conflict')])
    expect((await gate.post('/api/login', { user: 'CAROL', password })).json).toMatchObject({ username: 'Carol' })
    for (const name of ['', 'a b', '...', 'anonymous', 'ANONYMOUS', 'a/b', 'x'.repeat(65), 'bøb']) {
      const refused = await make(name)
      expect([refused.status, refused.json], name).toMatchObject([400, { problems: [{ field: 'username' }] }])
    }
  })

  test('[USER-2] a password that is too short, too long, too common or equal to the name is rejected everywhere', async () => {
    const dora = await gatehouse.user('dora')
    for (const bad of ['elevenchars', '🐈'.repeat(11), 'x'.repeat(1025), 'a tab\tin the middle', '1qaz2wsx3edc']) {
      for (const response of [
        await make('eric', { password: bad }),
        await dora.put('/api/users/dora/password', { password: bad, old_password: password }),
        await admin.put('/api/users/dora/password', { password: bad }),
        await internal.put('/api/users/dora/password', { password: bad }),
      ]) {
        expect([response.status, response.json], bad).toMatchObject([400, { problems: [{ field: 'password' }] }])
        expect(response.text).not.toContain(bad)
      }
    }
    expect((await make('twelve.signs', { password: 'Twelve.Signs' })).status).toBe(400)
    for (const [name, good] of [
      ['spaces', '  twelve  it  '],
      ['cats', '🐈'.repeat(12)],
      ['long', 'é'.repeat(512)],
    ] as const) {
      expect((await make(name, { password: good })).status).toBe(201)
      await signIn(gate, name, good)
      expect((await gate.post('/api/login', { user: name, password: good.trim().slice(1) })).status).toBe(401)
    }
    // HMAC would treat the padded password as the same.
    expect((await gate.post('/api/login', { user: 'cats', password: `${'🐈'.repeat(12)}\0` })).status).toBe(401)
  })

  test('[USER-4] only an existing role can be assigned, and the error lists the existing roles', async () => {
    for (const response of [
      await make('gus', { role: 'boss' }),
      await admin.put('/api/users/admin/role', { role: 'Admin' }),
    ]) {
      expect([response.status, response.json]).toMatchObject([400, { problems: [{ field: 'role' }] }])
      expect(response.text).toMatch(/admin, viewer, neighbor/)
    }
    expect((await make('gus', { role: '__proto__' })).status).toBe(400)
  })

  test('[USER-6] the last admin cannot be removed, not even by two concurrent requests', async () => {
    expect((await internal.delete('/api/users/admin')).status).toBe(409)
    expect((await internal.put('/api/users/admin/role', { role: 'viewer' })).json).toMatchObject(problem('conflict'))
    await make('hal', { role: 'admin' })
    const both = await Promise.all([
      internal.put('/api/users/admin/role', { role: 'viewer' }),
      internal.put('/api/users/hal/role', { role: 'viewer' }),
    ])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    await internal.put('/api/users/admin/role', { role: 'admin' })
    await internal.put('/api/users/hal/role', { role: 'viewer' })
  })
})

describe('changing your own password', () => {
  test('[USER-5] requires the current password', async () => {
    const ivy = await gatehouse.user('ivy')
    const missing = await change(ivy, 'ivy', { password: 'another long one' })
    expect([missing.status, missing.json]).toMatchObject([400, { problems: [{ field: 'old_password' }] }])
    const wrong = await change(ivy, 'ivy', { password: 'another long one', old_password: 'not it at all' })
    expect([wrong.status, wrong.json]).toMatchObject([403, problem('wrong-password')])
    expect((await change(admin, 'admin', { password: 'another long one' })).status).toBe(400)
  })

  test('[TOK-7] ends all other sessions, and this one continues with a new token', async () => {
    const here = await gatehouse.user('joe')
    const there = await signIn(gate, 'joe')
    const changed = await change(here, 'joe', { password: 'another long one', old_password: password })
    expect(changed.status).toBe(200)
    for (const old of [here, there]) expect((await old.get('/api/profile')).status).toBe(401)
    expect((await gate.with({ authorization: `Bearer ${there.token}` }).get('/api/auth')).status).toBe(401)
    const fresh = gate.with({ cookie: `gatehouse_token=${tokenIn(changed)}` })
    expect((await fresh.get('/api/profile')).status).toBe(200)
    expect((await fresh.get('/api/sessions')).json).toHaveLength(1)
  })

  test('[TOK-7] a change by an admin ends the user’s sessions and returns no token', async () => {
    const kim = await gatehouse.user('kim')
    const changed = await change(admin, 'kim', { password: 'another long one' })
    expect([changed.status, changed.cookies]).toEqual([200, []])
    expect((await kim.get('/api/profile')).status).toBe(401)
    expect((await admin.get('/api/profile')).status).toBe(200)
  })
})

describe('signing in', () => {
  test('[TOK-1] returns the user, and the token only in the cookie', async () => {
    await make('lea')
    const response = await gate.post('/api/login', { user: 'lea', password })
    expect(Object.keys(response.json as object).toSorted()).toEqual(['expires_at', 'role', 'username'])
    expect(response.text).not.toContain(tokenIn(response))
  })

  test('[PORT-3] also works on the internal port', async () => {
    const response = await internal.post('/api/login', { user: 'lea', password })
    const lea = gate.with({ cookie: `gatehouse_token=${tokenIn(response)}` })
    expect((await lea.get('/api/profile')).json).toMatchObject({ username: 'lea', auth: 'password' })
    expect((await internal.get('/api/profile')).json).toMatchObject({
      username: 'anonymous',
      role: 'admin',
      auth: 'none',
    })
  })

  test('is in the audit log, whether it succeeds or fails', async () => {
    await gate.post('/api/login', { user: 'lea', password: 'wrong password' })
    const audit = await admin.get('/api/audit')
    expect(audit.text).toMatch(/"login"/)
    expect(audit.text).not.toContain('wrong password')
  })
})

describe('sessions', () => {
  interface Listed {
    id: string
    current: boolean
    user_agent: string
  }
  const list = async (by: TestClient, query = '') => (await by.get(`/api/sessions${query}`)).json as Listed[]

  test('[TOK-6] users see and revoke their own sessions', async () => {
    const here = await gatehouse.user('mia')
    const there = await signIn(gate.with({ 'user-agent': 'another one' }), 'mia')
    const sessions = await list(here)
    expect(sessions.map(({ current, user_agent }) => [current, user_agent])).toEqual([
      [false, 'another one'],
      [true, ''],
    ])
    const other = sessions.find(({ current }) => !current)
    expect((await here.delete(`/api/sessions/${other?.id}`)).status).toBe(204)
    expect((await there.get('/api/profile')).status).toBe(401)
    expect(await list(here)).toHaveLength(1)
    for (const query of ['', '?username=mia', '?username=mia&others=true']) {
      const unclear = await here.delete(`/api/sessions${query}`)
      expect([query, unclear.status]).toEqual([query, 400])
      expect(unclear.json).toMatchObject({ problems: [{ field: query === '' ? 'user' : 'username' }] })
    }
    expect(await list(here)).toHaveLength(1)
    expect((await here.delete('/api/sessions?others=false')).status).toBe(400)
    await signIn(gate, 'mia')
    expect((await here.delete('/api/sessions?others=true')).status).toBe(204)
    expect(await list(here)).toMatchObject([{ current: true }])
  })

  test('[TOK-6] all sessions of a user are revoked in one call, by an admin or by the user', async () => {
    const one = await gatehouse.user('pat')
    const two = await signIn(gate, 'pat')
    const other = await gatehouse.user('quinn')
    expect((await other.delete('/api/sessions?user=pat')).status).toBe(403)
    expect((await one.get('/api/profile')).status).toBe(200)
    expect((await admin.delete('/api/sessions?user=pat')).status).toBe(204)
    for (const client of [one, two]) expect((await client.get('/api/profile')).status).toBe(401)
    expect((await other.get('/api/profile')).status).toBe(200)
    expect((await admin.delete('/api/sessions?user=unknown')).status).toBe(404)
    const [again, spared] = [await signIn(gate, 'pat'), await signIn(gate, 'pat')]
    expect((await spared.delete('/api/sessions?user=pat&others=true')).status).toBe(204)
    expect([(await again.get('/api/profile')).status, (await spared.get('/api/profile')).status]).toEqual([401, 200])
    expect((await spared.delete('/api/sessions?user=pat')).status).toBe(204)
    expect((await spared.get('/api/profile')).status).toBe(401)
  })

  test('a profile says when the session expires, or null where there is no session', async () => {
    const { expires_at: at } = (await admin.get('/api/profile')).json as { expires_at: string }
    expect(Date.parse(at)).toBeGreaterThan(Date.now() + 60_000)
    expect((await gatehouse.internal.get('/api/profile')).json).toMatchObject({ expires_at: null })
  })

  test('[TOK-6] only the owner and admins can access sessions', async () => {
    const ned = await gatehouse.user('ned')
    const ora = await gatehouse.user('ora')
    const [session] = await list(ned)
    expect((await ora.get('/api/sessions?user=ned')).status).toBe(403)
    expect((await ora.get('/api/sessions?user=unknown')).status).toBe(403)
    expect((await ora.get('/api/sessions?user=ORA')).status).toBe(200)
    expect((await ora.delete(`/api/sessions/${session?.id}`)).status).toBe(403)
    expect((await ora.delete('/api/sessions/00')).status).toBe(403)
    expect((await admin.delete('/api/sessions/00')).status).toBe(404)
    expect((await admin.get('/api/sessions?user=unknown')).status).toBe(404)
    expect(await list(admin, '?user=NED')).toHaveLength(1)
    expect((await admin.delete(`/api/sessions/${session?.id}`)).status).toBe(204)
    expect((await ned.get('/api/profile')).status).toBe(401)
  })
})

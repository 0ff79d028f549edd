import { beforeEach, describe, expect, test } from 'vitest'
import { testSession } from '../../../test/support/test-session.ts'
import { internalAdmin, type Identity, type Owner } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import type { RouteResponse } from '../../http/response.ts'
import type { Input, Method, Route } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { fakeAccountStore } from '../../../test/support/fake-account-store.ts'
import { newUser } from '../../users/new-user.ts'
import { databaseOwner } from '../../users/user.ts'
import { sessionsRoutes } from './sessions.routes.ts'
import type { Session } from '../../users/accounts/session.ts'
import type { ActiveSession } from './sessions.ts'

const made = (name: string) =>
  newUser({ name, role: 'viewer', hash: '', origin: 'own' }, { clock: systemClock, random: systemRandom })
const ann = made('Ann')
const bob = made('bob')
const session = (id: string, user: typeof ann): ActiveSession<Session> => ({
  session: testSession(id, user, { createdAt: 1000, lastSeenAt: 2000, expiresAt: 3000 }),
  expiresAt: 4000,
  lastSeenAt: 5000,
  writtenExpiry: 3000,
  writtenSeenAt: 2000,
})
const rows = [session('a1', ann), session('a2', ann), session('b1', bob)]

const identityOf = ({ name, key, id }: typeof ann, current: string | undefined): Identity => ({
  kind: 'authenticated',
  authMethod: 'password',
  name,
  key,
  userId: id,
  role: 'viewer',
  session: current,
})
const asAnn = identityOf(ann, 'a1')
const fromProxy: Identity = { ...internalAdmin, authMethod: 'proxy', name: 'bob', key: 'bob' }

/** What was different about the user for whom the request was allowed. */
let decidedFor: Partial<Owner> = {}
/** What the routes ended: an id, or a user and the session that is kept. */
let ended: unknown[] = []
let entries: AuditEntry[] = []
let routes: Route[] = []

beforeEach(async () => {
  decidedFor = {}
  ended = []
  entries = []
  const store = fakeAccountStore()
  for (const user of [ann, bob]) await store.addUser(user, testEntry, 0)
  for (const { session } of rows) store.rows.sessions.set(session.id, session)
  routes = sessionsRoutes({
    store: { ...store, userById: async (id) => (typeof id === 'string' ? store.userById(id) : expect.unreachable()) },
    sessions: {
      ofUser: async (userId) => rows.filter(({ session }) => session.userId === userId),
      async end(id, entry) {
        ended.push(id)
        entries.push(entry)
        return rows.some(({ session }) => session.id === id)
      },
      async revokeAllOf(userId, entry, except) {
        ended.push([userId, except])
        entries.push(...[entry(1)].flat())
      },
    },
  })
})

const routeOf = (method: Method, path: string): Route =>
  routes.find((each) => each.methods.includes(method) && each.path === path)!

interface Sent {
  readonly query?: object
  readonly params?: object
}

/** @param isOwn as the rule decided it */
function call(method: Method, path: string, identity: Identity, { query = {}, params = {} }: Sent, isOwn = true) {
  const input = { query, params, body: undefined, header: () => undefined } as unknown as Input<never>
  const user = 'user' in query ? [ann, bob].find(({ key }) => key === query.user) : undefined
  const owner = user && { ...databaseOwner(user), ...decidedFor }
  const caller = { identity, isOwn, owner, client: { address: '192.0.2.1' } } as unknown as Caller
  return routeOf(method, path).handle!(input, caller) as Promise<unknown>
}
const partsOf = (result: unknown) => (result as RouteResponse).parts

describe('[USER-5] the owner that a rule finds', () => {
  const owner = { authMethod: 'password', key: 'ann', userId: ann.id }

  test.each<[Method, string, string, unknown]>([
    ['GET', '/api/sessions', 'ANN', owner],
    ['GET', '/api/sessions', 'eve', undefined],
    ['GET', '/api/sessions', 'not a name:', undefined],
    ['DELETE', '/api/sessions', 'ann', owner],
    ['DELETE', '/api/sessions/:id', 'a2', owner],
    ['DELETE', '/api/sessions/:id', 'x', undefined],
  ])('%s %s with %s', async (method, path, named, found) => {
    const { access } = routeOf(method, path)
    expect('own' in access && (await access.own.find(named))).toEqual(found)
  })

  test('is unknown for the session of a deleted user', async () => {
    routes = sessionsRoutes({
      store: {
        userByKey: async () => undefined,
        userById: async () => undefined,
        session: async () => rows[0]!.session,
      },
      sessions: { ofUser: async () => [], end: async () => false, revokeAllOf: async () => undefined },
    })
    const { access } = routeOf('DELETE', '/api/sessions/:id')
    expect('own' in access && (await access.own.find('a1'))).toBeUndefined()
  })
})

const list = async (identity: Identity, query: object) =>
  ((await call('GET', '/api/sessions', identity, { query })) as { id: string; current: boolean }[]).map(
    ({ id, current }) => [id, current],
  )

describe('[TOK-6] a list of sessions', () => {
  const ofAnn = [
    ['a1', true],
    ['a2', false],
  ]

  test.each<[Identity, object, unknown[]]>([
    [asAnn, {}, ofAnn],
    [asAnn, { user: 'ANN' }, ofAnn],
    [asAnn, { user: 'bob' }, [['b1', false]]],
    [asAnn, { user: 'eve' }, []],
    [identityOf({ ...ann, id: 'an earlier ann' }, 'a1'), {}, []],
    [fromProxy, {}, []],
    [internalAdmin, {}, []],
    [internalAdmin, { user: 'bob' }, [['b1', false]]],
  ])('for %j with %j is %j', async (identity, query, found) => {
    expect(await list(identity, query)).toEqual(found)
  })

  test('has every field of a session, with the values that are not written yet', async () => {
    expect(await call('GET', '/api/sessions', asAnn, {})).toContainEqual({
      id: 'a2',
      username: 'Ann',
      created_at: '1970-01-01T00:00:01.000Z',
      last_seen_at: '1970-01-01T00:00:05.000Z',
      expires_at: '1970-01-01T00:00:04.000Z',
      address: '192.0.2.7',
      user_agent: 'a browser',
      current: false,
    })
  })
})

const revokeOne = (id: string) => call('DELETE', '/api/sessions/:id', asAnn, { params: { id } })

describe('[TOK-6] one session', () => {
  test.each([
    ['a1', 'clear'],
    ['a2', undefined],
  ])('%s is revoked, and the cookie: %s', async (id, session) => {
    expect(partsOf(await revokeOne(id))).toEqual(session ? { session } : {})
    expect([ended, entries]).toMatchObject([
      [id],
      [{ action: 'session.revoke', result: 'success', user: 'Ann', address: '192.0.2.1', target: id }],
    ])
  })

  test('that does not exist is not found', async () => {
    await expect(revokeOne('x')).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-session' })
  })
})

const revoke = (query: object, identity = asAnn, isOwn = true) =>
  call('DELETE', '/api/sessions', identity, { query }, isOwn)

describe('[TOK-6] all sessions', () => {
  test.each<[object, boolean, unknown, 'clear' | undefined, object]>([
    [{ user: 'ann' }, true, [ann.id, undefined], 'clear', { target: 'Ann' }],
    [{ user: 'bob' }, false, [bob.id, undefined], undefined, { target: 'bob' }],
    [{ others: 'true' }, true, [ann.id, 'a1'], undefined, { target: 'Ann', detail: 'other-sessions' }],
    [{ user: 'ann', others: 'true' }, true, [ann.id, 'a1'], undefined, { target: 'Ann', detail: 'other-sessions' }],
    [{ user: 'bob', others: 'true' }, false, [bob.id, 'a1'], undefined, { target: 'bob' }],
  ])('of %j, own: %s', async (query, isOwn, of, session, entry) => {
    expect(partsOf(await revoke(query, asAnn, isOwn))).toEqual(session ? { session } : {})
    expect(ended).toEqual([of])
    expect(entries).toEqual([
      {
        action: 'session.revoke',
        result: 'success',
        user: 'Ann',
        auth_method: 'password',
        address: '192.0.2.1',
        ...entry,
      },
    ])
  })

  test('a caller with a token without a session has none to keep', async () => {
    expect(partsOf(await revoke({ others: 'true' }, identityOf(ann, undefined)))).toEqual({
      session: 'clear',
    })
    expect(ended).toEqual([[ann.id, undefined]])
  })

  test('need a parameter, so that a caller cannot sign out by accident', async () => {
    await expect(revoke({})).rejects.toMatchObject({ code: 'invalid-request', problems: [{ field: 'user' }] })
    expect(ended).toEqual([])
  })

  test('are not revoked if a parameter is misspelled', () => {
    const validate = validatorFor(routeOf('DELETE', '/api/sessions').schema.querystring!, 'querystring')
    expect(validate({ user: 'ann', others: 'true' })).toEqual({ user: 'ann', others: 'true' })
    expect(() => validate({ user: 'ann', other: 'true' })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
  })

  test('[ROLE-10] are not those of a later user with the name', async () => {
    decidedFor = { userId: 'another' }
    await expect(revoke({ user: 'bob' }, asAnn, false)).rejects.toMatchObject({ code: 'not-found' })
    expect(ended).toEqual([])
  })

  test('of an unknown user are not found, and a caller who is not in the database has none', async () => {
    await expect(revoke({ user: 'eve' }, internalAdmin)).rejects.toMatchObject({
      code: 'not-found',
      reason: 'no-such-user',
    })
    expect(await revoke({ others: 'true' }, fromProxy)).toBeUndefined()
    expect(ended).toEqual([])
  })
})

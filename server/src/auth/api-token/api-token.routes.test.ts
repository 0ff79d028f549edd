import { describe, expect, test } from 'vitest'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { scopeOf } from '../../access/grant.ts'
import { internalAdmin, type Principal } from '../../access/identity.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import type { Caller } from '../../http/caller.ts'
import { RouteResponse } from '../../http/response.ts'
import type { Input, Method, Route } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { cursorOf } from '../../shared/http/cursor.ts'
import { systemRandom } from '../../shared/random.ts'
import { hashOfSecret } from '../link-secret.ts'
import { apiTokenRoutes, type NewApiTokenResponse } from './api-token.routes.ts'
import type { NewApiToken } from './api-token-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const ann = testUser('ann', { credentialVersion: 3 })
const asAnn: Principal = { ...internalAdmin, authMethod: 'password', name: 'ann', key: 'ann', userId: ann.id }
const token = testApiToken()
const { id } = token
const asToken: Principal = { ...asAnn, credential: { kind: 'token', id, name: 'x', limits: {}, expiresAt: null } }

interface Sent {
  readonly identity?: Principal
  readonly query?: object
  readonly body?: object
}

function world() {
  const at = {
    tokens: [token],
    user: ann as typeof ann | undefined,
    result: 'added' as 'added' | 'absent' | 'revoked' | 'full',
    family: [token],
    requested: [] as unknown[],
    added: [] as { token: NewApiToken; owner: number; max: number; entry: AuditEntry }[],
    revoked: [] as AuditEntry[],
    published: [] as Invalidation[],
  }
  const routes = apiTokenRoutes({
    store: {
      async tokensById(ids) {
        at.requested.push(ids)
        return at.tokens.filter((each) => ids.includes(each.id))
      },
      tokensOf: async (userId) => at.tokens.filter((each) => each.userId === userId),
      async tokens(...page) {
        at.requested.push(page)
        return at.tokens
      },
      async add(made, owner, max, entry) {
        at.added.push({ token: made, owner, max, entry })
        return at.result
      },
      async revoke(_id, entryOf) {
        at.revoked.push(...at.family.map(entryOf))
        return at.family.map((each) => each.id)
      },
      noteUses: async () => undefined,
    },
    accounts: {
      userByKey: async (key) => (key === 'ann' ? at.user : undefined),
      userById: async (userId) => (userId === at.user?.id ? at.user : undefined),
    },
    uses: { unwritten: () => undefined },
    keys: { keyOf: (name) => cameraKey(`${name}~1`), nameOf: (key) => key.replace('~1', '') },
    cameraNames: () => ['yard', 'door'],
    publish: (invalidation) => void at.published.push(invalidation),
    clock: createTestClock({ now }),
    random: systemRandom,
  })
  const routeOf = (method: Method, path: string): Route =>
    routes.find((each) => each.methods.includes(method) && each.path === path)!
  const call = async (
    method: Method,
    path: string,
    { identity = asAnn, query = {}, body = { name: 'Home' } }: Sent = {},
  ) => {
    const client = { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
    const scope = scopeOf({ actions: new Set(), cameras: 'all' })
    const caller = { identity, client, scope, actions: ['live', 'history'] } as unknown as Caller
    const input = { params: { id }, query, body } as unknown as Input<never>
    const result: unknown = await routeOf(method, path).handle!(input, caller)
    return result instanceof RouteResponse ? result.parts : result
  }
  return { at, routeOf, call }
}

const by = { user: 'ann', auth_method: 'password', address: '192.0.2.1', result: 'success' }
const findIn = ({ access }: Route) => (access as { own: { find(value: string): Promise<unknown> } }).own.find
const owner = { authMethod: 'password', key: 'ann', userId: ann.id }

describe('[KEY-1] the list of tokens', () => {
  test.each<[string, Sent, number]>([
    ['of the caller', {}, 1],
    ['of a user', { query: { user: 'ANN' }, identity: internalAdmin }, 1],
    ['of a user who does not exist', { query: { user: 'eve' } }, 0],
    ['of a text that isn’t a name', { query: { user: 'a:b' } }, 0],
    ['of a caller who isn’t a user of the database', { identity: internalAdmin }, 0],
  ])('%s', async (_whose, sent, count) => {
    const { at, call } = world()
    at.tokens = [token, testApiToken({ id: 'another', userId: 'another' })]
    expect(await call('GET', '/api/tokens', sent)).toMatchObject(count === 0 ? [] : [{ id, owner: 'ann' }])
  })

  test('belongs to the user who is named', async () => {
    const find = findIn(world().routeOf('GET', '/api/tokens'))
    expect([await find('ANN'), await find('eve'), await find('a:b')]).toEqual([owner, undefined, undefined])
  })

  test.each([
    [199, null],
    [200, cursorOf(now, id)],
  ])('of all users: with %i tokens on a page, the next one is at %j', async (length, cursor) => {
    const { at, call } = world()
    at.tokens = Array.from({ length }, () => token)
    const found = await call('GET', '/api/tokens/all')
    expect(found).toMatchObject({ tokens: at.tokens.map(() => ({ id })), cursor })
    await call('GET', '/api/tokens/all', { query: { cursor: cursorOf(5, id) } })
    expect(at.requested).toEqual([
      [undefined, 200],
      [{ at: 5, id }, 200],
    ])
  })

  test.each([`${id}0`, `0${id}`])('of all users begins at no other text than the id of a token: %s', async (text) => {
    const query = { cursor: cursorOf(5, text) }
    await expect(world().call('GET', '/api/tokens/all', { query })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('[KEY-1] a token that is created', () => {
  test('is returned with its secret, which is stored nowhere', async () => {
    const { at, call } = world()
    const body = { name: 'Home', cameras: ['yard'], actions: ['live'] }
    const { status, body: sent } = (await call('POST', '/api/tokens', { body })) as RouteResponse['parts']
    const { token: text, ...view } = sent as NewApiTokenResponse
    const made = {
      id: view.id,
      userId: ann.id,
      name: 'Home',
      cameras: ['yard~1'],
      actions: ['live'],
      secretHash: hashOfSecret(text.slice(-43)),
      createdAt: now,
      expiresAt: null,
      credentialVersion: 3,
      parentId: null,
    }
    const entry = { ...by, action: 'token.create', target: view.id, detail: 'Home: yard; live' }
    expect(text).toBe(`gh_${view.id}_${text.slice(-43)}`)
    expect(view).toMatchObject({ owner: 'ann', cameras: ['yard'], last_used_at: null, ends_with_password: true })
    expect([status, at.added]).toEqual([201, [{ token: made, owner: 3, max: 100, entry }]])
  })

  test('need not end with the password, or have limits', async () => {
    const { at, call } = world()
    await call('POST', '/api/tokens', { body: { name: 'Home', ends_with_password: false } })
    expect(at.added[0]).toMatchObject({
      token: { credentialVersion: null },
      entry: { detail: 'Home: all cameras; default actions' },
    })
  })

  test('by a token has no more than that', async () => {
    const { at, call } = world()
    at.tokens = [testApiToken({ expiresAt: now + 5 })]
    const created = await call('POST', '/api/tokens', { identity: asToken })
    expect(created).toMatchObject({ body: { parent: { id, name: token.name } } })
    const { expiresAt, parentId } = at.added[0]!.token
    expect([at.requested, expiresAt, parentId]).toEqual([[[id]], now + 5, id])
    at.result = 'revoked'
    await expect(call('POST', '/api/tokens', { identity: asToken })).rejects.toMatchObject({ code: 'unauthenticated' })
    at.result = 'added'
    at.tokens = []
    await expect(call('POST', '/api/tokens', { identity: asToken })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test.each([
    ['the caller isn’t a user of the database', (_of: ReturnType<typeof world>) => internalAdmin],
    [
      'the user was deleted',
      ({ at }: ReturnType<typeof world>) => {
        at.user = undefined
        return asAnn
      },
    ],
    [
      'the name is that of a later user now',
      ({ at }: ReturnType<typeof world>) => {
        at.user = testUser('ann', { id: 'a later ann' })
        return asAnn
      },
    ],
    [
      'the user has another password now',
      ({ at }: ReturnType<typeof world>) => {
        at.result = 'absent'
        return asAnn
      },
    ],
  ])('is refused if %s', async (_why, change) => {
    const of = world()
    const identity = change(of)
    await expect(of.call('POST', '/api/tokens', { identity })).rejects.toMatchObject({ reason: 'no-account' })
  })

  test('is refused if its user has 100', async () => {
    const { at, call } = world()
    at.result = 'full'
    const refused = { code: 'conflict', reason: 'too-many-tokens', values: { max: 100 } }
    await expect(call('POST', '/api/tokens')).rejects.toMatchObject(refused)
  })

  test('is never one of another user', async () => {
    const { querystring } = world().routeOf('POST', '/api/tokens').schema
    expect(() => validatorFor(querystring!, 'querystring')({ user: 'ben' })).toThrow(
      expect.objectContaining({ code: 'invalid-request' }),
    )
  })
})

describe('[KEY-5] a token that is revoked', () => {
  const path = '/api/tokens/:id'

  test('ends at once, with those that it created', async () => {
    const { at, call } = world()
    at.family = [token, testApiToken({ id: 'another', name: 'y' })]
    expect(await call('DELETE', path)).toBeUndefined()
    expect(at.revoked).toEqual([
      { ...by, action: 'token.revoke', target: id, detail: 'ann: x' },
      { ...by, action: 'token.revoke', target: 'another', detail: 'ann: y' },
    ])
    expect(at.published).toEqual([id, 'another'].map((each) => ({ kind: 'credential', id: each })))
  })

  test('is not found if it does not exist, or another request has revoked it', async () => {
    const { at, call } = world()
    const refused = { code: 'not-found', reason: 'no-such-token' }
    at.family = []
    await expect(call('DELETE', path)).rejects.toMatchObject(refused)
    expect(at.published).toEqual([{ kind: 'credential', id }])
  })

  test('belongs to its owner; a text that isn’t an id is not looked up', async () => {
    const { at, routeOf } = world()
    const find = findIn(routeOf('DELETE', path))
    expect([await find(id), await find(`${id}0`), await find(`0${id}`)]).toEqual([owner, undefined, undefined])
    expect(at.requested).toEqual([[id]])
    at.user = undefined
    expect(await find(id)).toBeUndefined()
    at.tokens = []
    expect(await find(id)).toBeUndefined()
  })
})

test('[MFA-4] creating and revoking a token has to be confirmed', () => {
  const { routeOf } = world()
  expect([routeOf('POST', '/api/tokens').confirm, routeOf('DELETE', '/api/tokens/:id').confirm]).toEqual([true, true])
})

import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import type { BareServerOptions } from '../../test/support/bare-server.ts'
import { authenticated, named, routeTo, testPort, type Handle } from '../../test/support/test-port.ts'
import { emptyGrant, narrowScope, scopeOf } from '../access/grant.ts'
import { fakeRoles } from '../../test/support/fake-roles.ts'
import type { AccessRule } from '../access/rule.ts'
import type { Caller } from '../http/caller.ts'
import { RequestContext } from './request-context.ts'

/** What the handler saw of its caller. */
async function seen<T>(
  of: (caller: Caller, header: (name: string) => string | undefined) => T,
  more: Partial<BareServerOptions> = {},
  { access = { signedIn: true }, url = '/api/x' }: { access?: AccessRule; url?: string } = {},
): Promise<T | undefined> {
  let result: T | undefined
  const reads = 'camera' in access && { reads: 'snapshot' as const }
  const schema = {
    summary: '',
    querystring: Type.Object({ user: Type.Optional(Type.String()), cameras: Type.Optional(Type.String()) }),
  }
  const handle: Handle = ({ header }, caller) => {
    result = of(caller, header)
    return {}
  }
  const { send } = await testPort({ routes: [routeTo(handle, { access, schema, ...reads })], ...more })
  await send({ url, headers: { 'x-own': 'a', 'set-cookie': ['b', 'c'] } })
  return result
}

const scopesOfParts = (caller: Caller) =>
  (['live', 'delete'] as const).map((part) => [caller.hasPart(part), caller.scopeOfPart(part)])

const errorOf = (use: (caller: Caller) => unknown) => (caller: Caller) => {
  try {
    use(caller)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const bob = { authMethod: 'password', key: 'bob', userId: null } as const
const findBob = async () => bob

describe('what a handler gets', () => {
  test('is the grant of its caller, as a scope and as actions', async () => {
    const roles = fakeRoles(new Map([['guard', ['yard']]]))
    const grant = roles.grantOf('guard')
    const authentication = authenticated(named('gil', 'guard'))
    const found = await seen(({ scope, actions }) => [scope, actions], { authentication, roles })
    expect(found).toEqual([scopeOf(grant), [...grant.actions]])
  })

  test.each([true, false])('is whether a proxy authenticates the request: %s', async (isProxied) => {
    expect(await seen((caller) => caller.isProxied, { isProxied: () => isProxied })).toBe(isProxied)
  })

  test.each([
    ['/api/x', true],
    ['/api/x?user=bob', false],
  ])('is whether the resource is the caller’s own: at %s %s', async (url, isOwn) => {
    const access: AccessRule = { own: { of: 'query', name: 'user', find: findBob }, or: 'users.manage' }
    const authentication = authenticated(named('ada', 'admin'))
    expect(await seen((caller) => caller.isOwn, { authentication }, { access, url })).toBe(isOwn)
  })

  test.each([
    ['/api/x', undefined],
    ['/api/x?user=bob', bob],
  ])('[ROLE-10] is whose resource was named when it was allowed: at %s %j', async (url, owner) => {
    const access: AccessRule = { own: { of: 'query', name: 'user', find: findBob }, or: 'users.manage' }
    const authentication = authenticated(named('ada', 'admin'))
    expect(await seen((caller) => [caller.owner], { authentication }, { access, url })).toEqual([owner])
  })

  test('[GRANT-2] is the scope of a part, within the requested cameras', async () => {
    const roles = fakeRoles(new Map([['guard', ['yard', 'door']]]))
    const inQuery = { of: 'query', name: 'cameras' } as const
    const access: AccessRule = { cameras: 'any', requested: inQuery, parts: ['live', 'delete'] }
    const options = { authentication: authenticated(named('gil', 'guard')), roles }
    const grant = roles.grantOf('guard')
    const of = (cameras: string[] | undefined) => [
      [true, narrowScope(scopeOf(grant), cameras)],
      [false, narrowScope(scopeOf(emptyGrant), cameras)],
    ]
    expect(await seen(scopesOfParts, options, { access })).toEqual(of(undefined))
    expect(await seen(scopesOfParts, options, { access, url: '/api/x?cameras=yard' })).toEqual(of(['yard']))
  })

  test('[KEY-2] is the whole scope for an action on the service, whichever cameras it concerns', async () => {
    const access: AccessRule = { service: 'cameras.manage', about: { of: 'path', find: () => ['yard', 'gone'] } }
    const authentication = authenticated(named('ada', 'admin'))
    const all = scopeOf(fakeRoles(new Map()).grantOf('admin'))
    expect(await seen(({ scope }) => scope, { authentication }, { access })).toEqual(all)
  })

  test('[GRANT-2] has no part that its rule does not declare, and no camera if the rule isn’t one of a camera', async () => {
    const access: AccessRule = { cameras: 'any', parts: ['live'] }
    for (const use of [
      (caller: Caller) => caller.scopeOfPart('audio'),
      (caller: Caller) => caller.hasPart('audio'),
      (caller: Caller) => caller.camera,
    ]) {
      expect(await seen(errorOf(use), {}, { access })).toMatch(/^the rule /)
    }
    const ofCamera: AccessRule = { camera: 'live', of: async () => 'yard' }
    expect(await seen((caller) => caller.camera, {}, { access: ofCamera })).toBe('yard')
  })

  test('[ROLE-10] has no camera that its grant has lost', async () => {
    const access: AccessRule = { camera: 'live', of: async () => 'yard' }
    const lost = errorOf((caller) => {
      if (caller instanceof RequestContext) caller.reauthorized(emptyGrant, { camera: 'yard' })
      return caller.camera
    })
    expect(await seen(lost, {}, { access })).toBe('the camera is not in the scope')
  })

  test('is a header as it was sent, or the first of several', async () => {
    const headers = await seen((_caller, header) => ['x-own', 'set-cookie', 'x-other'].map((name) => header(name)))
    expect(headers).toEqual(['a', 'b', undefined])
  })
})

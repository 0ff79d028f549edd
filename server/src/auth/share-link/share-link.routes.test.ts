import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import { scopeOf, type Grant } from '../../access/grant.ts'
import { internalAdmin, type Identity, type Principal } from '../../access/identity.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import type { CameraOf } from '../../access/rule.ts'
import type { Caller } from '../../http/caller.ts'
import { RouteResponse } from '../../http/response.ts'
import type { Input, Method, Route } from '../../http/route.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { shareLinkRoutes } from './share-link.routes.ts'

const now = 1_700_000_000_000
const link = testShareLink()
const { id } = link
const ann: Principal = { ...internalAdmin, authMethod: 'password', name: 'ann', key: 'ann', userId: 'id of ann' }

function world() {
  const at = {
    links: [link],
    isRevoked: true,
    requested: [] as unknown[],
    published: [] as Invalidation[],
    revoked: [] as [string, number, AuditEntry][],
  }
  const routes = shareLinkRoutes({
    store: {
      async links(...of) {
        at.requested.push(of)
        return at.links
      },
      async linksById(ids) {
        at.requested.push(ids)
        return at.links
      },
      async revoke(...revoked) {
        at.revoked.push(revoked)
        return at.isRevoked
      },
    },
    newLinks: {
      cameraOf: async ({ camera }) => camera,
      create: async () => ({ link, secret: 'secret' }),
    },
    shareLinks: {
      endOf: async () => 'link-expired',
      slots: { hold: async () => 'full', counts: async () => new Map([[id, 3]]) },
    },
    publish: (invalidation) => void at.published.push(invalidation),
    keys: { nameOf: (key) => key },
    clock: createTestClock({ now }),
  })
  const routeOf = (method: Method, path: string): Route =>
    routes.find((each) => each.methods.includes(method) && each.path === path)!
  return {
    at,
    routeOf,
    async call(method: Method, path: string, identity: Identity = ann, cameras: Grant['cameras'] = 'all') {
      const client = { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: 'cam', basePath: '/base/' }
      const caller = { identity, client, scope: scopeOf({ actions: new Set(), cameras }) } as unknown as Caller
      const input = { params: { id }, query: {}, body: {} } as unknown as Input<never>
      const result: unknown = await routeOf(method, path).handle!(input, caller)
      return result instanceof RouteResponse ? result.parts : result
    },
  }
}

const noLink = { code: 'not-found', reason: 'no-such-link' }

describe('[LINK-1] a list of links', () => {
  test.each([
    ['/api/links', ['id of ann']],
    ['/api/links/all', []],
  ])('%s says how many viewers each has, and why it has ended', async (path, requested) => {
    const { at, call } = world()
    at.links = [link, testShareLink({ id: 'another' })]
    expect(await call('GET', path)).toMatchObject([
      { id, viewers: 3, state: 'expired' },
      { id: 'another', viewers: 0, state: 'expired' },
    ])
    expect(at.requested).toEqual([requested])
  })

  test('[KEY-1] of all users has, for a token for some cameras, only those of these', async () => {
    const { at, call } = world()
    at.links = [link, testShareLink({ id: 'another', camera: cameraKey('door~2') })]
    expect(await call('GET', '/api/links/all', ann, new Set(['door~2']))).toMatchObject([{ id: 'another' }])
  })

  test('is empty for a caller who isn’t a user of the database', async () => {
    const { at, call } = world()
    expect([await call('GET', '/api/links', internalAdmin), at.requested]).toEqual([[], []])
  })
})

describe('[LINK-1] a link that is created', () => {
  test('is returned with its URL, which no one watches yet', async () => {
    const url = `https://cam/base/s/${id}#secret`
    expect(await world().call('POST', '/api/links')).toMatchObject({
      status: 201,
      body: { id, url, viewers: 0, state: 'expired' },
    })
  })

  test('is missing if it was deleted by then', async () => {
    const { at, call } = world()
    at.links = []
    await expect(call('POST', '/api/links')).rejects.toMatchObject(noLink)
  })

  test('is one of the camera that its body names', async () => {
    const { access } = world().routeOf('POST', '/api/links')
    const { inBody } = (access as { of: Extract<CameraOf, { readonly inBody: unknown }> }).of
    expect(await inBody({ camera: 'yard' })).toBe('yard')
  })
})

describe('[LINK-1] a link that is revoked', () => {
  const path = '/api/links/:id'

  test('ends at once, at every instance', async () => {
    const { at, call } = world()
    expect(await call('DELETE', path)).toBeUndefined()
    const by = { user: 'ann', auth_method: 'password', address: '192.0.2.1' }
    const entry = { ...by, action: 'link.revoke', result: 'success', target: id, camera: 'yard~1' }
    expect(at.revoked).toEqual([[id, now, { ...entry, detail: 'ann: live yard' }]])
    expect(at.published).toEqual([{ kind: 'credential', id }])
  })

  test('is not found if it does not exist, or was deleted by then', async () => {
    const { at, call } = world()
    at.isRevoked = false
    await expect(call('DELETE', path)).rejects.toMatchObject(noLink)
    expect(at.published).toEqual([{ kind: 'credential', id }])
    at.links = []
    await expect(call('DELETE', path)).rejects.toMatchObject(noLink)
    expect(at.revoked).toHaveLength(1)
  })

  test('belongs to its creator; a text that isn’t an id is not looked up', async () => {
    const { at, routeOf } = world()
    const { find } = (routeOf('DELETE', path).access as { own: { find(value: string): Promise<unknown> } }).own
    expect(await find(id)).toEqual({ authMethod: 'password', key: 'ann', userId: 'id of ann' })
    expect([await find('x'), at.requested]).toEqual([undefined, [[id]]])
    at.links = []
    expect(await find(id)).toBeUndefined()
  })
})

test('[MFA-4] creating and revoking a link has to be confirmed', () => {
  const { routeOf } = world()
  expect([routeOf('POST', '/api/links').confirm, routeOf('DELETE', '/api/links/:id').confirm]).toEqual([true, true])
})

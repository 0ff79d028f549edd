import { describe, expect, test } from 'vitest'
import { emptyGrant, type Grant } from '../access/grant.ts'
import { internalAdmin, unauthenticated, type Owner } from '../access/identity.ts'
import { aboutPathCamera, listIn, type AccessRule, type Sent } from '../access/rule.ts'
import { decideBeforeBody, isDecidedByBody, withoutRemovedCameras, resolveResource } from './resource.ts'

const exists = (name: string): boolean => ['yard', 'door'].includes(name)
const inQuery: AccessRule = { cameras: 'history', requested: { of: 'query', name: 'cameras' } }
const ofThing = new Map([['a', 'yard'], ['b', 'gone']]) // oxfmt-ignore
const inBody: AccessRule = {
  cameras: 'history',
  requested: { of: 'body', name: 'filter.cameras' },
  resources: { name: 'ids', find: async (ids) => ids.map((id) => ofThing.get(id)) },
}

const request = (more: Partial<Sent>): Sent => ({ params: {}, query: {}, ...more })

describe('[ROLE-4] [ROLE-5] every camera a request names is checked', () => {
  test.each<[unknown, unknown]>([
    [undefined, undefined],
    ['yard', ['yard']],
    ['yard,door', ['yard', 'door']],
    ['yard,office', ['yard', undefined]],
    ['', [undefined]],
    ['yard,', ['yard', undefined]],
    ['yard, door', ['yard', undefined]],
    [
      ['yard', 'door'],
      ['yard', 'door'],
    ],
    [{ yard: 1 }, [undefined]],
  ])('a query with %j', async (cameras, requested) => {
    const query = cameras === undefined ? {} : { cameras }
    expect((await resolveResource(inQuery, request({ query }), exists)).requested).toEqual(requested)
  })

  test.each<[unknown, unknown]>([
    [undefined, undefined],
    [{}, undefined],
    [{ filter: {} }, undefined],
    [{ filter: null }, undefined],
    [{ filter: { cameras: null } }, undefined],
    [{ ids: null }, undefined],
    [null, undefined],
    [{ filter: { cameras: ['yard'] } }, ['yard']],
    [{ filter: { cameras: ['yard', 'office', 7] } }, ['yard', undefined, undefined]],
    [{ filter: { cameras: 'yard' } }, [undefined]],
    [{ ids: [] }, []],
    [{ ids: ['a'] }, ['yard']],
    [{ ids: ['a', 'b', 'c'] }, ['yard', undefined, undefined]],
    [{ ids: 'a' }, [undefined]],
    [{ ids: ['a', 7] }, [undefined]],
    [{ filter: { cameras: ['door'] }, ids: ['a'] }, ['door', 'yard']],
    ['text', undefined],
    [['a'], undefined],
  ])('a body of %j', async (body, requested) => {
    expect((await resolveResource(inBody, request({ body }), exists)).requested).toEqual(requested)
  })

  test('only what a body itself contains is a name, and only text is the name of a camera', async () => {
    const rule: AccessRule = { cameras: 'history', requested: { of: 'body', name: 'toString' } }
    expect(await resolveResource(rule, request({ body: {} }), exists)).toEqual({ requested: undefined })
    const body = { filter: { cameras: [7] } }
    expect(await resolveResource(inBody, request({ body }), () => true)).toEqual({ requested: [undefined] })
  })

  test.each<[AccessRule, Partial<Sent>, unknown]>([
    [{ camera: 'live', of: 'path' }, { params: { camera: 'yard' }, body: { camera: 'door' } }, 'yard'],
    [{ camera: 'live', of: 'path' }, { params: { camera: 'office' } }, undefined],
    [{ camera: 'live', of: 'body' }, { params: { camera: 'yard' }, body: { camera: 'door' } }, 'door'],
    [{ camera: 'live', of: 'body' }, { params: { camera: 'yard' } }, undefined],
    [{ camera: 'live', of: { inBody: async (body) => ofThing.get(String(body)) } }, { body: 'a' }, 'yard'],
    [{ camera: 'live', of: async ({ id }) => ofThing.get(id ?? '') }, { params: { id: 'a' } }, 'yard'],
    [{ camera: 'live', of: async ({ id }) => ofThing.get(id ?? '') }, { params: { id: 'b' } }, undefined],
  ])('rule %o, request %j: camera %s', async (rule, input, camera) => {
    expect(await resolveResource(rule, request(input), exists)).toEqual({ camera })
  })
})

describe('[KEY-2] the cameras that an action on the service concerns', () => {
  const inPath: AccessRule = { service: 'cameras.manage', about: aboutPathCamera }
  const listed: AccessRule = { service: 'cameras.manage', about: { of: 'body', find: (all) => listIn(all, 'cameras') } }
  const late: AccessRule = { service: 'cameras.manage', about: { of: 'path', find: async () => ['yard', 'office'] } }
  const anyOne: AccessRule = { service: 'cameras.manage', about: { of: 'path', find: () => 'all-cameras' } }

  test.each<[AccessRule, Partial<Sent>, unknown]>([
    [inPath, { params: { camera: 'yard' } }, { about: ['yard'] }],
    [inPath, { params: { camera: 'office' } }, { about: [undefined] }],
    [inPath, { params: {} }, { about: [undefined] }],
    [listed, { body: { cameras: ['yard', 'office', 7] } }, { about: ['yard', undefined, undefined] }],
    [listed, { body: { cameras: 'yard' } }, { about: [undefined] }],
    [listed, { body: { cameras: null } }, { about: [] }],
    [listed, { body: Object.create({ cameras: ['yard'] }) }, { about: [] }],
    [listed, {}, { about: [] }],
    [late, {}, { about: ['yard', undefined] }],
    [anyOne, {}, { about: 'all-cameras' }],
    [{ service: 'cameras.manage', about: 'all-cameras' }, { params: { camera: 'yard' } }, {}],
    [{ service: 'cameras.manage', about: 'no-camera' }, { params: { camera: 'yard' } }, {}],
  ])('rule %o, request %j: %j', async (rule, input, resource) => {
    expect(await resolveResource(rule, request(input), exists)).toEqual(resource)
  })
})

describe('[USER-5] the owner that a request names', () => {
  const ann: Owner = { authMethod: 'password', key: 'ann', userId: 'id of ann' }
  const find = async (name: string) => {
    expect(name).toBeTypeOf('string')
    return name === 'ann' ? ann : undefined
  }
  const inPath = { own: { of: 'path', name: 'name', find }, or: 'users.manage' } as const
  const inQuery: AccessRule = { own: { of: 'query', name: 'name', find }, or: 'users.manage' }
  const ofUser = { service: 'users.manage', about: 'no-camera', user: inPath.own } as const
  const ofCamera: AccessRule = { ...inPath, camera: 'history', of: async () => 'yard' }

  test.each<[AccessRule, Partial<Sent>, unknown]>([
    [inPath, { params: { name: 'ann' }, query: { name: 'bob' } }, { owner: ann }],
    [inPath, { params: { name: 'bob' } }, { owner: undefined }],
    [inPath, {}, { owner: 'self' }],
    [inQuery, { params: { name: 'bob' }, query: { name: 'ann' } }, { owner: ann }],
    [inQuery, { params: { name: 'ann' } }, { owner: 'self' }],
    [inQuery, { query: { name: ['ann', 'bob'] } }, { owner: undefined }],
    [ofCamera, { params: { name: 'ann' } }, { camera: 'yard', owner: ann }],
    [ofUser, { params: { name: 'ann' } }, { owner: ann }],
    [ofUser, { params: { name: 'bob' } }, { owner: undefined }],
    [
      { ...ofUser, about: aboutPathCamera },
      { params: { name: 'ann', camera: 'yard' } },
      { about: ['yard'], owner: ann },
    ],
    [{ signedIn: true }, { params: { name: 'ann' } }, {}],
  ])('rule %o, request %j: %j', async (rule, input, resource) => {
    expect(await resolveResource(rule, request(input), exists)).toEqual(resource)
  })
})

test.each<[AccessRule, boolean]>([
  [{ camera: 'live', of: 'body' }, true],
  [{ camera: 'live', of: 'path' }, false],
  [{ camera: 'live', of: async () => 'yard' }, false],
  [{ camera: 'live', of: { inBody: async () => 'yard' } }, true],
  [{ cameras: 'live' }, false],
  [inQuery, false],
  [inBody, true],
  [{ cameras: 'live', requested: { of: 'body', name: 'cameras' } }, true],
  [{ cameras: 'live', resources: { name: 'ids', find: async () => [] } }, true],
  [{ service: 'cameras.manage', about: { of: 'body', find: () => [] } }, true],
  [{ service: 'cameras.manage', about: aboutPathCamera }, false],
  [{ service: 'cameras.manage', about: 'all-cameras' }, false],
  [{ service: 'cameras.manage', about: 'no-camera' }, false],
  [{ signedIn: true }, false],
])('rule %o is decided after the body is read: %s', (rule, isLater) => {
  expect(isDecidedByBody(rule)).toBe(isLater)
})

const onNoCamera = (action: 'history' | 'live'): Grant => ({
  actions: new Set([action]),
  cameras: new Set(),
})

test('[ROLE-4] before the body is read, a caller needs the action on some camera', () => {
  const rule: AccessRule = { camera: 'history', of: 'body' }
  expect(decideBeforeBody(rule, internalAdmin, onNoCamera('history'))).toBe('allow')
  expect(decideBeforeBody(rule, internalAdmin, onNoCamera('live'))).toBe('forbidden')
  expect(decideBeforeBody(rule, internalAdmin, emptyGrant)).toBe('forbidden')
  expect(decideBeforeBody(rule, unauthenticated, onNoCamera('history'))).toBe('unauthenticated')
  expect(decideBeforeBody(inBody, internalAdmin, onNoCamera('history'))).toBe('allow')
})

test('[KEY-2] before the body is read, a caller needs the action on the service', () => {
  const rule: AccessRule = { service: 'cameras.manage', about: { of: 'body', find: () => [] } }
  const some: Grant = { actions: new Set(['cameras.manage']), cameras: new Set(['yard']) }
  expect(decideBeforeBody(rule, internalAdmin, some)).toBe('allow')
  expect(decideBeforeBody(rule, internalAdmin, onNoCamera('live'))).toBe('forbidden')
})

const still = (named: Parameters<typeof withoutRemovedCameras>[0]) => withoutRemovedCameras(named, exists)

test('[ROLE-10] what an open stream names, without cameras that have been removed since', () => {
  expect(still({ camera: 'yard', owner: 'self' })).toEqual({ camera: 'yard', owner: 'self' })
  expect(still({ camera: 'office', owner: 'self' })).toEqual({ camera: undefined, owner: 'self' })
  expect(still({ requested: ['yard', 'office'] })).toEqual({ requested: ['yard', undefined] })
  expect(still({})).toEqual({})
})

const inSpan = { time: ({ query }: Sent) => Number(query['before']) }
const sent = (before: unknown, body?: unknown): Sent => ({ params: { camera: 'yard' }, query: { before }, body })
const foundAt = (time: number) => async () => ({ camera: 'yard', time })

test.each<[string, AccessRule, Sent, object]>([
  ['a range', { camera: 'history', of: 'path', ...inSpan }, sent(5), { camera: 'yard', time: 5 }],
  ['no number', { camera: 'history', of: 'path', ...inSpan }, sent('soon'), { camera: 'yard' }],
  ['no time', { camera: 'history', of: 'path' }, sent(5), { camera: 'yard' }],
  ['none named', { camera: 'history', of: 'path', time: () => undefined }, sent(5), { camera: 'yard' }],
  ['a body', { camera: 'export', of: 'body', ...inSpan }, sent(5, { camera: 'yard' }), { camera: 'yard', time: 5 }],
  ['an object', { camera: 'review', of: foundAt(7) }, sent(5), { camera: 'yard', time: 7 }],
  ['a list', { cameras: 'review', ...inSpan }, sent(5), { requested: undefined, time: 5 }],
  ['a list without a time', { cameras: 'review' }, sent(5), { requested: undefined }],
  [
    'the oldest of some objects',
    {
      cameras: 'review',
      resources: {
        name: 'ids',
        find: async () => [{ camera: 'yard', time: 9 }, undefined, 'yard', { camera: 'yard', time: 3 }],
      },
    },
    sent(5, { ids: ['a', 'b', 'c', 'd'] }),
    { requested: ['yard', undefined, 'yard', 'yard'], time: 3 },
  ],
  [
    'a range older than the objects',
    { cameras: 'review', resources: { name: 'ids', find: async () => [{ camera: 'yard', time: 9 }] }, ...inSpan },
    sent(5, { ids: ['a'] }),
    { requested: ['yard'], time: 5 },
  ],
  [
    'objects without a time',
    { cameras: 'review', resources: { name: 'ids', find: async () => ['yard'] } },
    sent(5, { ids: ['a'] }),
    { requested: ['yard'] },
  ],
])('[GRANT-3] the time that a request names: %s', async (_what, rule, request, resource) => {
  expect(await resolveResource(rule, request, (name) => name === 'yard')).toEqual(resource)
  expect(Object.hasOwn(await resolveResource(rule, request, () => true), 'time')).toBe('time' in resource)
})

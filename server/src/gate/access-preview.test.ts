import { expect, test } from 'vitest'
import { inScope } from '../access/grant.ts'
import { fakeRole } from '../../test/support/fake-roles.ts'
import { rolesFrom } from '../access/role.ts'
import { unauthenticated, type Identity } from '../access/identity.ts'
import type { PreviewedCaller } from '../auth/previewed-caller.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { validatorFor } from '../http/validation.ts'
import { accessPreviewRoutes } from './access-preview.ts'

const reason = { code: 'group-none', message: 'no group matches' }
const known = (name: string, role: string | undefined, more: object = {}): Identity => ({
  kind: 'authenticated',
  authMethod: 'proxy',
  name,
  key: name,
  userId: null,
  role,
  session: undefined,
  ...more,
})
const caller = (identity: Identity): PreviewedCaller => ({ identity, reason })
const hall = known('Hall', 'viewer', {
  credential: {
    kind: 'screen',
    id: 's1',
    name: 'Hall',
    limits: { cameras: new Set(['door']), actions: new Set(['live']) },
  },
})
const viewer = known('Ann', 'viewer', {
  credential: {
    kind: 'link',
    id: 'l1',
    name: '',
    limits: { cameras: new Set(['door']), actions: new Set(['history']), time: { since: 10_000, until: 20_000 } },
  },
})
const roles = rolesFrom(
  new Map([
    ['guard', fakeRole(['yard'])],
    ['guest', fakeRole(['yard'], { history: 3 * 86_400_000, validUntil: 1000 })],
  ]),
  { now: () => 0, wallClock: () => ({ weekday: 'thu', minute: 0 }) },
)

const [tried] = accessPreviewRoutes({
  roles: () => roles,
  cameraNames: (scope) => ['yard', 'door'].filter((name) => inScope(scope, name)),
  callers: {
    user: async (name, at) =>
      name !== 'ann' ? undefined : caller(at < 1_000_000 ? known('Ann', 'guard') : unauthenticated),
    token: async (id) => (id === 't1' ? caller(hall) : undefined),
    screen: async (id) => (id === 's1' ? caller(hall) : undefined),
    link: async (id, at) => (id !== 'l1' ? undefined : caller(at < 1_000_000 ? viewer : unauthenticated)),
  },
  callerOfHeaders: ({ user, role }) =>
    caller(user === undefined ? unauthenticated : known(user as string, role as string | undefined)),
  clock: { now: () => 0 },
})
const preview = (body: object) =>
  tried!.handle!({ params: {}, query: {}, body } as unknown as Input<never>, {} as Caller) as Promise<object>

test.each<[object, object]>([
  [
    { user: 'ann' },
    { user: 'Ann', role: 'guard', allowed_cameras: ['yard'], actions: [...roles.grantOf('guard').actions].sort() },
  ],
  [{ headers: { user: 'bob', role: 'admin' } }, { user: 'bob', role: 'admin', allowed_cameras: ['yard', 'door'] }],
  [{ headers: { user: 'bob' } }, { user: 'bob', role: null, allowed_cameras: [], actions: [] }],
  [{ headers: {} }, { user: null, role: null, detail: 'no group matches', reason: { code: 'group-none' } }],
  [
    { user: 'ann', at: '1970-01-01T01:00:00Z' },
    { user: null, role: null, allowed_cameras: [], actions: [] },
  ],
  [{ token: 't1' }, { user: 'Hall', allowed_cameras: ['door'], actions: ['live'] }],
  [{ screen: 's1' }, { user: 'Hall', role: 'viewer', allowed_cameras: ['door'], actions: ['live'] }],
  [{ link: 'l1' }, { user: 'Ann', allowed_cameras: ['door'], actions: ['history'], range: { start: 10, end: 20 } }],
  [
    { link: 'l1', at: '1970-01-01T01:00:00Z' },
    { user: null, allowed_cameras: [], actions: [] },
  ],
])('[PROXY-4] the preview of %j is %j', async (body, expected) => {
  expect(await preview(body)).toMatchObject(expected)
})

test('[PROXY-4] a preview says how far back recordings go, and why a role allows nothing at a time', async () => {
  const guest = { headers: { user: 'bob', role: 'guest' } }
  expect(await preview({ user: 'ann' })).toMatchObject({ history_days: null })
  expect(await preview({ user: 'ann' })).not.toHaveProperty('suspended')
  expect(await preview({ user: 'ann' })).not.toHaveProperty('range')
  expect(await preview(guest)).toMatchObject({ allowed_cameras: ['yard'], history_days: 3 })
  expect(await preview({ ...guest, at: '1970-01-01T00:00:02Z' })).toMatchObject({
    allowed_cameras: [],
    suspended: 'over',
  })
})

test.each([
  [{}],
  [{ user: 'ann', headers: {} }],
  [{ user: 'ann', screen: 's1' }],
  [{ screen: 's1', headers: {} }],
  [{ screen: 's1', link: 'l1' }],
])('[PROXY-4] %j is not exactly one caller', async (body) => {
  await expect(preview(body)).rejects.toMatchObject({ code: 'invalid-request', problems: [{ field: 'user' }] })
})

test.each([
  [{ user: 'eve' }, 'no-such-user'],
  [{ token: 't2' }, 'no-such-token'],
  [{ screen: 's2' }, 'no-such-screen'],
  [{ link: 'l2' }, 'no-such-link'],
])('[PROXY-4] the preview of the unknown %j is not found', async (body, missing) => {
  await expect(preview(body)).rejects.toMatchObject({ code: 'not-found', reason: missing })
})

test('[PROXY-4] a preview takes no other fields', () => {
  const validate = validatorFor(tried!.schema.body!, 'body')
  expect(validate({ user: 'ann' })).toEqual({ user: 'ann' })
  expect(() => validate({ user: 'ann', role: 'admin' })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
})

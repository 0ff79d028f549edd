import { expect, test } from 'vitest'
import { inScope } from '../access/grant.ts'
import { fakeRole } from '../access/fake-roles.ts'
import { rolesFrom } from '../access/role.ts'
import type { Caller, Input } from '../http/route.ts'
import { validatorFor } from '../http/validation.ts'
import { tryAccessRoutes, type ChosenRole } from './access-preview.ts'

const reason = { code: 'group-none', message: 'no group matches' }
const chosen = (user: string | undefined, role: string | undefined): ChosenRole => ({ user, role, reason })
const roles = rolesFrom(
  new Map([
    ['guard', fakeRole(['yard'])],
    ['guest', fakeRole(['yard'], { history: 3 * 86_400_000, validUntil: 1000 })],
  ]),
  { now: () => 0, wallClock: () => ({ weekday: 'thu', minute: 0 }) },
)

const [tried] = tryAccessRoutes({
  roles: () => roles,
  cameraNames: (scope) => ['yard', 'door'].filter((name) => inScope(scope, name)),
  roleOfUser: async (name) => (name === 'ann' ? chosen('Ann', 'guard') : undefined),
  roleOfHeaders: ({ user, role }) => chosen(user as string | undefined, role as string | undefined),
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
])('[PROXY-4] the preview of %j is %j', async (body, expected) => {
  expect(await preview(body)).toMatchObject(expected)
})

test('[PROXY-4] a preview says how far back recordings go, and why a role allows nothing at a time', async () => {
  const guest = { headers: { user: 'bob', role: 'guest' } }
  expect(await preview({ user: 'ann' })).toMatchObject({ history_days: null })
  expect(await preview({ user: 'ann' })).not.toHaveProperty('suspended')
  expect(await preview(guest)).toMatchObject({ allowed_cameras: ['yard'], history_days: 3 })
  expect(await preview({ ...guest, at: '1970-01-01T00:00:02Z' })).toMatchObject({
    allowed_cameras: [],
    suspended: 'over',
  })
})

test.each([[{}], [{ user: 'ann', headers: {} }]])('[PROXY-4] %j is neither a user nor headers', async (body) => {
  await expect(preview(body)).rejects.toMatchObject({ code: 'invalid-request', problems: [{ field: 'user' }] })
})

test('[PROXY-4] the preview of an unknown user is not found', async () => {
  await expect(preview({ user: 'eve' })).rejects.toMatchObject({ code: 'not-found', reason: 'no-such-user' })
})

test('[PROXY-4] a preview takes no other fields', () => {
  const validate = validatorFor(tried!.schema.body!, 'body')
  expect(validate({ user: 'ann' })).toEqual({ user: 'ann' })
  expect(() => validate({ user: 'ann', role: 'admin' })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
})

import { expect, test } from 'vitest'
import { fakeAccountStore } from '../../test/support/fake-account-store.ts'
import { requestMeta } from '../../test/support/request-meta.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { testUser } from '../../test/support/test-user.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { systemRandom } from '../shared/random.ts'
import { systemClock } from '../shared/time/clock.ts'
import { databaseOwner } from './user.ts'
import { usersRoutes, type UsersRoutesDeps } from './users.routes.ts'

test('[USER-4] a user gets no role that was deleted while the password was hashed', async () => {
  const roles = { names: ['guard', 'viewer'], exists: (name: string) => roles.names.includes(name) }
  const added: unknown[] = []
  const deps = {
    store: { addUser: async (user: unknown) => void added.push(user), roleGeneration: async () => 0 },
    passwords: {
      async hash() {
        roles.names = ['viewer']
        return 'hash'
      },
    },
    roles: () => roles,
    clock: systemClock,
    random: systemRandom,
  } as unknown as UsersRoutesDeps
  const create = usersRoutes(deps).find(({ methods }) => methods.includes('POST'))!
  const body = { username: 'gil', password: 'a password that they chose', role: 'guard' }
  const caller = { authorizeAgain: async () => undefined } as unknown as Caller
  await expect(create.handle!({ body } as unknown as Input<never>, caller)).rejects.toMatchObject({
    code: 'invalid-request',
  })
  expect(added).toEqual([])
})

/** A change of ann, of a request that was allowed for her or for another user with that name. */
async function changed(method: string, path: string, body: object, owner: object) {
  const { rows, ...accounts } = fakeAccountStore()
  await accounts.addUser(ann, testEntry, 0)
  const store = {
    ...accounts,
    roleGeneration: async () => 0,
    async setStatus(_id: string, status: object) {
      rows.users.set('ann', { ...ann, ...status })
      return { ended: [] }
    },
  }
  const published: unknown[] = []
  const deps = {
    store,
    publish: (invalidation: unknown) => void published.push(invalidation),
    roles: () => ({ names: ['guard'], exists: () => true }),
    blockOf: () => null,
    clock: systemClock,
  } as unknown as UsersRoutesDeps
  const route = usersRoutes(deps).find((each) => each.methods.includes(method as never) && each.path === path)!
  const client = { address: '192.0.2.7' }
  const caller = { identity: { kind: 'unauthenticated' }, client, meta: requestMeta({}), owner } as unknown as Caller
  const handled = route.handle!({ params: { username: 'Ann' }, body } as unknown as Input<never>, caller)
  const code = await (handled as Promise<unknown>).then(
    () => 'changed',
    (error: { code: string; reason: string }) => `${error.code} ${error.reason}`,
  )
  return [code, await store.userByKey('ann'), published.length]
}
const ann = testUser('ann')

test.each<[method: string, path: string, body: object, after: object | undefined]>([
  ['PUT', '/api/users/:username/role', { role: 'guard' }, { ...ann, role: 'guard' }],
  ['PUT', '/api/users/:username/status', { disabled: true }, { ...ann, disabled: true }],
  ['DELETE', '/api/users/:username', {}, undefined],
])(
  '[ROLE-10] %s %s changes the user for whom that was allowed, not a later one with the name',
  async (method, path, body, after) => {
    expect(await changed(method, path, body, databaseOwner(ann))).toEqual(['changed', after, 1])
    const earlier = databaseOwner(testUser('ann', { id: 'another' }))
    expect(await changed(method, path, body, earlier)).toEqual(['not-found no-such-user', ann, 0])
  },
)

import { expect, test } from 'vitest'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { systemRandom } from '../shared/random.ts'
import { systemClock } from '../shared/time/clock.ts'
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

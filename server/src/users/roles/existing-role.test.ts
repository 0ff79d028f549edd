import { expect, test } from 'vitest'
import { requireRole } from './existing-role.ts'

test('[USER-4] a role that is created again between the two questions counts as the earlier one', async () => {
  let generation = 1
  const store = { roleGeneration: async () => generation }
  const roles = () => {
    generation = 3
    return { names: ['cook'], exists: (role: string) => role === 'cook' }
  }
  expect(await requireRole('cook', { roles, store })).toEqual({ role: 'cook', generation: 1 })
  await expect(requireRole('guard', { roles, store })).rejects.toMatchObject({ code: 'invalid-request' })
})

import { expect, test } from 'vitest'
import type { Owner } from '../access/identity.ts'
import { changeBudget } from '../shared/rate/change-limit.ts'
import { createExportChangeLimit } from './change-limit.ts'

const owner = (key: string): Owner => ({ authMethod: 'password', key, userId: `id of ${key}` })

test('[ROLE-11] a user can make a number of changes at a time, and then one every few seconds', () => {
  let now = 0
  const limit = createExportChangeLimit({ elapsed: () => now })
  const isAllowed = (key: string): boolean => {
    try {
      limit(owner(key))
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-attempts', reason: 'too-many-export-changes', retryAfter: 5 })
      return false
    }
  }
  for (let nth = 0; nth < changeBudget.max; nth++) expect(isAllowed('gil')).toBe(true)
  expect(isAllowed('gil')).toBe(false)
  expect(isAllowed('vera')).toBe(true)
  now += changeBudget.every
  expect([isAllowed('gil'), isAllowed('gil')]).toEqual([true, false])
})

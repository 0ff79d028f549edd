import { expect, test } from 'vitest'
import type { RemovedCamera } from '../../../../server/src/api-types.ts'
import { loadTexts } from '../../i18n/catalogs.ts'
import { leftBehind } from './left-behind.ts'

test('[CAM-4] nine roles that list a removed camera are the first six and a number', async () => {
  const roles = Array.from({ length: 9 }, (_none, index) => ({ name: `role${index + 1}`, users: 2 }))
  const had: RemovedCamera = { name: 'yard', removed_at: null, roles, recordings: null, review_items: 0, exports: 0 }
  const [listed, ...others] = leftBehind(had, await loadTexts('en', ['cameras', 'roles']), 'en')
  expect(others).toEqual([])
  expect(listed).toMatch(/role6 .*and 3 more/)
  expect(listed).not.toMatch(/role7|object/)
})

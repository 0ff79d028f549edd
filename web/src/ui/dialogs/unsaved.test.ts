import { expect, test } from 'vitest'
import { discardsUnsaved, isDiscardingUnsaved, keepUnsaved, registerUnsaved } from './unsaved.ts'

test('without unsaved changes, nothing is asked, and the browser asks about later ones', async () => {
  expect(await discardsUnsaved()).toBe(true)
  expect(isDiscardingUnsaved()).toBe(false)
})

test('what is unsaved is asked about, and kept unless the user agrees', async () => {
  let agrees = false
  const end = registerUnsaved(() => Promise.resolve(agrees))
  expect(await discardsUnsaved()).toBe(false)
  expect(isDiscardingUnsaved()).toBe(false)
  agrees = true
  expect(await discardsUnsaved()).toBe(true)
  expect(isDiscardingUnsaved()).toBe(true)
  keepUnsaved()
  expect(isDiscardingUnsaved()).toBe(false)
  await discardsUnsaved()
  end()
  expect(isDiscardingUnsaved()).toBe(false)
})

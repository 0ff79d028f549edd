import { expect, test } from 'vitest'
import { forgetTyped, rememberTyped, takeTyped } from './fresh-login.ts'

test('[BOOT-4] the password just typed is read once, by the user who typed it', () => {
  rememberTyped('ADMIN', 'secret')
  expect(takeTyped('admin')).toBe('secret')
  expect(takeTyped('admin')).toBeUndefined()
})

test('the password of one user is no other user’s, and is forgotten then', () => {
  rememberTyped('ada', 'secret')
  expect(takeTyped('nina')).toBeUndefined()
  expect(takeTyped('ada')).toBeUndefined()
})

test('a password that nothing needs is forgotten', () => {
  rememberTyped('ada', 'secret')
  forgetTyped()
  expect(takeTyped('ada')).toBeUndefined()
})

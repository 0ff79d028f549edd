import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

test.each([
  'correct horse battery',
  '849302948571',
  'aaaaaaaaaaab',
  ' spaces stay ',
  'пароль-кошки',
  '🐈🐕🐈🐕🐈🐕🐈🐕🐈🐕🐈🐕',
  'gatehouse by the sea',
  'admin-password-123',
  'x'.repeat(1024),
])('[USER-2] %s will do', async (password) => {
  expect(await passwordProblem(password, 'bob')).toBeUndefined()
})

test.each([
  ['elevenchars', 'fewer than 12'],
  ['🐈🐕🐈🐕🐈🐕🐈🐕🐈🐕🐈', 'fewer than 12'],
  ['x'.repeat(1025), 'more than 1024 bytes'],
  ['é'.repeat(513), 'more than 1024 bytes'],
  ['trailing null\0', 'control character'],
  ['with a\nnew line', 'control character'],
  ['half a pair \ud800', 'unpaired surrogate'],
  ['BOB-THE-BUILDER', 'name'],
  ['1qaz2wsx3edc', 'most common'],
  ['123456789012', 'most common'],
  ['Gatehouse2026', 'words of this service'],
  ['gatehouse-gatehouse', 'words of this service'],
  ['administrator', 'words of this service'],
  ['Admin_Viewer', 'words of this service'],
])('[USER-2] %j will not: %s', async (password, why) => {
  expect(await passwordProblem(password, 'Bob-the-builder')).toMatchObject({
    message: expect.stringContaining(why) as string,
  })
})

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
  ['elevenchars', 'too-short'],
  ['🐈🐕🐈🐕🐈🐕🐈🐕🐈🐕🐈', 'too-short'],
  ['x'.repeat(1025), 'too-many-bytes'],
  ['é'.repeat(513), 'too-many-bytes'],
  ['trailing null\0', 'control-character'],
  ['with a\nnew line', 'control-character'],
  ['half a pair \ud800', 'control-character'],
  ['BOB-THE-BUILDER', 'is-user-name'],
  ['1qaz2wsx3edc', 'common-password'],
  ['123456789012', 'common-password'],
  ['Gatehouse2026', 'service-words'],
  ['gatehouse-gatehouse', 'service-words'],
  ['administrator', 'service-words'],
  ['Admin_Viewer', 'service-words'],
])('[USER-2] %j will not: %s', async (password, code) => {
  expect(await passwordProblem(password, 'Bob-the-builder')).toMatchObject({ code })
})

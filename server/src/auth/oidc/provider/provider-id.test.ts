import { expect, test } from 'vitest'
import { isProviderText, isSubject } from './provider-id.ts'

test.each<[text: unknown, isText: boolean]>([
  ['ann', true],
  ['', true],
  ['\u{1f600}', true],
  ['a\0b', false],
  ['a\n', false],
  ['\ud83d', false],
  [7, false],
  [undefined, false],
])('[OIDC-2] %j can be kept as a text of the provider: %s', (text, isText) => {
  expect(isProviderText(text)).toBe(isText)
})

test.each<[subject: string, identifies: boolean]>([
  ['ann', true],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
  ['', false],
  ['a\0b', false],
])('[OIDC-2] the subject %j identifies a user: %s', (subject, identifies) => {
  expect(isSubject(subject)).toBe(identifies)
})

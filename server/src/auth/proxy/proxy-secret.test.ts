import { expect, test } from 'vitest'
import { isProxySecretValid } from './proxy-secret.ts'

const secret = 'a long random string — long enough'
const asSent = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

test.each<[name: string, sent: readonly string[], holds: boolean]>([
  ['the value', [asSent(secret)], true],
  ['the value twice', [asSent(secret), asSent(secret)], true],
  ['no header', [], false],
  ['an empty header', [''], false],
  ['a prefix of the value', [asSent(secret).slice(0, -1)], false],
  ['the value with a suffix', [`${asSent(secret)}x`], false],
  ['another of its length', ['x'.repeat(asSent(secret).length)], false],
  ['another case', [asSent(secret.toUpperCase())], false],
  ['it beside another', [asSent(secret), 'x'], false],
  ['another beside it', ['x', asSent(secret)], false],
  ['a list that holds it', [`${asSent(secret)}, x`], false],
])('[PROXY-2] %s: %s', (_name, sent, holds) => {
  expect(isProxySecretValid({ values: (name) => (name === 'x-proxy-secret' ? sent : []) }, secret)).toBe(holds)
})

test('[PROXY-2] an empty secret never matches', () => {
  expect(isProxySecretValid({ values: () => [''] }, '')).toBe(false)
})

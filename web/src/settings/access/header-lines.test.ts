import { expect, test } from 'vitest'
import { headersIn } from './header-lines.ts'

test.each<[string, Record<string, string | string[]>]>([
  ['X-Forwarded-User: ann', { 'x-forwarded-user': 'ann' }],
  ['X-Forwarded-User:ann\nX-Forwarded-Groups: a,b', { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'a,b' }],
  ['GET /api/profile HTTP/1.1\r\nremote-user: ann\r\n\r\n', { 'remote-user': 'ann' }],
  ['> Remote-User: ann\n>', { 'remote-user': 'ann' }],
  [`-H 'Remote-User: ann' \\\n-H "Remote-Groups: x"`, { 'remote-user': 'ann', 'remote-groups': 'x' }],
  ['Remote-User: ann\nremote-user: bob', { 'remote-user': ['ann', 'bob'] }],
  ['Remote-User:', { 'remote-user': '' }],
  ['X-Url: https://a.example/', { 'x-url': 'https://a.example/' }],
  ['', {}],
])('%j', (text, headers) => {
  expect(headersIn(text)).toEqual({ ok: true, headers })
})

test('a header can have any name', () => {
  const pasted = headersIn('__proto__: x\nconstructor: y')
  expect(pasted.ok && Object.entries(pasted.headers)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
})

test.each([
  ['ann', 1],
  ['Remote-User: ann\n\nwhat is this', 3],
  [': ann', 1],
  ['Remote User: ann', 1],
])('%j: line %d is not a header', (text, line) => {
  expect(headersIn(text)).toEqual({ ok: false, line })
})

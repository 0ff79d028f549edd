import { expect, test } from 'vitest'
import { returnPath } from './return-path.ts'

test.each([
  ['/cameras/yard?x=1#y', '/cameras/yard?x=1#y'],
  ['/', '/'],
  [undefined, '/'],
  [1, '/'],
  ['', '/'],
  ['account', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['///evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['/\n/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['\\\\evil.example', '/'],
  ['\\/evil.example', '/'],
  ['/%5cevil.example', '/%5cevil.example'],
  ['https:evil.example', '/'],
  ['http://127.0.0.1@evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/login?return=/', '/'],
])('after signing in %j leads to %j', (raw, path) => {
  expect(returnPath(raw, 'https://cams.example/')).toBe(path)
})

test.each([
  ['/nvr/account', '/nvr/account'],
  ['/account', '/nvr/'],
  ['/nvr/../account', '/nvr/'],
  ['/nvr/login', '/nvr/'],
  ['/nvrx', '/nvr/'],
])('below a sub-path %j leads to %j', (raw, path) => {
  expect(returnPath(raw, 'https://cams.example/nvr/')).toBe(path)
})

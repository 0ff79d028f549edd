import { expect, test } from 'vitest'
import { isApiPath, isSafePath, withoutBasePath } from './path.ts'

test.each([
  ['/', true],
  ['/api/cameras/yard', true],
  ['/api/cameras/yard?x=%2f..', true],
  ['/api/users/ann%40example', true],
  ['/api/cameras/', true],
  ['/b%C3%BCro', true],
  ['/%252e%252e/x', true],
  ['/api//cameras', false],
  ['//api/cameras', false],
  ['/api/%2e%2e/x', false],
  ['/api/../x', false],
  ['/api/./x', false],
  ['/api/.%2E', false],
  ['/api/a%2fb', false],
  ['/api/a%5Cb', false],
  ['/api/a\\b', false],
  ['/api/a%00', false],
  ['/api/a%zz', false],
  ['/api/a%ff', false],
  ['/api/a#b', false],
  ['api', false],
  ['', false],
  ['*', false],
  ['http://evil/api', false],
])('[PATH-1] %s is safe: %s', (url, safe) => {
  expect(isSafePath(url)).toBe(safe)
})

test.each([
  ['/api/cameras', '/', '/api/cameras'],
  ['/cams/api/cameras?x=1', '/cams/', '/api/cameras?x=1'],
  ['/cams', '/cams/', '/'],
  ['/cams?x=1', '/cams/', '/?x=1'],
  ['/camsite', '/cams/', '/camsite'],
  ['/api/cameras', '/cams/', '/api/cameras'],
])('%s below %s is %s', (url, basePath, rest) => {
  expect(withoutBasePath(url, basePath)).toBe(rest)
})

test.each([
  ['/api', true],
  ['/api/x', true],
  ['/auth', true],
  ['/logout', true],
  ['/apis', false],
  ['/login', false],
  ['/API/x', false],
])('[ERR-2] %s is an API path: %s', (path, api) => {
  expect(isApiPath(path)).toBe(api)
})

import { isUtf8 } from 'node:buffer'
import * as fc from 'fast-check'
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

/** Pieces of paths: harmless ones, ones that can become a dot segment or an empty one, and forbidden ones. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'api',
      'yard',
      '%41',
      '%C3%A9',
      '...',
      '.a',
      '%2e%2e%2e',
      ';x',
      '~',
      '%252f',
      '%25',
      '+',
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom('.', '..', '%2e', '%2E%2e', '.%2e', '') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%2f', '%2F', '%5c', '%5C', '\\', '%00', '\0', '%', '%zz', '%ff', '%c3', '#', ' ', '\t'),
  },
)

/** `.` or `..`, which aren't names. */
const isDots = (codes: readonly number[]): boolean => codes.length <= 2 && codes.every((code) => code === 0x2e)

/** Reads PATH-1 by hand: one character at a time, without decoding a whole segment. */
function isSafeByHand(path: string): boolean {
  if (!path.startsWith('/')) return false
  const segments: number[][] = []
  for (let at = 0; at < path.length; at += 1) {
    const char = path[at]!
    if (char === '/') {
      segments.push([])
      continue
    }
    if (char === '\\' || char === '#' || char.charCodeAt(0) <= 0x20) return false
    const hex = char === '%' ? path.slice(at + 1, at + 3) : undefined
    if (hex !== undefined && !/^[0-9a-f]{2}$/i.test(hex)) return false
    const code = hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16)
    if (hex !== undefined && ['/', '\\', '\0'].includes(String.fromCharCode(code))) return false
    segments.at(-1)!.push(code)
    if (hex !== undefined) at += 2
  }
  return segments.every((codes, at) => {
    const isLast = at === segments.length - 1
    if (codes.length === 0) return isLast
    return !isDots(codes) && isUtf8(Buffer.from(codes))
  })
}

test('[PATH-1] any path of odd pieces is safe exactly if every way to read it is the same', () => {
  const segment = fc.array(piece, { maxLength: 2 }).map((pieces) => pieces.join(''))
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`)
  fc.assert(
    fc.property(path, fc.constantFrom('', '?', '?a=/../%2f', '?x=//'), (url, query) => {
      expect(isSafePath(url + query)).toBe(isSafeByHand(url))
    }),
    { numRuns: 5000 },
  )
})

test('[PATH-3] [ERR-2] a path is an API path after the base path is removed exactly if it was one below the base path', () => {
  const path = fc.constantFrom(
    '/api',
    '/api/x',
    '/%61pi/x',
    '/apis',
    '/auth',
    '/auth/',
    '/%6cogout',
    '/API/x',
    '/',
    '/x',
  )
  fc.assert(
    fc.property(path, fc.constantFrom('/', '/cams/', '/a/b/'), fc.constantFrom('', '?x=/api'), (at, base, query) => {
      const decoded = decodeURIComponent(at)
      const isApi = /^\/api(?:\/|$)/.test(decoded) || ['/auth', '/logout'].includes(decoded)
      const rest = withoutBasePath(`${base.slice(0, -1)}${at}${query}`, base)
      expect(rest).toBe(at + query)
      expect(isApiPath(rest.split('?')[0]!)).toBe(isApi)
    }),
  )
})

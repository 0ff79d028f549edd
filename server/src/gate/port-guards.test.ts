import { expect, test } from 'vitest'
import { requestMeta } from '../../test/support/request-meta.ts'
import { guardInternalPort, healthOnly, requireProxySecret } from './port-guards.ts'
import type { RequestContext } from './request-context.ts'

type Sent = Readonly<Record<string, string | readonly string[]>>

const request = (headers: Sent, { method = 'GET', path = '/' } = {}) =>
  ({
    request: { method, headers },
    isApi: path.startsWith('/api/'),
    path,
    meta: requestMeta(headers),
  }) as unknown as RequestContext

const own = { host: 'localhost:5000' }
const link = { ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

test.each<[Sent, { method?: string; path?: string }, string]>([
  [own, {}, 'accepted'],
  [{}, {}, 'misdirected'],
  [{ host: '' }, {}, 'misdirected'],
  [{ host: ['localhost', 'evil.example'] }, {}, 'misdirected'],
  [{ host: 'evil.example' }, {}, 'misdirected'],
  [{ ...own, origin: 'http://localhost:5000' }, { method: 'POST' }, 'accepted'],
  [{ ...own, origin: 'http://evil.example' }, { method: 'POST' }, 'cross-origin'],
  [{ ...own, origin: ['http://localhost:5000', 'http://evil.example'] }, {}, 'cross-origin'],
  [{ ...own, 'sec-fetch-site': 'same-origin' }, {}, 'accepted'],
  [{ ...own, 'sec-fetch-site': 'none' }, {}, 'accepted'],
  [{ ...own, 'sec-fetch-site': 'same-site' }, {}, 'cross-origin'],
  [{ ...own, 'sec-fetch-site': ['none', 'cross-site'] }, {}, 'cross-origin'],
  [{ ...own, 'sec-fetch-site': 'none', origin: 'http://evil.example' }, {}, 'cross-origin'],
  [link, {}, 'accepted'],
  [link, { method: 'POST' }, 'cross-origin'],
  [link, { path: '/api/cameras' }, 'cross-origin'],
  [{ ...link, 'sec-fetch-mode': 'no-cors' }, {}, 'cross-origin'],
  [{ ...link, 'sec-fetch-dest': 'iframe' }, {}, 'cross-origin'],
])('[PORT-6] a request with %j to %j is %s', (headers, target, result) => {
  const guard = guardInternalPort(() => [])
  if (result === 'accepted') guard(request(headers, target))
  else expect(() => guard(request(headers, target))).toThrow(expect.objectContaining({ code: result }))
})

test.each([
  ['/api/cameras', true],
  ['/api/health', false],
  ['/', false],
])('[PROXY-2] %s needs the proxy secret: %s', (path, isChecked) => {
  let checks = 0
  requireProxySecret(() => void (checks += 1))(request({}, { path }))
  expect(checks).toBe(isChecked ? 1 : 0)
})

test.each([
  ['/api/health', undefined],
  ['/api/health/x', 'not-found'],
  ['/api/profile', 'not-found'],
  ['/login', undefined],
])('the gate of an instance that serves no users: %s: %s', (path, code) => {
  const guard = () => healthOnly(request({}, { path }))
  if (code === undefined) guard()
  else expect(guard).toThrow(expect.objectContaining({ code, reason: 'serves-no-users' }))
})

import { requestMeta } from '../../test/support/request-meta.ts'
import { describe, expect, test } from 'vitest'
import { authenticated, named, noOne, routeTo, testPort, viewer, type Sent } from '../../test/support/test-port.ts'
import type { Authentication } from '../http/authentication.ts'
import type { RequestSpec, RouteSchema } from '../http/route.ts'
import { isAllowedHost } from './port-guards.ts'
import { sameHostAndPort, isSameOrigin } from './csrf.ts'

test.each([
  ['https://cams.example', 'cams.example', true],
  ['https://cams.example', 'cams.example:443', true],
  ['http://cams.example', 'cams.example:80', true],
  ['https://cams.example:8971', 'cams.example:8971', true],
  ['https://CAMS.example:8971', 'cams.example:8971', true],
  ['http://cams.example:8971', 'cams.example:8971', true],
  ['https://cams.example', 'cams.example:8971', false],
  ['https://cams.example:444', 'cams.example', false],
  ['https://evil.example', 'cams.example', false],
  ['https://cams.example.evil', 'cams.example', false],
  ['null', 'cams.example', false],
  ['', 'cams.example', false],
  ['file://', 'cams.example', false],
  ['ws://cams.example', 'cams.example', false],
  ['ftp://cams.example', 'cams.example', false],
  ['https://cams.example', '', false],
  ['https://cams.example', 'cams example', false],
  ['https://cams.example', 'cams.example/x', false],
  ['https://cams.example', 'evil@cams.example', false],
  ['https://[::1]:8971', '[::1]:8971', true],
])('[TOK-13] origin %s has the same host and port as %s: %s', (origin, host, same) => {
  expect(sameHostAndPort(origin, host)).toBe(same)
})

const allowedOrigins = ['https://panel.example', 'http://plain.example']
const site = () => ({ host: 'cams.example', encrypted: true, allowedOrigins })
const unknownScheme = () => ({ ...site(), encrypted: false })

test.each<[Record<string, string | string[]>, boolean]>([
  [{}, true],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://panel.example' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example' }, false],
  [{ 'sec-fetch-site': ['same-origin', 'cross-site'] }, false],
  [{ origin: 'https://cams.example' }, true],
  [{ origin: 'HTTPS://cams.example' }, true],
  [{ origin: 'http://cams.example' }, false],
  [{ origin: 'http://cams.example/https:' }, false],
  [{ origin: 'https://panel.example' }, true],
  [{ origin: 'http://plain.example' }, true],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  [{ origin: '' }, false],
  [{ origin: ['https://cams.example', 'https://evil.example'] }, false],
])('[TOK-13] a request with %o is same-origin: %s', (headers, own) => {
  expect(isSameOrigin(requestMeta(headers), site)).toBe(own)
})

test('[TOK-13] if the connection is not known to use TLS, pages of either scheme are same-origin', () => {
  for (const origin of ['http://cams.example', 'https://cams.example']) {
    expect(isSameOrigin(requestMeta({ origin }), unknownScheme)).toBe(true)
  }
})

test.each([
  ['127.0.0.1:5000', true],
  ['192.168.1.7', true],
  ['[::1]:5000', true],
  ['localhost:5000', true],
  ['localhost', true],
  ['gatehouse:5000', true],
  ['game_room', true],
  ['nvr.lan:5000', true],
  ['NVR.lan.', true],
  ['cams.lan', true],
  ['[FE80::1]:5000', true],
  ['xn--bcher-kva', true],
  ['gatehouse.', true],
  ['0x7f000001', true],
  [`${'a'.repeat(63)}:5000`, true],
  ['a'.repeat(64), false],
  ['-gatehouse', false],
  ['gatehouse-', false],
  ['gate!house', false],
  ['*', false],
  ['%67atehouse', false],
  ['b\u00fccher', false],
  ['gatehouse:', false],
  ['gatehouse:x', false],
  ['gatehouse:5000:5000', false],
  ['.', false],
  ['evil.example', false],
  ['evil.example:5000', false],
  ['127.0.0.1.evil.example', false],
  ['', false],
  ['evil.example@localhost', false],
  ['localhost/evil.example', false],
])('[PORT-6] the internal port accepts Host %s: %s', (host, ours) => {
  expect(isAllowedHost(host, ['nvr.lan', 'Cams.lan.'])).toBe(ours)
})

describe('[TOK-13] a request that changes state', () => {
  const site = {
    allowedOrigins: () => ['https://panel.example'],
    clientOf: () => ({ address: '', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }),
  }
  const foreign = { origin: 'https://elsewhere' }
  const ambient = authenticated(named('ann', 'viewer'), { ambient: true })
  const plain = { access: { signedIn: true } } as const
  const open = { access: { open: 'for a test' } } as const
  const byGet = { ...open, sameOriginOnly: true } as const
  const bearer = { authorization: 'Bearer x' }

  test.each<[Sent, Authentication, Partial<RequestSpec<RouteSchema>>, number]>([
    [{ method: 'POST' }, ambient, plain, 200],
    [{ method: 'POST', headers: { origin: 'https://here' } }, ambient, plain, 200],
    [{ method: 'POST', headers: { origin: 'http://here' } }, ambient, plain, 403],
    [{ method: 'POST', headers: { origin: 'https://panel.example' } }, ambient, plain, 200],
    [{ method: 'POST', headers: foreign }, ambient, plain, 403],
    [{ method: 'POST', headers: foreign }, viewer, plain, 200],
    [{ method: 'GET', headers: foreign }, ambient, plain, 200],
    [{ method: 'HEAD', headers: foreign }, ambient, plain, 200],
    [{ method: 'OPTIONS', headers: foreign }, ambient, plain, 405],
    [{ method: 'GET', headers: { ...foreign, upgrade: 'x' } }, ambient, plain, 403],
    [{ method: 'POST', headers: foreign }, noOne, open, 403],
    [{ method: 'POST', headers: { ...foreign, ...bearer } }, noOne, open, 200],
    [{ method: 'POST', headers: { ...foreign, authorization: 'bearer x' } }, noOne, open, 200],
    [{ method: 'POST', headers: { ...foreign, authorization: 'Basic bearer x' } }, noOne, open, 403],
    [{ method: 'POST', headers: { ...foreign, authorization: 'Basic x' } }, noOne, open, 403],
    [{ method: 'GET', headers: foreign }, noOne, open, 200],
    [{ method: 'GET', headers: foreign }, noOne, byGet, 403],
  ])('%j: %#', async (sent, authentication, of, status) => {
    const { send } = await testPort({ ...site, authentication, routes: [routeTo(() => ({ ok: true }), of)] })
    const response = await send(sent)
    expect(response.status).toBe(status)
    if (status === 403) expect(response.code).toBe('cross-origin')
  })

  test('is not checked again if the port’s guard checks it', async () => {
    const { send } = await testPort({ authentication: ambient, allowedOrigins: undefined })
    expect((await send({ method: 'POST', headers: foreign })).status).toBe(200)
  })
})

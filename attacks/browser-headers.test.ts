/** Frames, embedded media and guessed content types: what a browser does with a response, and responses that Node would send itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawBytes, rawRequest } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      cameras: { yard: { source: 'demo:yard', enabled: false, title: '<img src=x onerror=alert(1)>' } },
    },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

/** What every response has to have, also one that Node sends. */
function expectGuarded(head: string, what: string): void {
  for (const line of [
    /^content-security-policy: default-src 'self'; script-src 'self'; .*frame-ancestors 'self'$/im,
    /^x-content-type-options: nosniff$/im,
    /^referrer-policy: same-origin$/im,
    /^cross-origin-resource-policy: same-origin$/im,
    /^cross-origin-opener-policy: same-origin$/im,
  ]) {
    expect(head, what).toMatch(line)
  }
  expect(head, what).not.toMatch(/^(?:server|x-powered-by|etag: W\/"x):/im)
}

describe('[ERR-1] a response to what isn’t a proper request has the headers of every response', () => {
  const close = 'Connection: close\r\n\r\n'
  test.each<[source: string, what: string, bytes: string, status: number]>([
    ['RFC 9112 3.2', 'no host', `GET / HTTP/1.1\r\n${close}`, 400],
    ['RFC 9110 10.1.1', 'an unknown expectation', `GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n${close}`, 200],
    ['RFC 9112 2.3', 'another version', `GET / HTTP/3.0\r\nHost: x\r\n${close}`, 400],
    ['RFC 9112 2.3', 'no version', 'GET /\r\n\r\n', 400],
    ['RFC 9112 3', 'no request', 'GARBAGE\r\n\r\n', 400],
    ['RFC 6585 5', 'a long header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n${close}`, 431],
    ['CVE-2026-58044', 'many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(1500)}${close}`, 431],
    [
      'RFC 9110 15.5.14',
      'a body that is announced as too long',
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n${close}`,
      413,
    ],
    [
      'RFC 9110 15.5.16',
      'a body of another type',
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n${close}x`,
      415,
    ],
    ['RFC 9110 9.1', 'another method', `PROPFIND /api/users HTTP/1.1\r\nHost: x\r\n${close}`, 401],
    ['RFC 9110 15.5.6', 'another method for an open file', `TRACE /ca.crt HTTP/1.1\r\nHost: x\r\n${close}`, 405],
    ['RFC 9110 9.1', 'another method for a page', `PURGE / HTTP/1.1\r\nHost: x\r\n${close}`, 404],
  ])('%s: %s', async (_source, what, bytes, status) => {
    for (const client of [service.gate, service.internal]) {
      const response = await rawBytes(client, bytes)
      // On the internal port there is no identity to miss, but its host is checked.
      expect(response.status, what).toBeOneOf(client === service.gate ? [status] : [status, 404, 405, 421])
      expectGuarded(response.head, what)
      if (response.status >= 400) expect(response.head).toMatch(/^content-type: application\/problem\+json/im)
    }
  })
})

describe('[ERR-2] what a user can choose isn’t a page', () => {
  test.each([
    ['CVE-2023-45671', '/api/cameras/%3Cscript%3E'],
    ['CVE-2023-45671', '/api/cameras/yard'],
    ['CVE-2023-45671', '/api/cameras'],
    ['CVE-2023-45671', '/api/config'],
    ['ASVS 3.2.1', '/api/users?search=%3Cscript%3Ealert(1)%3C/script%3E'],
    ['ASVS 3.2.1', '/api/audit?user=%3Cscript%3E'],
    ['ASVS 3.2.1', '/api/logs?logger=%3Cscript%3E'],
    ['ASVS 3.2.1', '/api/config/raw'],
    ['ASVS 3.2.1', '/api/nothing/%3Cscript%3E'],
  ])('%s: %s', async (_source, path) => {
    const { head, body } = await rawRequest(admin, { target: path })
    expect(head).toMatch(/^content-type: (?:application\/(?:problem\+)?json|text\/yaml); charset=utf-8$/im)
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    expect(head).toMatch(/^cache-control: (?:no-store|private)/im)
    expectGuarded(head, body)
  })
})

describe('[CONF-2] nothing that is configured ends the policy for frames', () => {
  test.each([
    ['ASVS 3.4.6', '*; script-src *'],
    ['ASVS 3.4.6', "'self'; script-src 'unsafe-inline'"],
    ['ASVS 3.4.6', "'unsafe-inline'"],
    ['ASVS 3.4.6', 'https://a, https://b'],
    ['RFC 9110 5.5', 'https://a\\r\\nX: y'],
    ['ASVS 3.4.6', 'https://a b'],
    ['ASVS 3.4.6', ''],
  ])('%s: %j', async (_source, ancestor) => {
    const body = `http: { frame_ancestors: ["${ancestor}"] }\n`
    const headers = { 'content-type': 'text/yaml' }
    const { json } = await service.internal.request('POST', '/api/config/check', { headers, body })
    expect(json).toMatchObject({ problems: [{ field: 'http.frame_ancestors[0]' }] })
  })
})

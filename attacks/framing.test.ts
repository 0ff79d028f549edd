/** HTTP/1.1 messages that two programs could divide differently: request smuggling, on raw sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { converse, rawBytes, statusesIn, webSocketHandshake } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let guard: TestClient
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { roles: { guard: ['yard'] } } } })
  guard = await service.user('gill', 'guard')
})
afterAll(stopAll)

/** The request that an attacker wants to hide in another one, and that ends the connection. */
const hidden = 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
const end = '0\r\n\r\n'
const login = (...lines: readonly string[]): string =>
  ['POST /api/login HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines, '', ''].join('\r\n')
const get = (...lines: readonly string[]): string => ['GET /api/health HTTP/1.1', ...lines, '', ''].join('\r\n')
const chunked = 'Transfer-Encoding: chunked'

function liveUpgrade(...more: readonly string[]): string {
  return ['GET /api/cameras/yard/live HTTP/1.1', 'Host: x', ...webSocketHandshake, ...more, '', ''].join('\r\n')
}

describe('[PATH-1] a message with an ambiguous length or form is 400, and nothing after it is read', () => {
  test.each<[source: string, attack: string, bytes: string]>([
    ['RFC 9112 6.1', 'a length and chunks', `${login('Content-Length: 5', chunked)}${end}${hidden}`],
    ['RFC 9112 6.1', 'chunks and a length', `${login(chunked, 'Content-Length: 5')}${end}${hidden}`],
    ['RFC 9112 6.3', 'two lengths', login('Content-Length: 0', `Content-Length: ${hidden.length}`) + hidden],
    ['RFC 9112 6.3', 'two equal lengths', login('Content-Length: 0', 'Content-Length: 0') + hidden],
    ['RFC 9112 6.3', 'a list of lengths', login(`Content-Length: 0, ${hidden.length}`) + hidden],
    ['RFC 9110 8.6', 'a signed length', login('Content-Length: +0') + hidden],
    ['RFC 9110 8.6', 'a negative length', login('Content-Length: -1') + hidden],
    ['RFC 9110 8.6', 'a hexadecimal length', login('Content-Length: 0x0') + hidden],
    ['RFC 9110 8.6', 'a length in two parts', login('Content-Length: 0 0') + hidden],
    ['RFC 9110 8.6', 'a length beyond 64 bits', login(`Content-Length: ${2n ** 64n}`) + hidden],
    ['RFC 9110 8.6', 'an empty length', login('Content-Length:') + hidden],
    ['RFC 9112 6.1', 'an unknown coding', `${login('Transfer-Encoding: xchunked')}${end}${hidden}`],
    ['CVE-2021-22959', 'a space before the colon', `${login('Transfer-Encoding : chunked')}${end}${hidden}`],
    ['CVE-2021-22959', 'a space before the colon of the length', login('Content-Length : 0') + hidden],
    ['CVE-2021-22960', 'a chunk extension with a line feed', `${login(chunked)}0;a=\n\r\n\r\n${hidden}`],
    ['CVE-2021-22960', 'a chunk extension with a carriage return', `${login(chunked)}0;a=\rb\r\n\r\n${hidden}`],
    ['CVE-2022-32214', 'line feeds alone', login('Content-Length: 0').replaceAll('\r\n', '\n') + hidden],
    ['CVE-2022-32214', 'one line feed alone', login('X: a\nContent-Length: 0') + hidden],
    ['CVE-2022-32215', 'chunks on a continued line', `${login('Transfer-Encoding:\r\n chunked')}${end}${hidden}`],
    ['CVE-2022-35256', 'a header that ends in a carriage return', login('X: a\r', 'Content-Length: 0') + hidden],
    [
      'CVE-2022-32213',
      'chunks before another coding',
      `${login('Transfer-Encoding: chunked, identity')}${end}${hidden}`,
    ],
    ['CVE-2022-32213', 'chunks twice', `${login('Transfer-Encoding: chunked, chunked')}${end}${hidden}`],
    ['CVE-2020-8201', 'a carriage return for a hyphen', `${login('Transfer\rEncoding: chunked')}${end}${hidden}`],
    ['CVE-2023-30589', 'a carriage return for a line end', login('X: a\rContent-Length: 0') + hidden],
    [
      'CVE-2024-27982',
      'a space before the first header',
      ` ${login('Content-Length: 0')}`.slice(1).replace('Host', ' Host') + hidden,
    ],
    ['CVE-2024-27982', 'a space before the length', login(' Content-Length: 0') + hidden],
    [
      'CVE-2025-23167',
      'a header that ends with a line feed and X',
      login('Content-Length: 0').replace(/\r\n$/, '\rX') + hidden,
    ],
    ['RFC 9112 7.1', 'a chunk size that isn’t a number', `${login(chunked)}g\r\n${hidden}`],
    ['RFC 9112 7.1', 'a negative chunk size', `${login(chunked)}-1\r\n${hidden}`],
    ['RFC 9112 7.1', 'a chunk size with 0x', `${login(chunked)}0x0\r\n\r\n${hidden}`],
    ['RFC 9112 7.1', 'a chunk size beyond 64 bits', `${login(chunked)}${'f'.repeat(17)}\r\n${hidden}`],
    ['RFC 9112 7.1', 'a chunk longer than its size', `${login(chunked)}1\r\n{}\r\n${end}${hidden}`],
    ['RFC 9112 7.1', 'a chunk size with a space before it', `${login(chunked)} 0\r\n\r\n${hidden}`],
    ['RFC 9112 2.2', 'a NUL in a header', get('Host: x', 'X: a\0b') + hidden],
    ['RFC 9112 2.2', 'a NUL in a header’s name', get('Host: x', 'X\0: a') + hidden],
    ['RFC 9112 5.1', 'a header without a name', get('Host: x', ': a') + hidden],
    ['RFC 9112 5.1', 'a header without a colon', get('Host: x', 'Host') + hidden],
    ['RFC 9112 5.2', 'a continued line', get('Host: x', 'X: a', ' b') + hidden],
    ['RFC 9110 5.1', 'a header’s name that isn’t a token', get('Host: x', 'X(y): a') + hidden],
    ['RFC 9112 3', 'a line feed in the path', `GET /api/\nhealth HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9112 3', 'a NUL in the path', `GET /api/\0health HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9112 3', 'a space in the path', `GET /api /health HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9112 2.3', 'version 1.2', `GET /api/health HTTP/1.2\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9112 2.3', 'version 2.0', `GET /api/health HTTP/2.0\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9113 3.4', 'the start of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
    ['RFC 9112 3.1', 'an unknown method', `SMUGGLE /api/health HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['RFC 9112 3.1', 'a method with a space before it', ` GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
    ['nmap', 'TLS without TLS', `\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03${hidden}`],
  ])('%s: %s', async (_source, _attack, bytes) => {
    for (const client of [service.gate, service.internal]) {
      const response = await rawBytes(client, bytes)
      expect([response.head.split('\r\n', 1)[0], statusesIn(response)]).toEqual(['HTTP/1.1 400 Bad Request', [400]])
      expect(response.head).toMatch(/^connection: close$/im)
      expect(response.head).toMatch(/^x-content-type-options: nosniff$/im)
      expect(JSON.parse(response.body)).toMatchObject({ status: 400 })
    }
  })
})

describe('[ERR-3] a message that is too large is refused, and nothing after it is read', () => {
  test.each<[source: string, attack: string, bytes: string, status: number]>([
    ['RFC 6585 5', 'a header', get('Host: x', `X: ${'x'.repeat(17_000)}`) + hidden, 431],
    ['RFC 6585 5', 'a path', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`, 431],
    ['CVE-2026-58044', 'more headers than are read', get('Host: x', ...Array<string>(1500).fill('a:')) + hidden, 431],
    ['CVE-2024-22019', 'a chunk extension', `${login(chunked)}0;${'a'.repeat(20_000)}\r\n\r\n${hidden}`, 400],
    ['ASVS 4.2.5', 'trailers', `${login(chunked)}0\r\n${'a: b\r\n'.repeat(4000)}\r\n${hidden}`, 431],
  ])('%s: %s', async (_source, _attack, bytes, status) => {
    for (const client of [service.gate, service.internal]) {
      expect(statusesIn(await rawBytes(client, bytes))).toEqual([status])
    }
  })
})

describe('[PATH-1] a message that is only unusual has the length that the standard says', () => {
  const wrong = '{"user":"x","password":"y"}'
  test.each<[source: string, attack: string, bytes: string, statuses: number[]]>([
    ['RFC 9112 7.1', 'chunks', login(chunked) + chunk(wrong) + end + hidden, [401, 200]],
    ['RFC 9112 7.1.1', 'a chunk extension', login(chunked) + chunk(wrong, ';a=b') + end + hidden, [401, 200]],
    [
      'RFC 9112 6.1',
      'chunks in another case',
      login('transfer-encoding: CHUNKED') + chunk(wrong) + end + hidden,
      [401, 200],
    ],
    ['RFC 9112 2.2', 'an empty line before it', `\r\n${hidden}`, [200]],
    [
      'RFC 9112 6.3',
      'a GET with a body',
      get('Host: x', `Content-Length: ${hidden.length}`) + hidden + hidden,
      [200, 200],
    ],
    [
      'RFC 9112 6.3',
      'a HEAD with a body',
      get('Host: x', 'Content-Length: 3').replace('GET', 'HEAD') + `abc${hidden}`,
      [200, 200],
    ],
    ['RFC 9112 3.2.2', 'an absolute target', hidden.replace('/api', 'http://evil.example/api'), [400]],
    ['RFC 9112 3.2.3', 'a target without a path', `OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, [400]],
    ['RFC 9110 9.3.6', 'a tunnel', `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`, []],
    ['RFC 9110 10.1.1', 'an expectation', get('Host: x', 'Expect: 100-continue') + hidden, [200, 200]],
    ['RFC 9110 10.1.1', 'an unknown expectation', get('Host: x', 'Expect: nonsense') + hidden, [200, 200]],
    ['RFC 9110 7.8', 'an upgrade of an unknown path', get('Host: x', ...webSocketHandshake) + hidden, [200]],
    ['RFC 9110 7.8', 'an upgrade with a body', liveUpgrade('Content-Length: 4') + hidden, [401]],
  ])('%s: %s', async (_source, _attack, bytes, statuses) => {
    const response = await rawBytes(service.gate, bytes)
    expect(statusesIn(response).filter((status) => status !== 100)).toEqual(statuses)
  })

  test.each([
    ['RFC 9112 3.2', 'without a host', get('X: a')],
    ['RFC 9112 3.2', 'with two hosts', get('Host: x', 'Host: y')],
    ['RFC 9112 3.2', 'with one host twice', get('Host: x', 'Host: x')],
    ['RFC 9112 3.2', 'with a host that is not named so', get('X-Host: x', 'X_Host: x')],
    ['RFC 9112 3.2', 'of HTTP/1.0 with two hosts', get('Host: x', 'Host: y').replace('/1.1', '/1.0')],
  ])('%s: a request %s is 400, with the headers of every response', async (_source, _attack, bytes) => {
    for (const client of [service.gate, service.internal]) {
      const { head, body, status } = await rawBytes(client, bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid-request' }])
      expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    }
  })

  test('RFC 9112 7.1.2: a trailer isn’t a header', async () => {
    const lines = [
      'POST /api/users HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      chunked,
      'Connection: close',
    ]
    const trailers = `Cookie: ${String(guard.headers['cookie'])}\r\nRemote-User: admin\r\n`
    const response = await rawBytes(service.gate, `${lines.join('\r\n')}\r\n\r\n${chunk('{}')}0\r\n${trailers}\r\n`)
    expect(statusesIn(response)).toEqual([401])
  })
})

const request = (target: string, client?: TestClient, body?: string): string[] => [
  `${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
  'Host: x',
  ...(client ? [`Cookie: ${String(client.headers['cookie'])}`] : []),
  ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
]

describe('[PATH-1] [ERR-2] each request on a connection is decided by itself', () => {
  test('CVE-2022-39328: a request after that of another user has none of their permissions', async () => {
    const connection = await converse(service.gate)
    const statuses: number[] = []
    for (const lines of [
      request('/api/cameras/yard', guard),
      request('/api/cameras/yard'),
      request('/api/cameras/office', guard),
      request('/api/cameras/yard', guard),
      request('/api/cameras/yard', service.gate.with({ cookie: 'gatehouse_token=bad' })),
    ]) {
      statuses.push((await connection.ask(lines)).status)
    }
    connection.end()
    expect(statuses).toEqual([200, 401, 403, 200, 401])
  })

  test('CVE-2022-39328: requests of several users that are sent together have each their own permissions', async () => {
    const all = [
      request('/api/cameras/yard', guard),
      request('/api/cameras/yard'),
      request('/api/users', guard),
      request('/api/cameras/office', guard),
      request('/api/cameras/yard', guard),
      [...request('/api/health'), 'Connection: close'],
    ]
    const response = await rawBytes(service.gate, all.map((lines) => `${lines.join('\r\n')}\r\n\r\n`).join(''))
    expect(statusesIn(response)).toEqual([200, 401, 403, 403, 200, 200])
  })

  test('RFC 9112 9.3.2: the body of a refused request is not read as the next one', async () => {
    const inner = request('/api/health').join('\r\n')
    const refused = `${request('/api/users', undefined, `${inner}\r\n\r\n`).join('\r\n')}\r\n\r\n${inner}\r\n\r\n`
    const response = await rawBytes(service.gate, refused + hidden)
    expect(statusesIn(response)).toEqual([401, 200])
  })
})

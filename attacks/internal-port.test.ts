/** What a page of another site, open in the browser of someone who can reach the internal port, makes that browser send. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { converse, type Conversation } from '../server/test/support/raw-request.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
let connection: Conversation
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false } } })
  connection = await converse(service.internal)
})
afterAll(() => {
  connection.end()
  return stopAll()
})

const send = (method: string, target: string, headers: readonly string[], body = '') => {
  const own = `http://127.0.0.1:${service.internalPort}`
  const lines = headers.map((line) => line.replace('OWN', own).replace('GATE', String(service.gatePort)))
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return connection.ask([`${method} ${target} HTTP/1.1`, `Host: ${own.slice(7)}`, ...lines, length], body)
}

/** What browsers send. `OWN` stands for the origin of the internal port, `GATE` for the gate's port. */
const foreign: readonly (readonly [source: string, what: string, headers: readonly string[]])[] = [
  ['GHSL-2023-198', 'fetch', ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors']],
  ['GHSL-2023-198', 'fetch of an older browser', ['Origin: https://evil.example']],
  ['GHSL-2023-198', 'a form', ['Origin: https://evil.example', 'Content-Type: text/plain', 'Sec-Fetch-Mode: navigate']],
  ['CVE-2026-25643', 'a page in a sandbox', ['Origin: null']],
  ['RFC 6454 7.1', 'a file', ['Origin: file://', 'Sec-Fetch-Site: cross-site']],
  ['RFC 6454 5', 'a page of the gate', ['Origin: http://127.0.0.1:GATE', 'Sec-Fetch-Site: same-site']],
  ['RFC 6454 5', 'a page of another port', ['Origin: http://127.0.0.1:3000']],
  ['RFC 6454 5', 'a page without a port', ['Origin: http://127.0.0.1']],
  ['RFC 6454 5', 'a page of another name for it', ['Origin: http://localhost:5000']],
  ['GHSA-4mf2-f3wh-gvf2', 'a name that begins with it', ['Origin: OWN.evil.example']],
  ['GHSA-4mf2-f3wh-gvf2', 'a name after a user', ['Origin: OWN@evil.example']],
  ['RFC 6454 7.3', 'two origins', ['Origin: OWN', 'Origin: https://evil.example']],
  ['RFC 6454 7.3', 'two origins in one', ['Origin: OWN https://evil.example']],
  ['ASVS 3.5.8', 'an image', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image']],
  ['ASVS 3.5.8', 'a video', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: video']],
  ['ASVS 3.5.8', 'an image of another port', ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: image']],
  ['ASVS 3.5.7', 'a script', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script']],
  ['ASVS 3.5.3', 'two sites', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site']],
  ['ASVS 3.5.3', 'a site that is unknown', ['Sec-Fetch-Site: moon']],
  ['ASVS 3.5.3', 'an empty site', ['Sec-Fetch-Site:']],
  ['ASVS 3.4.6', 'a frame', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']],
  [
    'ASVS 3.4.6',
    'an embedded object',
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: embed'],
  ],
]

describe('[PORT-6] the API, and the pages for all but a link, are 403 for', () => {
  test.each(foreign)('%s: %s', async (_source, _what, headers) => {
    for (const [method, target] of [
      ['GET', '/api/users'],
      ['GET', '/api/config/raw'],
      ['GET', '/api/cameras/yard/latest.jpg'],
      ['GET', '/api/health'],
      ['GET', '/%61pi/users'],
      ['GET', '/api/nothing'],
      ['GET', '/'],
      ['GET', '/favicon.svg'],
      ['OPTIONS', '/api/users'],
      ['HEAD', '/api/users'],
      ['POST', '/'],
    ] as const) {
      const response = await send(method, target, headers)
      expect([method, target, response.status]).toEqual([method, target, 403])
      expect(response.head).not.toMatch(/^access-control-/im)
    }
  })

  test('GHSL-2023-198, CVE-2026-25643: every route, with the content types that a form can send', async () => {
    const wrong: string[] = []
    for (const { method, path } of accessRows) {
      const target = path.replaceAll(/:\w+/g, 'yard')
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
        const headers = ['Origin: https://evil.example', `Content-Type: ${type}`]
        const { status, body } = await send(method, target, headers, '{}')
        if (status !== 403 || !body.includes('"cross-origin"')) wrong.push(`${method} ${path}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['a preflight for a private network', 'Access-Control-Request-Private-Network: true'],
    ['a preflight for a local network', 'Access-Control-Request-Local-Network: true'],
    ['a preflight', 'Access-Control-Request-Method: PUT'],
  ])('ASVS 3.4.2: %s', async (_what, header) => {
    const origin = ['Origin: https://evil.example', 'Access-Control-Request-Headers: content-type', header]
    for (const target of ['/api/config/raw', '/api/login', '/']) {
      const { status, head } = await send('OPTIONS', target, origin)
      expect([status, /^access-control-/im.test(head)]).toEqual([403, false])
    }
  })

  test.each([
    ['CVE-2026-75607', 'https://evil.example'],
    ['CVE-2026-75607', 'null'],
    ['CVE-2026-75607', 'http://127.0.0.1:3000'],
    ['RFC 6455 10.2', 'file://'],
  ])('%s: a WebSocket of %s', async (_source, origin) => {
    for (const path of ['/api/events', '/api/cameras/yard/live']) {
      const socket = service.internal.socket(path, { headers: { origin } })
      onTestFinished(() => socket.terminate())
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toContain('403')
    }
  })
})

describe('[PORT-6] what the port’s own pages and other programs send is not', () => {
  test.each<[what: string, headers: readonly string[]]>([
    ['a program', []],
    ['its own page', ['Origin: OWN', 'Sec-Fetch-Site: same-origin']],
    ['its own page in an older browser', ['Origin: OWN']],
    ['an address that is typed', ['Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']],
  ])('%s', async (_what, headers) => {
    expect((await send('GET', '/api/users', headers)).status).toBe(200)
    expect((await send('DELETE', '/api/users/unknown', headers)).status).toBe(404)
  })

  const link = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
  test.each<[method: string, target: string, status: number]>([
    ['GET', '/', 200],
    ['GET', '/live', 200],
    ['POST', '/', 403],
    ['GET', '/api/users', 403],
    ['GET', '/%61pi/users', 403],
    ['GET', '/logout', 403],
    ['GET', '/%6cogout', 403],
    ['GET', '/api/logout', 403],
    ['GET', '/auth', 403],
  ])('a link: %s %s is %i', async (method, target, status) => {
    expect((await send(method, target, link)).status).toBe(status)
  })

  test('ASVS 3.5.8: a browser too old to say where a request comes from cannot show what it loads', async () => {
    for (const target of ['/', '/api/users', '/api/cameras/yard/latest.jpg', '/api/nothing', '/favicon.svg']) {
      const { head } = await send('GET', target, [])
      expect(head).toMatch(/^cross-origin-resource-policy: same-origin$/im)
      expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    }
  })
})

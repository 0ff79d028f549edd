/** The server for other instances: without a certificate, without a ticket, with one for something else, or in odd requests. */
import { createHmac, hkdfSync } from 'node:crypto'
import { connect, type ConnectionOptions } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCertificateAuthority, issueServerCertificate } from '../server/src/tls/generate-certificate.ts'
import { issueInstanceCertificate } from '../server/src/cluster/inner/instance-certificate.ts'
import type { Ticket } from '../server/src/shared/cluster/inner-client.ts'
import type { InnerRoute } from '../server/src/shared/cluster/inner-route.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { innerWorld, startInnerInstance, type InnerInstance } from '../server/test/support/inner-instances.ts'
import { cameraKey } from '../server/src/shared/camera/camera-keys.ts'

const yard = cameraKey('yard')

const world = innerWorld()
/** Whatever a handler was called with: nothing, in every row. */
const read: unknown[] = []

const reading = (...what: unknown[]) => {
  read.push(what)
  return { body: 'video' }
}
const routes: InnerRoute[] = [
  { path: '/live', action: 'live', scope: 'camera', handle: ({ camera }) => reading(camera) },
  { path: '/snapshot', action: 'snapshot', scope: 'camera', handle: ({ camera }) => reading(camera) },
  { path: '/recording', action: 'recording', scope: 'range', handle: ({ camera, range }) => reading(camera, range) },
  { path: '/status', action: 'status', scope: 'service', handle: () => reading('status') },
]

let gate: InnerInstance
let owner: InnerInstance
let third: InnerInstance

beforeAll(async () => {
  gate = await startInnerInstance('gate', world, { routes })
  owner = await startInnerInstance('owner', world, { routes })
  third = await startInnerInstance('third', world)
})
beforeEach(() => void (read.length = 0))
afterAll(stopAll)

const live: Ticket = { camera: yard, action: 'live' }
const ticketFor = (ticket: Ticket, { from = 'gate', to = 'owner', path = '/live' } = {}): string =>
  gate.tickets.issue(ticket, { from, to, path })
const line = (ticket: string): string => `X-Gatehouse-Ticket: ${ticket}`

/** Sends bytes with the gate's certificate, or with other options. @returns what the server sent until it closed, or the error */
function sent(bytes: string, options: ConnectionOptions = gate.certificate.options()): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { ca } = gate.certificate.options()
  const identity = { servername: 'owner.instance.gatehouse.internal', ca, checkServerIdentity: () => undefined }
  const socket = connect({ port: owner.port, host: '127.0.0.1', ...identity, ...options })
  let received = ''
  socket.on('data', (data: Buffer) => void (received += data.toString('latin1')))
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(received || `error: ${error.code}`))
  socket.on('close', () => resolve(received))
  socket.write(bytes)
  return promise
}
const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: owner', 'Connection: close', ...lines, '', ''].join('\r\n')
const statusIn = (response: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)

test('[NODE-3] the table is about tickets and certificates: with both, the handler gets what the ticket names', async () => {
  expect(statusIn(await sent(get('/live', line(ticketFor(live)))))).toBe(200)
  const range = { start: 1, end: 2 }
  const recording = ticketFor({ camera: cameraKey('door'), action: 'recording', range }, { path: '/recording?part=1' })
  expect(statusIn(await sent(get('/recording?part=1', line(recording))))).toBe(200)
  expect(read).toEqual([['yard'], ['door', range]])
})

const issued = async (name: string) => {
  const site = { names: [name], addresses: [] }
  const authority = await createCertificateAuthority(site, Date.now())
  return issueServerCertificate(authority, site, Date.now())
}

describe('[NODE-3] a connection without a certificate of the instances', () => {
  const rows: readonly [what: string, options: () => Promise<ConnectionOptions>][] = [
    ['RFC 8446 4.4.2.4: no certificate', () => Promise.resolve({ cert: undefined, key: undefined })],
    [
      'ASVS 5.0 V12: a certificate of another authority that names an instance',
      () => issued('gate.instance.gatehouse.internal'),
    ],
    [
      'ASVS 5.0 V12: a certificate of the instances of another JWT secret',
      async () => {
        const other = await startInnerInstance(
          'gate',
          innerWorld({ secret: 'another secret, as long as required and more' }),
        )
        const { key, cert } = other.certificate.options()
        return { key, cert }
      },
    ],
    [
      'RFC 5280 6.1: a certificate that an instance signed with its own one',
      async () => {
        const above = gate.certificate.options()
        const { key, cert } = await issueInstanceCertificate(above, 'third', Date.now())
        return { key, cert: cert + above.cert }
      },
    ],
    [
      'RFC 8446 D.1: TLS 1.2, with the right certificate',
      () => Promise.resolve({ ...gate.certificate.options(), minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }),
    ],
  ]
  test.each(rows)('%s', async (_source, options) => {
    const response = await sent(get('/live', line(ticketFor(live))), await options())
    expect(statusIn(response)).toBe(0)
    expect(read).toEqual([])
  })
})

const keyOfTickets = Buffer.from(hkdfSync('sha256', world.secret, '', 'gatehouse inner tickets', 32))
/** A ticket with any payload, signed by any key over any text. */
const forged = (payload: string, key: string | Buffer, text = payload): string =>
  `${Buffer.from(payload).toString('base64url')}.${createHmac('sha256', key).update(text).digest('base64url')}`
const payloadOf = (ticket: Ticket): string => JSON.stringify({ ...ticket, expires: world.clock.now() + 20_000 })
const parts = (ticket: string): [string, string] => ticket.split('.') as [string, string]

const recording = (camera: string, range?: Ticket['range']): Ticket => ({
  camera: cameraKey(camera),
  action: 'recording',
  ...(range && { range }),
})

describe('[NODE-3] with a certificate, but not with a ticket for exactly this', () => {
  const rows: readonly [what: string, path: string, lines: () => string[], status?: number][] = [
    ['ASVS 5.0 V8: no ticket', '/live', () => []],
    ['ASVS 5.0 V8: an empty ticket', '/live', () => [line('')]],
    [
      'ASVS 5.0 V9: a ticket for another path',
      '/snapshot',
      () => [line(ticketFor({ camera: yard, action: 'snapshot' }))],
    ],
    ['ASVS 5.0 V9: a ticket for another query', '/live?camera=door', () => [line(ticketFor(live))]],
    ['ASVS 5.0 V9: a ticket without the query', '/live', () => [line(ticketFor(live, { path: '/live?audio=0' }))]],
    [
      'ASVS 5.0 V8: a ticket for another action',
      '/live',
      () => [line(ticketFor({ camera: yard, action: 'snapshot' }))],
      403,
    ],
    ['ASVS 5.0 V8: a ticket for no camera', '/live', () => [line(ticketFor({ camera: null, action: 'live' }))], 403],
    [
      'ASVS 5.0 V8: a ticket for a camera, at a route of the service',
      '/status',
      () => [line(ticketFor({ camera: yard, action: 'status' }, { path: '/status' }))],
      403,
    ],
    [
      'ASVS 5.0 V8: a ticket without a range',
      '/recording',
      () => [line(ticketFor(recording('yard'), { path: '/recording' }))],
      403,
    ],
    [
      'ASVS 5.0 V8: a ticket with a range, for live video',
      '/live',
      () => [line(ticketFor({ ...live, range: { start: 0, end: 1 } }))],
      403,
    ],
    ['ASVS 5.0 V9: a ticket for another instance', '/live', () => [line(ticketFor(live, { to: 'third' }))]],
    ['ASVS 5.0 V9: a ticket of another instance, stolen', '/live', () => [line(ticketFor(live, { from: 'third' }))]],
    [
      'ASVS 5.0 V8: a ticket for a route that does not exist',
      '/api/users',
      () => [line(ticketFor(live, { path: '/api/users' }))],
      404,
    ],
    ['ASVS 5.0 V9: two tickets, the first right', '/live', () => [line(ticketFor(live)), line('x')]],
    ['ASVS 5.0 V9: two tickets, the second right', '/live', () => [line('x'), line(ticketFor(live))]],
    [
      'RFC 8725 3.1: a payload in plain JSON without a signature',
      '/live',
      () => [line(Buffer.from(payloadOf(live)).toString('base64url'))],
    ],
    ['RFC 8725 3.1: an empty signature', '/live', () => [line(`${parts(ticketFor(live))[0]}.`)]],
    [
      'RFC 8725 3.1: a JWT with alg none',
      '/live',
      () => [line(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${parts(ticketFor(live))[0]}.`)],
    ],
    [
      'RFC 8725 3.1: a third part, with an algorithm',
      '/live',
      () => [line(`${ticketFor(live)}.${Buffer.from('{"alg":"none"}').toString('base64url')}`)],
    ],
    [
      'RFC 8725 3.8: signed with the JWT secret itself',
      '/live',
      () => [line(forged(payloadOf(live), world.secret, JSON.stringify(['gate', 'owner', '/live', payloadOf(live)])))],
    ],
    [
      'RFC 8725 3.8: signed with the right key over the payload alone',
      '/live',
      () => [line(forged(payloadOf(live), keyOfTickets))],
    ],
    [
      'RFC 8725 3.8: the payload of one ticket, the signature of another',
      '/live',
      () => [
        line(`${parts(ticketFor({ camera: cameraKey('door'), action: 'live' }))[0]}.${parts(ticketFor(live))[1]}`),
      ],
    ],
    [
      'RFC 4648 3.5: a signature in other letters with the same bytes',
      '/live',
      () => [line(withUnusedBits(ticketFor(live)))],
    ],
    ['RFC 8725 2.2: a shortened signature', '/live', () => [line(ticketFor(live).slice(0, -4))]],
    ['ASVS 5.0 V7: a session cookie instead', '/live', () => ['Cookie: gatehouse_token=eyJhbGciOiJIUzI1NiJ9.e30.e30']],
    ['ASVS 5.0 V7: a bearer token instead', '/live', () => [`Authorization: Bearer ${ticketFor(live)}`]],
    [
      'ASVS 5.0 V4: headers of a proxy that name a user',
      '/live',
      () => ['Remote-User: admin', 'X-Proxy-Secret: secret'],
    ],
    ['ASVS 5.0 V8: the ticket in the query', '/live', () => []],
  ]
  test.each(rows)('%s', async (what, path, lines, status = 401) => {
    const target = what.endsWith('in the query') ? `${path}?ticket=${ticketFor(live)}` : path
    expect(statusIn(await sent(get(target, ...lines())))).toBe(status)
    expect(read).toEqual([])
  })

  test('ASVS 5.0 V9: an expired ticket, and one of a clock that is far ahead', async () => {
    const early = ticketFor(live)
    await world.clock.advance(30_000)
    expect(statusIn(await sent(get('/live', line(early))))).toBe(401)
    const late = ticketFor(live)
    world.clock.setWallTime(world.clock.now() - 40_000)
    expect(statusIn(await sent(get('/live', line(late))))).toBe(401)
    expect(read).toEqual([])
    world.clock.setWallTime(world.clock.now() + 40_000)
  })
})

/** The same bytes in other letters: 43 of them have two bits more than the 32 bytes of the signature. */
function withUnusedBits(ticket: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return ticket.slice(0, -1) + letters[letters.indexOf(ticket.slice(-1)) + 1]
}

describe('[NODE-3] an odd request with a right ticket', () => {
  const smuggled = `GET /live HTTP/1.1\r\nHost: owner\r\n\r\n`
  const rows: readonly [what: string, bytes: () => string, status: number][] = [
    ['ASVS 5.0 V4: another method', () => get('/live', line(ticketFor(live))).replace('GET', 'DELETE'), 405],
    ['ASVS 5.0 V4: HEAD', () => get('/live', line(ticketFor(live))).replace('GET', 'HEAD'), 405],
    ['RFC 9110 7.8: an upgrade', () => get('/live', line(ticketFor(live)), 'Upgrade: websocket'), 400],
    [
      'RFC 9112 11.2: a body with a length',
      () => `${get('/live', line(ticketFor(live)), `Content-Length: ${smuggled.length}`)}${smuggled}`,
      400,
    ],
    [
      'RFC 9112 11.2: a chunked body',
      () => `${get('/live', line(ticketFor(live)), 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
      400,
    ],
    [
      'RFC 9112 6.1: both a length and chunks',
      () => `${get('/live', line(ticketFor(live)), 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      400,
    ],
    ['RFC 9112 5.1: a space before the colon', () => get('/live', `X-Gatehouse-Ticket : ${ticketFor(live)}`), 400],
    ['CWE-400: headers of 20 KiB', () => get('/live', line(ticketFor(live)), `X: ${'x'.repeat(20_000)}`), 431],
    [
      'CWE-400: a path of 4 KiB',
      () => get(`/live?${'x'.repeat(4000)}`, line(ticketFor(live, { path: `/live?${'x'.repeat(4000)}` }))),
      400,
    ],
    ...[
      '//live',
      '/live/',
      '/./live',
      '/a/../live',
      '/%6cive',
      '/LIVE',
      '/live#x',
      '/live;x',
      'live',
      'https://owner/live',
      '/live%00',
    ].map((path): [string, () => string, number] => [
      `CWE-22: the path ${path}, with a ticket for it`,
      () => get(path, line(ticketFor(live, { path }))),
      path === 'live' ? 400 : 404,
    ]),
  ]
  test.each(rows)('%s', async (_source, bytes, status) => {
    expect(statusIn(await sent(bytes()))).toBe(status)
    expect(read).toEqual([])
  })
})

describe('[NODE-3] an instance that answers in the place of another', () => {
  test('RFC 6125 6: it has a certificate of the instances, but not that of the one which is asked', async () => {
    const { addresses } = world
    const right = addresses.get('owner')!
    addresses.set('owner', `https://127.0.0.1:${gate.port}`)
    await expect(third.client.request('owner', { path: '/live', ticket: live })).rejects.toMatchObject({
      reason: 'instance-unreachable',
    })
    expect(read).toEqual([])
    addresses.set('owner', right)
    expect((await third.client.request('owner', { path: '/live', ticket: live })).status).toBe(200)
  })
})

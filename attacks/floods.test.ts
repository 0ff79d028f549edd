/** More of something than anyone needs: connections, streams of one user, requests on one connection. */
import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { listenerLimits, plainListener } from '../server/src/http/listener.ts'
import { bareServer } from '../server/test/support/bare-server.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { linkPath, makeLink, openLink } from '../server/test/support/make-link.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { rawBytes, statusesIn } from '../server/test/support/raw-request.ts'
import { makeSegment, seedRecordings } from '../server/test/support/seeded-recordings.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { statusOf, type TestClient } from '../server/test/support/test-client.ts'

const live = '/api/cameras/yard/live'
let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, http: { streams_per_user: 16 } } })
})
afterAll(stopAll)

async function open(at: TestClient, path: string): Promise<WebSocket> {
  const socket = at.socket(path)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

/** The response that refused a WebSocket. */
async function refusal(at: TestClient, path: string): Promise<string> {
  const [error] = (await once(at.socket(path), 'error')) as [Error]
  return error.message
}

test('[ERR-1] ASVS 2.4.1: one stream more than the limit per user is 429, with the reason, of any kind and in any session', async () => {
  const ann = await service.user('ann')
  const otherSession = await signIn(service.gate, 'ann')
  const vera = await service.user('vera')
  const sockets = await Promise.all(
    Array.from({ length: 16 }, (_, at) => open(at % 2 ? ann : otherSession, at % 4 ? live : '/api/events')),
  )
  for (const at of [ann, otherSession]) {
    expect(await refusal(at, live)).toContain('429')
    expect(await refusal(at, '/api/events')).toContain('429')
    // As server-sent events, and without an upgrade, which is how the page reads the reason.
    for (const path of ['/api/events', live]) {
      const response = await at.get(path)
      expect([response.status, response.json]).toMatchObject([
        429,
        { code: 'too-many-attempts', reason: { code: 'too-many-streams', values: { max: 16 } } },
      ])
      expect(response.headers).toMatchObject({
        'retry-after': '10',
        'content-type': expect.stringMatching(/^application\/problem\+json/) as string,
      })
    }
    // Requests that are not streams still work.
    expect((await at.get('/api/cameras')).status).toBe(200)
  }
  // Other users are not affected, and the internal port has no limit.
  await open(vera, live)
  await Promise.all(Array.from({ length: 20 }, () => open(service.internal, live)))

  sockets[0]!.close()
  await once(sockets[0]!, 'close')
  await expect.poll(() => statusOf(ann, live)).toBe(426)
  await open(ann, live)
  expect(await refusal(ann, live)).toContain('429')
})

describe('[RATE-7] connections', () => {
  test('IncludeSec 2025-09 L4: beyond the limit are dropped, and a closed one makes room', async () => {
    const limit = 20
    const app = await bareServer({ routes: [], listener: plainListener({ ...listenerLimits, connections: limit }) })
    onTestFinished(() => app.close())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const sockets: Socket[] = []
    const connected = async () => {
      const socket = connect({ host: '127.0.0.1', port })
      onTestFinished(() => void socket.destroy())
      sockets.push(socket)
      const ended = new Promise<'dropped'>((done) => {
        socket.on('error', () => undefined).once('close', () => done('dropped'))
      })
      const answered = once(socket, 'data').then(
        () => 'answered' as const,
        () => 'dropped' as const,
      )
      socket.write('GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n')
      return Promise.race([ended, answered])
    }
    const results: string[] = []
    for (let at = 0; at < limit + 5; at += 1) results.push(await connected())
    expect(results).toEqual([...Array<string>(limit).fill('answered'), ...Array<string>(5).fill('dropped')])
    sockets[0]!.destroy()
    await expect.poll(connected).toBe('answered')
  })

  test('ASVS 13.1.3: the limits of connections leave file descriptors for recordings', () => {
    expect(listenerLimits.connections).toBeLessThanOrEqual(8192)
  })
})

describe('[RATE-7] requests on one connection', () => {
  test('CVE-2023-44487: are answered one after the other, and the others not later', async () => {
    const request = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n'
    const flood = rawBytes(
      service.gate,
      request.repeat(2000) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    for (let at = 0; at < 5; at += 1) expect((await service.gate.get('/api/health')).status).toBe(200)
    expect(statusesIn(await flood)).toEqual(Array(2001).fill(200))
  })

  test('CVE-2023-44487: behind an endless response count as streams of the user', async () => {
    const eve = await service.user('eve')
    const head = ['Host: x', `Cookie: ${String(eve.headers['cookie'])}`, '', ''].join('\r\n')
    const socket = connect({ host: '127.0.0.1', port: service.gatePort })
    onTestFinished(() => void socket.destroy())
    socket.write(`GET /api/events HTTP/1.1\r\n${head}`.repeat(100))
    await once(socket, 'data')
    await expect.poll(() => statusOf(eve, '/api/events')).toBe(429)
    socket.destroy()
    await expect.poll(async () => (await eve.request('GET', '/api/events', { headOnly: true })).status).toBe(200)
  })
})

test('[RATE-7] [ERR-1] CWE-770: snapshots of one user, whichever token requests them, leave room for everyone else', async () => {
  const latest = '/api/cameras/yard/latest.jpg'
  const yard = { source: 'demo:yard', record: { enabled: false }, motion: { enabled: false } }
  const there = await startService({ config: { tls: { enabled: false }, cameras: { yard } } })
  const [fay, gus] = [await there.user('fay', 'admin'), await there.user('gus')]
  await expect.poll(() => statusOf(gus, latest), { timeout: 15_000 }).toBe(200)
  const link = await makeLink(fay, { kind: 'live', camera: 'yard' })
  const viewer = await openLink(there, link)
  const tokens = await Promise.all(Array.from({ length: 3 }, () => createToken(fay, { actions: ['live'] })))
  const flood: ClientRequest[] = []
  onTestFinished(() => flood.forEach((request) => void request.destroy()))
  const refused: IncomingMessage[] = []
  // Each height is another decoding, and each is requested once.
  for (let height = 100; height < 280; height++) {
    const headers = bearer(tokens[height % 3]!.token)
    const path = `${latest}?height=${height}`
    const request = get({ host: '127.0.0.1', port: there.gatePort, path, headers, agent: false })
    request.on('error', () => undefined)
    request.on('response', (response) => response.statusCode === 200 || refused.push(response))
    flood.push(request)
  }
  await expect.poll(() => refused.length, { timeout: 15_000 }).toBeGreaterThan(20)
  const [response] = refused
  expect([response?.statusCode, response?.headers['retry-after']]).toEqual([503, '1'])
  // The same user's page and link have their part of it too.
  const others = [
    [gus, latest],
    [fay, latest],
    [viewer, linkPath(link, 'latest.jpg')],
  ] as const
  const statuses = await Promise.all(others.map(([client, path], at) => statusOf(client, `${path}?height=${300 + at}`)))
  expect(statuses).toEqual([200, 200, 200])
})

test('[RATE-7] [ERR-1] CWE-770: of recordings, which are held in memory while they are sent, one user has few at a time', async () => {
  const there = await startService({ config: { tls: { enabled: false }, cameras: quietCameras } })
  await there.stop()
  const sample = join(there.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '1280x720', bitrate: '8000k' })
  const last = Math.floor(Date.now() / 1000) - 120
  seedRecordings(there, 'yard', { sample, count: 1, last })
  const restarted = await there.restart()
  const { gate, user } = restarted
  const [gil, vera, boss] = [await user('gil'), await user('vera'), await user('boss', 'admin')]
  const tokens = await Promise.all(
    Array.from({ length: 10 }, async () => gate.with(bearer((await createToken(gil)).token))),
  )
  const link = await makeLink(boss, { kind: 'history', camera: 'yard', start: last, end: last + 10, download: true })
  const [viewer, otherViewer] = [await openLink(restarted, link), await openLink(restarted, link)]
  /** A client that reads nothing after the headers: a segment is too long to wait in the sockets alone. */
  const begin = async ({ headers }: TestClient, path: string) => {
    const request = get({ host: '127.0.0.1', port: gate.port, path, headers, agent: false })
    onTestFinished(() => void request.destroy())
    const [{ statusCode: status }] = (await once(request, 'response')) as [IncomingMessage]
    return { request, status }
  }
  const range = `start=${last}&end=${last + 10}`
  for (const [one, path, other] of [
    [gil, `/api/cameras/yard/segments/${last * 1000}/video.m4s?at=0`, vera],
    [gil, `/api/cameras/yard/clip.mp4?${range}`, vera],
    // An address has as many, however often it opens the link.
    [viewer, linkPath(link, 'video.mp4'), undefined],
  ] as const) {
    const begun = await Promise.all(Array.from({ length: 50 }, () => begin(one, path)))
    expect([200, 429].map((code) => begun.filter(({ status }) => status === code).length)).toEqual([48, 2])
    const refused = await (other ? one : otherViewer).get(path)
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ reason: { code: 'too-many-streams-of-kind', values: { max: 48 } } })
    if (other) {
      // All tokens of the user together have half as many more, which the user's pages can't take from them.
      const byTokens = await Promise.all(Array.from({ length: 30 }, (_, at) => begin(tokens[at % 10]!, path)))
      expect([200, 429].map((code) => byTokens.filter(({ status }) => status === code).length)).toEqual([24, 6])
      expect((await begin(other, path)).status).toBe(200)
      for (const { request } of byTokens) request.destroy()
    }
    for (const { request } of begun) request.destroy()
  }
})

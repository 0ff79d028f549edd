import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import { childrenOf, commandLines } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { basic, bearer, createToken } from './support/create-token.ts'
import { jpegSize } from './support/jpeg-size.ts'
import { within } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const ffmpeg = findFfmpeg() ?? 'ffmpeg'
let service: InProcessService

beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      cameras: {
        ...quietCameras,
        yard: { source: 'demo:yard', record: { enabled: false } },
        office: { source: 'demo:office', record: { enabled: false } },
      },
      auth: { roles: { guard: ['yard'], other: ['office'] } },
    },
  })
  await until(async () => {
    for (const camera of ['yard', 'office'])
      expect((await service.internal.get(`/api/cameras/${camera}`)).json).toMatchObject({ state: 'online' })
  })
})
afterAll(() => stopAll())

const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 100 })

interface Watching {
  /** Complete frames so far. */
  readonly frames: () => Buffer[]
  readonly ended: () => boolean
  readonly response: IncomingMessage
}

async function watchMjpeg(client: TestClient, path = '/api/cameras/yard/mjpeg?height=180'): Promise<Watching> {
  const request = get({ host: '127.0.0.1', port: client.port, path, headers: client.headers, agent: false })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  let ended = false
  response.on('data', (chunk: Buffer) => void chunks.push(chunk))
  response.on('error', () => {})
  response.on('close', () => void (ended = true))
  return { frames: () => partsOf(Buffer.concat(chunks)), ended: () => ended, response }
}

/** Reads a multipart body by its content lengths, as some clients do. */
function partsOf(body: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const head = /^--frame\r\nContent-Type: image\/jpeg\r\nContent-Length: (\d+)\r\n\r\n/.exec(
      body.toString('latin1', at),
    )
    if (!head) return parts
    const start = at + head[0].length
    const end = start + Number(head[1])
    if (end > body.length) return parts
    parts.push(body.subarray(start, end))
    at = end + 2
  }
}

const playlist = '/api/cameras/yard/live/index.m3u8'
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('ffmpeg plays live HLS through the gate, with video and audio and without a complaint', async () => {
  const guard = await service.user('gil', 'guard')
  const { stderr } = await promisify(execFile)(
    ffmpeg,
    [
      ['-hide_banner', '-v', 'warning', '-stats', '-headers', `Cookie: ${String(guard.headers['cookie'])}\r\n`],
      ['-i', `${service.gate.base}${playlist}`, '-t', '5', '-map', '0:v', '-map', '0:a', '-f', 'null', '-'],
    ].flat(),
    { timeout: 60_000 },
  )
  // It reads the init segment again with each updated playlist, and warns about that itself.
  const own = /^.*(?:frame=|duplicated MOOV|message repeated).*$/gm
  expect(stderr.replace(own, '').trim()).toBe('')
  const frames = Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1])
  const { fps } = (await guard.get('/api/cameras/yard')).json as { fps: number }
  expect(Math.abs(frames - 5 * fps)).toBeLessThanOrEqual(2)
})

test('[ROLE-4] live HLS playlists and segments, and MJPEG, are limited to the role’s cameras, whatever the route', async () => {
  const [guard, viewer] = await Promise.all([service.user('gil', 'guard'), service.user('vera')])
  const ways = async (camera: string, from: string): Promise<string[]> => {
    const { text } = await service.internal.get(`/api/cameras/${from}/live/index.m3u8`)
    const [stream] = /\d+(?=\/init\.mp4)/.exec(text) ?? []
    const rest = ['live/index.m3u8', `live/${stream}/init.mp4`, `live/${linesOf(text).at(-1)}`]
    return rest.map((each) => `/api/cameras/${camera}/${each}`)
  }
  for (const path of await ways('office', 'office')) {
    expect((await viewer.get(path)).status, path).toBe(200)
    expect((await guard.get(path)).status, path).toBe(403)
    expect((await guard.get(path, { range: 'bytes=0-99' })).status, path).toBe(403)
    expect((await service.gate.get(path)).status, path).toBe(401)
  }
  for (const path of [...(await ways('nowhere', 'office')), '/api/cameras/nowhere/mjpeg']) {
    expect((await guard.get(path)).status, path).toBe(403)
    expect((await viewer.get(path)).status, path).toBe(404)
  }
  expect((await guard.get('/api/cameras/office/mjpeg')).status).toBe(403)
  expect((await service.gate.get('/api/cameras/office/mjpeg')).status).toBe(401)
  // Segments of the future, and long expired ones.
  for (const number of ['1', '999999999999999']) {
    expect((await guard.get(`/api/cameras/yard/live/${number}/video.m4s`)).status).toBe(404)
  }
})

const snapshotOf = (url: string, ...options: readonly string[]) =>
  promisify(execFile)('curl', [...options, '-sS', '-o', '-', '-w', '%{stderr}%{http_code}', url], {
    encoding: 'buffer',
  }).then(({ stdout, stderr }) => ({ body: stdout, status: Number(stderr.toString()) }))

/** Decoders that keep running, of MJPEG clients and of snapshots. */
const decoders = (): number[] => {
  const lines = commandLines()
  return childrenOf(process.pid).filter((pid) => lines.get(pid)?.includes('mpjpeg'))
}

test('a client that polls snapshots gets each new frame from one decoder, which ends a few seconds after the last', async () => {
  const guard = await service.user('gil', 'guard')
  const path = '/api/cameras/yard/latest.jpg?height=242'
  let etag: string | undefined
  /** The next frame, which the client doesn't have. */
  const next = () =>
    vi.waitFor(
      async () => {
        const response = await guard.get(path, etag === undefined ? {} : { 'if-none-match': etag })
        expect(response.status).toBe(200)
        expect(response.headers.etag).not.toBe(etag)
        etag = response.headers.etag
        return response
      },
      { timeout: 60_000, interval: 100 },
    )
  await until(() => expect(decoders()).toEqual([]))
  await next()
  expect(decoders()).toEqual([])
  const first = await next()
  const [decoder, ...others] = decoders()
  expect([decoder, others]).toEqual([expect.any(Number), []])
  for (const { headers, body } of [first, await next(), await next()]) {
    expect(jpegSize(body).height).toBe(242)
    const at = Number(JSON.parse(headers.etag ?? ''))
    expect(headers['last-modified']).toBe(new Date(at).toUTCString())
    expect(Math.abs(service.clock.now() - at)).toBeLessThan(20_000)
  }
  expect(decoders()).toEqual([decoder])
  expect((await (await service.user('otto', 'other')).get(path)).status).toBe(403)
  await service.clock.advance(5000)
  await until(() => expect(decoders()).toEqual([]))
})

describe('[KEY-3] with an API token', () => {
  test('curl gets a snapshot, by Bearer and by Basic, of the token’s camera only', async () => {
    const { token } = await createToken(await service.user('cora'), { cameras: ['yard'], actions: ['live'] })
    const url = (camera: string) => `${service.gate.base}/api/cameras/${camera}/latest.jpg`
    for (const options of [
      ['-H', `Authorization: Bearer ${token}`],
      ['-u', `any:${token}`],
    ]) {
      const { status, body } = await snapshotOf(url('yard'), ...options)
      expect([status, body.subarray(0, 3).toString('hex')]).toEqual([200, 'ffd8ff'])
      expect((await snapshotOf(url('office'), ...options)).status).toBe(403)
    }
    expect((await snapshotOf(`${url('yard')}?token=${token}`)).status).toBe(401)
  })

  test('ffmpeg plays live HLS, with the header and with the token as the password of the URL', async () => {
    const { token } = await createToken(await service.user('cora'), { cameras: ['yard'], actions: ['live', 'audio'] })
    const url = `${service.gate.base}${playlist}`
    const withPassword = url.replace('://', `://any:${token}@`)
    for (const input of [
      ['-headers', `Authorization: Bearer ${token}\r\n`, '-i', url],
      ['-i', withPassword],
    ]) {
      const { stderr } = await promisify(execFile)(
        ffmpeg,
        ['-hide_banner', '-v', 'error', '-stats', ...input, '-t', '2', '-map', '0:v', '-f', 'null', '-'],
        { timeout: 60_000 },
      )
      expect(Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1])).toBeGreaterThan(10)
    }
  })

  test('[KEY-5] MJPEG ends within a second of the revocation', async () => {
    const cora = await service.user('cora')
    for (const headers of [bearer, basic]) {
      const { id, token } = await createToken(cora, { cameras: ['yard'], actions: ['live'] })
      const watching = await watchMjpeg(service.gate.with(headers(token)))
      await until(() => expect(watching.frames().length).toBeGreaterThan(0))
      await cora.delete(`/api/tokens/${id}`)
      await within(1000, () => expect(watching.ended()).toBe(true))
    }
  })
})

test('none of it can be cached', async () => {
  const { text, headers } = await service.internal.get(playlist)
  expect(headers['cache-control']).toBe('private, no-store')
  const segment = await service.internal.get(`/api/cameras/yard/live/${linesOf(text).at(-1)}`)
  expect(segment.headers['cache-control']).toBe('private, no-store')
  const { response } = await watchMjpeg(service.internal)
  expect(response.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'content-type': 'multipart/x-mixed-replace; boundary=frame',
  })
})

test('[ROLE-10] the next request for a playlist or a segment is refused once the role has changed', async () => {
  const carl = await service.user('carl', 'guard')
  const { text } = await carl.get(playlist)
  const segment = `/api/cameras/yard/live/${linesOf(text).at(-1)}`
  expect((await carl.get(segment)).status).toBe(200)
  await service.internal.put('/api/users/carl/role', { role: 'other' })
  expect((await carl.get(playlist)).status).toBe(403)
  expect((await carl.get(segment)).status).toBe(403)
})

test('a camera without video has no playlist and no frames, and returns the reason', async () => {
  for (const rest of ['live/index.m3u8', 'mjpeg']) {
    const { status, json } = await service.internal.get(`/api/cameras/door/${rest}`)
    expect({ status, json }).toMatchObject({
      status: 503,
      json: { detail: 'No frame received yet. The camera is disabled.' },
    })
  }
})

test('MJPEG is a sequence of JPEGs that an MJPEG client reads, and counts as a viewer while it is open', async () => {
  const watching = await watchMjpeg(service.internal)
  await until(() => expect(watching.frames().length).toBeGreaterThanOrEqual(3))
  for (const frame of watching.frames()) {
    expect([frame.readUInt16BE(0), frame.readUInt16BE(frame.length - 2)]).toEqual([0xffd8, 0xffd9])
  }
  const cameras = async (): Promise<unknown> =>
    ((await service.internal.get('/api/stats')).json as { cameras: unknown }).cameras
  expect(await cameras()).toMatchObject([{ name: 'yard', viewers: 1 }, {}, {}])
  watching.response.destroy()
  await until(async () => expect(await cameras()).toMatchObject([{ name: 'yard', viewers: 0 }, {}, {}]))

  const guard = await service.user('gil', 'guard')
  const child = spawn(
    ffmpeg,
    [
      ['-hide_banner', '-v', 'warning', '-stats', '-headers', `Cookie: ${String(guard.headers['cookie'])}\r\n`],
      [
        '-f',
        'mpjpeg',
        '-i',
        `${service.gate.base}/api/cameras/yard/mjpeg?height=180`,
        '-frames:v',
        '3',
        '-f',
        'null',
        '-',
      ],
    ].flat(),
  )
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  await once(child, 'close')
  expect([...text.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1]).toBe('3')
})

test.each([
  ['the role of the user changes', () => service.internal.put('/api/users/dora/role', { role: 'other' })],
  ['the user is deleted', () => service.internal.delete('/api/users/dora')],
])('[ROLE-10] MJPEG ends within a second when %s, and only that user’s', async (_why, change) => {
  const dora = await service.user('dora', 'guard')
  const stays = await watchMjpeg(await service.user('vera'))
  const watching = await watchMjpeg(await signIn(service.gate, 'dora'))
  await until(() => expect(watching.frames().length).toBeGreaterThanOrEqual(2))
  const changed = await change()
  expect(changed.status).toBeLessThan(300)
  await within(1000, () => expect(watching.ended()).toBe(true))
  expect(stays.ended()).toBe(false)
  // Reset for the next round.
  if ((await dora.get('/api/profile')).status === 200)
    await service.internal.put('/api/users/dora/role', { role: 'guard' })
})

test('[ERR-1] ASVS 2.4.1: one MJPEG stream more than half of the decoders is 429 for its user, also while none has a frame', async () => {
  const path = '/api/cameras/yard/mjpeg?height=180'
  const open = async ({ headers, port }: TestClient) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false })
    onTestFinished(() => void request.destroy())
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { request, status: response.statusCode }
  }
  const gil = await service.user('gil', 'guard')
  const responses = await Promise.all(Array.from({ length: 34 }, () => open(gil)))
  const numberOf = (code: number) => responses.filter(({ status }) => status === code).length
  expect([numberOf(200), numberOf(429)]).toEqual([32, 2])
  const refused = await gil.get(path)
  expect([refused.status, refused.json]).toMatchObject([
    429,
    { reason: { code: 'too-many-streams-of-kind', values: { max: 32 } } },
  ])
  expect((await gil.request('HEAD', path)).status).toBe(429)
  // Other streams of the user, other users and the internal port are not affected.
  expect((await gil.get('/api/cameras/yard/live')).status).toBe(426)
  for (const client of [await service.user('vera'), service.internal]) expect((await open(client)).status).toBe(200)
  responses.find(({ status }) => status === 200)?.request.destroy()
  await expect.poll(async () => (await open(gil)).status).toBe(200)
})

test('[TOK-6] MJPEG ends with the session, and an expired session gets no frame', async () => {
  await service.user('ann', 'guard')
  const ann = await signIn(service.gate, 'ann')
  const watching = await watchMjpeg(ann)
  await until(() => expect(watching.frames().length).toBeGreaterThanOrEqual(1))
  expect((await ann.post('/api/logout')).status).toBe(204)
  await within(1000, () => expect(watching.ended()).toBe(true))
  expect((await ann.get('/api/cameras/yard/mjpeg')).status).toBe(401)
  expect((await ann.get(playlist)).status).toBe(401)
})

test('removing a camera from the configuration ends its streams', async () => {
  const watching = await watchMjpeg(service.internal, '/api/cameras/office/mjpeg')
  await until(() => expect(watching.frames().length).toBeGreaterThanOrEqual(1))
  const { text } = await service.internal.get('/api/config/raw')
  const body = text.replace(/ {2}office:\n(?: {4}.*\n)+/, '')
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
  await until(() => expect(watching.ended()).toBe(true))
  expect((await service.internal.get('/api/cameras/office/live/index.m3u8')).status).toBe(404)
})

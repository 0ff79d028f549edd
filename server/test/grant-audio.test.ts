import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import { stopAll } from './support/cleanups.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

/** Unix seconds: the start of the newest of the segments, of ten seconds each. */
const last = Math.floor(Date.now() / 1000) - 60
const count = 6
const first = last - (count - 1) * 10
const segment = `/api/cameras/yard/segments/${last * 1000}`

let service: InProcessService
let muted: TestClient
let listening: TestClient
/** An export that a user who may hear made. */
let exported: string

beforeAll(async () => {
  const roles = { muted: { cameras: ['yard'], allow: ['live', 'history', 'export', 'download'] }, listening: ['yard'] }
  const made = await startService({
    config: {
      tls: { enabled: false },
      cameras: { yard: { source: 'file:tone.mp4', record: { enabled: false }, motion: { enabled: false } } },
      auth: { roles },
    },
  })
  await made.stop()
  const sample = join(made.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '320x180', bitrate: '200k', audio: true })
  copyFileSync(sample, join(made.mediaDir, 'tone.mp4'))
  seedRecordings(made, 'yard', { sample, count, last })
  service = await made.restart()
  ;[muted, listening] = await Promise.all([service.user('dan', 'muted'), service.user('hanna', 'listening')])
  const { json } = await listening.post('/api/exports', { camera: 'yard', start: first, end: last })
  const { id } = json as { id: string }
  exported = `/api/exports/${id}`
  await vi.waitFor(async () => expect((await listening.get(exported)).json).toMatchObject({ state: 'done' }), {
    timeout: 60_000,
    interval: 50,
  })
})
afterAll(stopAll)

let files = 0
/** The kinds of the streams in a file, as ffmpeg finds them, and the packets of its video. */
function streamsIn(bytes: Buffer): { kinds: string[]; video: string[] } {
  const file = join(service.dir, `streams-${(files += 1)}.mp4`)
  writeFileSync(file, bytes)
  const args = ['-v', 'error', '-nostdin', '-i', file, '-map', '0', '-c', 'copy', '-f', 'framemd5', '-']
  const listed = execFileSync(findFfmpeg() ?? 'ffmpeg', args, { encoding: 'utf8' }).split('\n')
  const kinds = listed.flatMap((line) => /^#media_type \d+: (\w+)/.exec(line)?.[1] ?? [])
  const index = kinds.indexOf('video')
  // Sizes and hashes; times can differ by where the audio began.
  const video = listed.filter((line) => line.startsWith(`${index},`)).map((line) => line.split(',').slice(4).join())
  return { kinds: kinds.sort(), video }
}

const bodyOf = async (client: TestClient, path: string): Promise<Buffer> => {
  const { status, body } = await client.get(path)
  expect([path, status]).toEqual([path, 200])
  return body
}

/** Each way to get video, as one playable file. */
const recorded: Record<string, (client: TestClient) => Promise<Buffer>> = {
  'a recorded segment': async (client) =>
    Buffer.concat([await bodyOf(client, `${segment}/init.mp4`), await bodyOf(client, `${segment}/video.m4s?at=0`)]),
  'a clip': (client) => bodyOf(client, `/api/cameras/yard/clip.mp4?start=${first}&end=${last}`),
  'an export': (client) => bodyOf(client, `${exported}/video.mp4`),
}

/** Live video of at least a second, by WebSocket. */
async function live(client: TestClient): Promise<{ mime: string; bytes: Buffer; socket: WebSocket }> {
  const socket = client.socket('/api/cameras/yard/live')
  onTestFinished(() => socket.terminate())
  let mime = ''
  let parts: Buffer[] = []
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return void parts.push(data)
    const text = JSON.parse(data.toString()) as { mime?: string }
    // A new stream begins.
    if (text.mime !== undefined) [mime, parts] = [text.mime, []]
  })
  await expect.poll(() => parts.length).toBeGreaterThan(15)
  return { mime, bytes: Buffer.concat(parts), socket }
}

describe('[GRANT-2] without `audio`, no response contains an audio track', () => {
  test.each(Object.keys(recorded))('%s', async (way) => {
    const [withAudio, without] = [await recorded[way]!(listening), await recorded[way]!(muted)]
    const [loud, silent] = [streamsIn(withAudio), streamsIn(without)]
    expect([loud.kinds, silent.kinds]).toEqual([['audio', 'video'], ['video']])
    expect(loud.video.length).toBeGreaterThan(50)
    expect(silent.video).toEqual(loud.video)
  })

  test('parts of a clip and of an export fit together', async () => {
    for (const path of [`/api/cameras/yard/clip.mp4?start=${first}&end=${last}`, `${exported}/video.mp4`]) {
      const whole = await bodyOf(muted, path)
      const middle = Math.floor(whole.length / 2)
      const [begin, end] = await Promise.all(
        [`bytes=0-${middle - 1}`, `bytes=${middle}-`].map((range) => muted.get(path, { range })),
      )
      expect([begin!.status, end!.status]).toEqual([206, 206])
      expect(Buffer.concat([begin!.body, end!.body]).equals(whole)).toBe(true)
    }
  })

  test.each([
    `${segment}/init.mp4`,
    `${segment}/video.m4s?at=0`,
    `/api/cameras/yard/clip.mp4?start=${first}&end=${last}`,
  ])('a cached response with audio is not valid for a role without: %s', async (path) => {
    const { etag } = (await listening.get(path)).headers
    expect((await listening.get(path, { 'if-none-match': String(etag) })).status).toBe(304)
    expect((await muted.get(path, { 'if-none-match': String(etag) })).status).toBe(200)
  })
  test('a cached export with audio is not valid for a role without', async () => {
    const path = `${exported}/video.mp4`
    const { etag } = (await listening.get(path)).headers
    expect((await muted.get(path, { 'if-none-match': String(etag) })).status).toBe(200)
  })

  test('live video by WebSocket', async () => {
    const [loud, silent] = await Promise.all([live(listening), live(muted)])
    expect([loud.mime, silent.mime]).toEqual([
      expect.stringMatching(/avc1.*mp4a/),
      expect.stringMatching(/^[^,]*avc1[^,]*$/),
    ])
    expect([streamsIn(loud.bytes).kinds, streamsIn(silent.bytes).kinds]).toEqual([['audio', 'video'], ['video']])
  })

  test('live video by HLS', async () => {
    const from = '/api/cameras/yard/live'
    const playlist = (await bodyOf(muted, `${from}/index.m3u8`)).toString()
    const [, init] = /URI="(.*?)"/.exec(playlist) ?? []
    const [, video] = /^(\d+\/video\.m4s)$/m.exec(playlist) ?? []
    const all = async (client: TestClient) =>
      Buffer.concat([await bodyOf(client, `${from}/${init}`), await bodyOf(client, `${from}/${video}`)])
    expect([streamsIn(await all(listening)).kinds, streamsIn(await all(muted)).kinds]).toEqual([
      ['audio', 'video'],
      ['video'],
    ])
  })

  test('[ROLE-10] a role that loses `audio` loses its open live video within a second, and gets it again without', async () => {
    const { socket } = await live(listening)
    const closed = once(socket, 'close') as Promise<[number]>
    const allow = ['live', 'history', 'download', 'export']
    expect((await service.internal.put('/api/roles/listening', { allow })).status).toBe(200)
    const [code] = await closed
    expect(code).toBe(4408)
    expect(streamsIn((await live(listening)).bytes).kinds).toEqual(['video'])
    await service.internal.put('/api/roles/listening', { allow: [...allow, 'audio'] })
    expect(streamsIn((await live(listening)).bytes).kinds).toEqual(['audio', 'video'])
  })
})

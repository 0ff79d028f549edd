import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import { stopAll } from './support/cleanups.ts'
import type { Service } from './support/service.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const ffmpeg = findFfmpeg() ?? 'ffmpeg'
const run = promisify(execFile)

interface SegmentSeen {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly bytes: number
}

const until = <T>(check: () => Promise<T> | T, seconds = 60): Promise<T> =>
  vi.waitFor(check, { timeout: seconds * 1000, interval: 250 })

const now = (): number => Date.now() / 1000
const recent = (): string => `after=${now() - 3600}&before=${now() + 60}`

async function segmentsOf(client: TestClient, camera: string): Promise<SegmentSeen[]> {
  const { json } = await client.get(`/api/cameras/${camera}/recordings?${recent()}`)
  return (json as { segments: SegmentSeen[] }).segments
}

const recorded = (client: TestClient, camera: string, count: number): Promise<SegmentSeen[]> =>
  until(async () => {
    const segments = await segmentsOf(client, camera)
    expect(segments.length).toBeGreaterThanOrEqual(count)
    return segments
  })

/** Every file below the recordings folder, by relative path. */
const filesOf = (service: Service): string[] =>
  readdirSync(join(service.mediaDir, 'recordings'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name !== '.library')
    .map((each) => join(each.parentPath, each.name).slice(join(service.mediaDir, 'recordings').length + 1))

/** ffmpeg's result for a file or URL: the number of decoded frames, and its complaints. */
async function decoded(input: string): Promise<{ frames: number; complaints: string }> {
  const args = ['-hide_banner', '-v', 'warning', '-stats', '-i', input, '-map', '0:v', '-f', 'null', '-']
  const { stderr } = await run(ffmpeg, args)
  const frames = [...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? '0'
  return { frames: Number(frames), complaints: stderr.replace(/^frame=.*$/gm, '').trim() }
}

describe('recordings', () => {
  let service: InProcessService
  let guard: TestClient
  let viewer: TestClient
  let seen: SegmentSeen[]

  beforeAll(async () => {
    service = await startService({
      config: {
        cameras: {
          yard: { source: 'demo:yard' },
          office: { source: 'demo:office' },
          door: { source: 'demo:door', record: { enabled: false } },
        },
        auth: { roles: { guard: ['yard'] } },
      },
    })
    ;[guard, viewer] = await Promise.all([service.user('gil', 'guard'), service.user('vera')])
    seen = await recorded(viewer, 'yard', 2)
    await recorded(viewer, 'office', 1)
  })
  afterAll(() => stopAll())

  test('segments last about ten seconds, follow each other without a gap, and are on disk', async () => {
    const [first, second] = seen
    expect(first!.end - first!.start).toBeGreaterThan(9)
    expect(first!.end - first!.start).toBeLessThan(15)
    expect(Math.abs(second!.start - first!.end)).toBeLessThan(0.1)
    expect(filesOf(service).filter((file) => /\/yard\/.*\.mp4$/.test(file)).length).toBeGreaterThanOrEqual(2)
    expect(Math.abs(first!.end - now())).toBeLessThan(120)
  })

  test('a camera with recording disabled is not recorded', async () => {
    expect(await segmentsOf(viewer, 'door')).toEqual([])
    expect(filesOf(service).filter((file) => file.includes('/door/'))).toEqual([])
    const { json } = await viewer.get('/api/cameras')
    const recording = Object.fromEntries(
      (json as { name: string; recording: boolean }[]).map((each) => [each.name, each.recording]),
    )
    expect(recording).toMatchObject({ yard: true, door: false })
  })

  test('[ROLE-4] a guard plays back only the yard, whatever the route', async () => {
    const [{ id, start, end }] = (await recorded(viewer, 'office', 1)) as [SegmentSeen]
    const ways = (camera: string, segment: string): string[] =>
      [
        `recordings?${recent()}`,
        `recordings/summary?${recent()}`,
        `timeline?${recent()}`,
        `playback/${start}/${end}/index.m3u8`,
        `segments/${segment}/init.mp4`,
        `segments/${segment}/video.m4s?at=0`,
        `clip.mp4?start=${start}&end=${end}`,
      ].map((rest) => `/api/cameras/${camera}/${rest}`)
    for (const path of ways('office', id)) {
      expect((await viewer.get(path)).status, path).toBe(200)
      expect((await guard.get(path)).status, path).toBe(403)
      expect((await guard.get(path, { range: 'bytes=0-99' })).status, path).toBe(403)
      expect((await service.gate.get(path)).status, path).toBe(401)
    }
    for (const path of ways('nowhere', id)) {
      expect((await guard.get(path)).status, path).toBe(403)
      expect((await viewer.get(path)).status, path).toBe(404)
    }
  })

  test('a playlist plays from 0, through every segment, in real time', async () => {
    const [first] = seen
    const last = seen[1]!
    const { text, headers } = await viewer.get(`/api/cameras/yard/playback/${first!.start}/${last.end}/index.m3u8`)
    expect(headers['cache-control']).toBe('private, no-store')
    const seconds = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, each]) => sum + Number(each), 0)
    const url = `${service.internal.base}/api/cameras/yard/playback/${first!.start}/${last.end}/index.m3u8`
    const { frames, complaints } = await decoded(url)
    expect(complaints).toBe('')
    const { json } = await viewer.get('/api/cameras/yard')
    const { fps } = json as { fps: number }
    expect(Math.abs(frames - seconds * fps)).toBeLessThanOrEqual(2)
  })

  test('a cached response is revalidated, without being sent again', async () => {
    const path = `/api/cameras/yard/segments/${seen[0]!.id}/video.m4s?at=0`
    const { headers } = await viewer.get(path)
    expect(headers['cache-control']).toBe('private, no-cache')
    const again = await viewer.get(path, { 'if-none-match': String(headers.etag) })
    expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 })
    expect((await service.gate.get(path, { 'if-none-match': String(headers.etag) })).status).toBe(401)
  })

  test('a clip is cut at a key frame, plays, and has the same bytes in ranges as whole', async () => {
    const start = seen[0]!.start + 4
    const end = seen[1]!.start + 4
    const path = `/api/cameras/yard/clip.mp4?start=${start}&end=${end}`
    const whole = await viewer.get(path)
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(whole.body.length) })
    const file = join(service.dir, 'clip.mp4')
    writeFileSync(file, whole.body)
    const { frames, complaints } = await decoded(file)
    expect(complaints).toBe('')
    const { fps } = (await viewer.get('/api/cameras/yard')).json as { fps: number }
    // Ten seconds, plus the part between the key frame and the start.
    expect(frames / fps).toBeGreaterThanOrEqual(9.9)
    expect(frames / fps).toBeLessThanOrEqual(14.1)

    const parts: Buffer[] = []
    for (let from = 0; from < whole.body.length; from += 70_001) {
      const part = await viewer.get(path, { range: `bytes=${from}-${from + 70_000}` })
      expect(part.status).toBe(206)
      parts.push(part.body)
    }
    expect(Buffer.concat(parts).equals(whole.body)).toBe(true)
    expect((await viewer.get(path, { range: `bytes=${whole.body.length}-` })).status).toBe(416)
    const head = await viewer.request('HEAD', path)
    expect({ status: head.status, length: head.headers['content-length'] }).toEqual({
      status: 200,
      length: String(whole.body.length),
    })
  })

  test.each([
    ['recordings?after=5&before=5', 'before'],
    ['recordings?after=0&before=9999999', 'before'],
    ['clip.mp4?start=20&end=10', 'end'],
    ['playback/20/10/index.m3u8', 'end'],
    [`recordings/summary?after=0&before=100&timezone=Mars`, 'timezone'],
  ])('%s is rejected, with the problem', async (rest, field) => {
    const { status, json } = await viewer.get(`/api/cameras/yard/${rest}`)
    expect({ status, json }).toMatchObject({ status: 400, json: { problems: [{ field }] } })
  })

  test('a range without recordings cannot be played', async () => {
    expect((await viewer.get('/api/cameras/yard/playback/1000/2000/index.m3u8')).status).toBe(404)
    expect((await viewer.get('/api/cameras/yard/clip.mp4?start=1000&end=2000')).status).toBe(404)
    expect((await viewer.get('/api/cameras/yard/timeline?after=1000&before=2000&buckets=2')).json).toEqual({
      spans: [],
      motion: [0, 0],
    })
  })

  /** The unfinished segment of the yard, once it has some seconds of video. */
  const unfinished = (): Promise<string> =>
    until(() => {
      const part = filesOf(service).find((file) => /\/yard\/.*\.part$/.test(file)) ?? ''
      expect(readFileSync(join(service.mediaDir, 'recordings', part)).length).toBeGreaterThan(20_000)
      return part
    })

  test('after a kill, existing files are indexed again, broken ones are quarantined, missing ones are dropped', async () => {
    const before = await segmentsOf(service.internal, 'yard')
    const part = await unfinished()
    await service.kill()

    const folder = join(service.mediaDir, 'recordings')
    // The kill came in the middle of a write.
    appendFileSync(join(folder, part), Buffer.from([0, 0, 4, 0, 0x6d, 0x64, 0x61, 0x74, 1, 2, 3]))
    const [gone] = filesOf(service)
      .filter((file) => /\/yard\/.*\.mp4$/.test(file))
      .sort()
    rmSync(join(folder, gone!))
    const junk = `${gone!.split('/')[0]!}/yard/00-00-01.000.mp4`
    writeFileSync(join(folder, junk), 'not a video')

    service = await service.restart()
    await service.printed(/recordings reconciled/)
    const after = await segmentsOf(service.internal, 'yard')
    expect(after.map(({ id }) => id)).not.toContain(before[0]!.id)
    expect(after.map(({ id }) => id)).toContain(before[1]!.id)
    const found = after.find(({ id }) => !before.some((each) => each.id === id))
    expect(found!.start).toBeCloseTo(before.at(-1)!.end, 0)
    expect(existsSync(join(folder, part))).toBe(false)
    expect(existsSync(join(folder, junk))).toBe(false)
    expect(readdirSync(join(folder, '.broken'))).toHaveLength(1)
    const { complaints } = await decoded(
      `${service.internal.base}/api/cameras/yard/clip.mp4?start=${found!.start}&end=${found!.end}`,
    )
    expect(complaints).toBe('')
  })

  test('a stop finalizes and indexes the last segment', async () => {
    await unfinished()
    await service.stop()
    expect(filesOf(service).filter((file) => file.endsWith('.part'))).toEqual([])
    const files = filesOf(service).filter((file) => /\/yard\/.*\.mp4$/.test(file))
    const again = await service.restart({ config: { cameras: { yard: { source: 'demo:yard', enabled: false } } } })
    expect(await segmentsOf(again.internal, 'yard')).toHaveLength(files.length)
  })
})

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import { stopAll } from './support/cleanups.ts'
import { canvas, scene, type Scene } from './support/motion-scenes.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const ffmpeg = findFfmpeg() ?? 'ffmpeg'

const everything = [
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
]

/** A clip as a camera would send it, a key frame every second. */
function clip(file: string, { draw, seconds }: Scene): void {
  const rate = 5
  const frames = Array.from({ length: seconds * rate }, (_, frame) => draw(frame / rate))
  const args = [
    ['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${canvas.width}x${canvas.height}`],
    ['-r', String(rate), '-i', 'pipe:0', '-vf', 'scale=640:360', '-pix_fmt', 'yuv420p'],
    [
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-b:v',
      '600k',
      '-g',
      String(rate),
      '-bf',
      '0',
      '-f',
      'mp4',
      '-y',
      `${file}.part`,
    ],
  ].flat()
  const { status, stderr } = spawnSync(ffmpeg, args, { input: Buffer.concat(frames) })
  if (status !== 0) throw new Error(stderr.toString())
  renameSync(`${file}.part`, file)
}

/** A source for motion detection, with credentials that must stay hidden. */
const secretSource = 'rtsp://user:hunter22@192.0.2.7/stream2'

interface SegmentSeen {
  readonly start: number
  readonly end: number
  readonly motion: number
}

const now = (): number => Date.now() / 1000
const recent = (): string => `after=${now() - 600}&before=${now() + 60}`

async function segmentsOf(client: TestClient, camera: string): Promise<SegmentSeen[]> {
  const { json } = await client.get(`/api/cameras/${camera}/recordings?${recent()}`)
  return (json as { segments: SegmentSeen[] }).segments
}

const stateOf = async (client: TestClient, camera: string): Promise<string> =>
  ((await client.get(`/api/cameras/${camera}`)).json as { state: string }).state

/** Counts how often the live view had to restart. */
async function runOf(client: TestClient, camera: string): Promise<object> {
  const { json } = await client.get('/api/stats')
  const { cameras } = json as { cameras: { name: string }[] }
  const { restarts, state_changed_at } = cameras.find(({ name }) => name === camera) as unknown as {
    restarts: number
    state_changed_at: string
  }
  return { restarts, state_changed_at }
}

interface MotionSeen {
  readonly at: number | null
  readonly percent: number | null
  readonly moving: boolean
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null
}

const motionOf = async (client: TestClient, camera: string): Promise<MotionSeen> =>
  (await client.get(`/api/cameras/${camera}/motion`)).json as MotionSeen

describe('motion', () => {
  let service: InProcessService
  let internal: TestClient
  /** Everything that a polling client saw of the camera with a passing person, and of the masked one. */
  const reported = { moves: [] as MotionSeen[], masked: [] as MotionSeen[] }
  const ask = async () => {
    for (const camera of ['moves', 'masked'] as const) reported[camera].push(await motionOf(internal, camera))
  }

  beforeAll(async () => {
    const walk = { from: 5, to: 9, size: 0.3, feet: 0.82, x: 0.1, speed: 0.1, gray: 40 }
    const empty = await startService()
    await empty.stop()
    writeFileSync(join(empty.mediaDir, 'garbage.mp4'), randomBytes(100_000))
    clip(join(empty.mediaDir, 'still.mp4'), scene({ name: 'still', seconds: 40 }))
    clip(join(empty.mediaDir, 'moves.mp4'), scene({ name: 'moves', seconds: 60, walks: [walk] }))
    service = await empty.restart({
      config: {
        logger: { logs: { 'service.motion': 'debug' } },
        cameras: {
          moves: { source: 'file:moves.mp4' },
          masked: { source: 'file:moves.mp4', motion: { masks: everything } },
          off: { source: 'file:moves.mp4', motion: { enabled: false } },
          other: { source: 'file:still.mp4', motion: { detect_source: 'file:moves.mp4' } },
          still: { source: 'file:still.mp4', record: { mode: 'motion' } },
          blind: {
            source: 'file:still.mp4',
            record: { mode: 'motion' },
            motion: { detect_source: 'file:garbage.mp4' },
          },
          hidden: { source: 'demo:yard', enabled: false, motion: { detect_source: secretSource } },
        },
      },
    })
    internal = service.internal
    await vi.waitFor(
      async () => {
        await ask()
        for (const camera of ['moves', 'still', 'other', 'blind', 'masked', 'off']) {
          expect(await stateOf(internal, camera), camera).toBe('online')
        }
      },
      { timeout: 120_000, interval: 200 },
    )
    // Two segments of a little more than ten seconds: in the first, a person walks.
    await vi.waitFor(
      async () => {
        await ask()
        for (const camera of ['moves', 'off', 'blind', 'masked']) {
          expect((await segmentsOf(internal, camera)).length).toBeGreaterThanOrEqual(2)
        }
      },
      { timeout: 120_000, interval: 250 },
    )
  })
  afterAll(() => stopAll())

  test('the timeline shows motion where something moved, and only there', async () => {
    const [first] = await segmentsOf(internal, 'moves')
    const span = `after=${first!.start}&before=${first!.start + 20}&buckets=4`
    const { json } = await internal.get(`/api/cameras/moves/timeline?${span}`)
    const { motion } = json as { motion: number[] }
    // Segments last about ten seconds.
    expect(motion[0]).toBeGreaterThan(0)
    expect(motion[3]).toBe(0)
    expect(Math.max(...motion)).toBeLessThan(10)
  })

  test('there is no motion under a mask, or with motion detection off', async () => {
    for (const camera of ['masked', 'off', 'still', 'blind']) {
      expect((await segmentsOf(internal, camera)).map(({ motion }) => motion).filter((each) => each > 0)).toEqual([])
    }
  })

  test('current motion is reported, but not under a mask or with motion detection off', async () => {
    const moving = await vi.waitFor(
      async () => {
        // The clip restarts every minute.
        await ask()
        const found = reported.moves.find(({ moving, box }) => moving && box !== null)
        expect(found).toBeDefined()
        return found!
      },
      { timeout: 90_000, interval: 250 },
    )
    expect(moving.percent).toBeGreaterThan(0)
    expect(moving.percent).toBeLessThan(20)
    expect(Math.abs(now() - moving.at!)).toBeLessThan(300)
    // A person, a third of the frame tall, from the left.
    expect(moving.box!.height).toBeGreaterThan(0.1)
    expect(moving.box!.x).toBeLessThan(0.6)
    expect(reported.masked.some(({ percent }) => percent === 0)).toBe(true)
    expect(reported.masked.filter(({ moving, percent, box }) => moving || (percent ?? 0) > 0 || box !== null)).toEqual(
      [],
    )
    expect(await motionOf(internal, 'off')).toEqual({ at: null, percent: null, moving: false, box: null })
  })

  test('a separate source is analyzed instead of the live one', async () => {
    await vi.waitFor(
      async () => expect((await segmentsOf(internal, 'other')).some(({ motion }) => motion > 0)).toBe(true),
      { timeout: 120_000, interval: 250 },
    )
  })

  test('where only motion is kept, still segments are deleted', async () => {
    const segments = await vi.waitFor(
      async () => {
        const left = await segmentsOf(internal, 'still')
        const [first, second] = left.toSorted((a, b) => a.start - b.start)
        expect(second!.start - first!.end).toBeGreaterThan(9)
        return left
      },
      { timeout: 120_000, interval: 250 },
    )
    expect(segments.length).toBeGreaterThanOrEqual(2)
  })

  test('a camera reports the state of motion detection', async () => {
    const states = { moves: 'active', masked: 'active', off: 'off', other: 'active', blind: 'paused', hidden: 'off' }
    const cameras = (await internal.get('/api/cameras')).json as { name: string; motion_state: string }[]
    expect(Object.fromEntries(cameras.map(({ name, motion_state }) => [name, motion_state]))).toMatchObject(states)
  })

  test('an unreadable source for motion detection is reported with the reason, and harms neither live view nor recordings', async () => {
    await service.printed(/"camera":"blind".*motion detection paused/)
    const blind = (await internal.get('/api/cameras/blind')).json
    expect(blind).toMatchObject({
      state: 'online',
      recording_state: 'recording',
      motion_state: 'paused',
      motion_detail: 'Unreadable video stream.',
      motion_reason: { code: 'unreadable-video' },
    })
    expect(blind).not.toHaveProperty('reason')
    const segments = (await segmentsOf(internal, 'blind')).toSorted((a, b) => a.start - b.start)
    for (const [i, { start }] of segments.slice(1).entries()) expect(start - segments[i]!.end).toBeLessThan(0.5)
  })

  test('sensitivity, masks and the source of motion detection change without interrupting the live view', async () => {
    const reported: string[] = []
    const socket = internal.socket('/api/events')
    onTestFinished(() => socket.terminate())
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as { camera?: string; motion_state?: string }
      if (event.camera === 'moves' && event.motion_state !== undefined) reported.push(event.motion_state)
    })
    await new Promise((resolve) => socket.once('open', resolve))
    const before = await runOf(internal, 'moves')
    const text = readFileSync(service.configFile, 'utf8')
    const changed = text.replace(
      'file:moves.mp4',
      'file:moves.mp4\n    motion: { sensitivity: high, masks: [[[0,0],[1,0],[1,1]]], detect_source: file:still.mp4 }',
    )
    expect(changed).not.toBe(text)
    writeFileSync(service.configFile, changed)
    await vi.waitFor(
      async () =>
        expect((await internal.get('/api/config')).json).toMatchObject({
          cameras: { moves: { motion: { sensitivity: 'high', detect_source: 'file:still.mp4' } } },
        }),
      { timeout: 120_000, interval: 200 },
    )
    await vi.waitFor(() => expect(reported).toEqual(['waiting', 'active']), { timeout: 120_000, interval: 200 })
    expect(await runOf(internal, 'moves')).toEqual(before)
    expect(await stateOf(internal, 'moves')).toBe('online')
  })

  test.each([
    ['sensitivity: loud', 'sensitivity'],
    ['masks: [[[0, 0], [1, 1]]]', 'masks[0]'],
    ['masks: [[[0, 0], [1, 0, 0], [1, 1]]]', 'masks[0][1]'],
    ['masks: [[[0, 0], [1.5, 0], [1, 1]]]', 'masks[0][1][0]'],
    ['detect_source: "concat:a|b"', 'detect_source'],
    ['detect_source: "rtsp://{SERVICE_CAM_NOWHERE}@192.0.2.1/"', 'detect_source'],
  ])('%s is reported as a problem of that field', async (motion, field) => {
    const text = `cameras: { yard: { source: "demo:yard", motion: { ${motion} } } }`
    const { json } = await internal.post('/api/config/check', text, { 'content-type': 'text/yaml' })
    expect(json).toMatchObject({ problems: [{ field: `cameras.yard.motion.${field}` }] })
    expect((json as { problems: unknown[] }).problems).toHaveLength(1)
  })

  test('a warning says that recording only motion without motion detection is probably a mistake', async () => {
    const text = 'cameras: { yard: { source: "demo:yard", record: { mode: motion }, motion: { enabled: false } } }'
    const { json } = await internal.post('/api/config/check', text, { 'content-type': 'text/yaml' })
    expect(json).toMatchObject({ problems: [], warnings: [{ code: 'no-motion-detection' }] })
  })

  test('the URL of a source for motion detection is shown without its secrets', async () => {
    const { text: shown } = await internal.get('/api/config')
    expect(shown).toContain('192.0.2.7')
    expect(shown).not.toContain('hunter22')
    expect(shown).not.toContain('stream2')
  })
})

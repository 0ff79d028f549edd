import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { childrenReading } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { makeVideo, startRtspCamera, type RtspCamera } from './support/rtsp-camera.ts'
import {
  decoded,
  expectAgreement,
  fetched,
  ffmpeg,
  secondsIn,
  segmentsOf,
  type SegmentSeen,
} from './support/seen-recordings.ts'
import { startGatehouse, type Gatehouse } from './support/start-gatehouse.ts'
import { wait } from './support/wait.ts'

const until = <T>(check: () => Promise<T> | T, seconds = 90): Promise<T> =>
  vi.waitFor(check, { timeout: seconds * 1000, interval: 100 })

/** When a fault began and ended, Unix seconds. */
interface Fault {
  readonly from: number
  readonly to: number
}

const now = (): number => Date.now() / 1000

const kind = (init: string): string => (init.includes('avc1') ? 'H.264' : /hev1|hvc1/.test(init) ? 'H.265' : 'neither')

/** Camera faults, all at the same time; each one ends. */
const scripts = {
  async refuses(cam: RtspCamera) {
    await cam.die()
    await wait(3000, 'the camera is unavailable for this long')
    await cam.listen()
  },
  async stalls(cam: RtspCamera, service: Gatehouse) {
    cam.stall(true)
    await until(async () => expect(await shown(service, 'stalls')).toMatchObject({ state: 'offline' }))
    cam.resume()
  },
  async resizes(cam: RtspCamera) {
    cam.resize('480x360')
    await wait(1000, 'a second of video, at its own speed')
  },
  async converts(cam: RtspCamera) {
    cam.changeCodec('h265', '480x360')
  },
  async sendsNoise(cam: RtspCamera) {
    cam.sendNoise(true)
    await wait(3000, 'the camera sends noise for this long')
    cam.sendNoise(false)
  },
  async killed(cam: RtspCamera, service: Gatehouse) {
    for (const pid of childrenReading(cam.port, service.process.pid)) process.kill(pid, 'SIGKILL')
  },
} satisfies Record<string, (cam: RtspCamera, service: Gatehouse) => Promise<void>>
type Name = keyof typeof scripts
const names = Object.keys(scripts) as Name[]

const shown = async (service: Gatehouse, camera: string): Promise<unknown> =>
  (await service.internal.get(`/api/cameras/${camera}`)).json

describe('a camera with a fault is recorded again, and all its recordings play:', () => {
  let service: Gatehouse
  const faults = new Map<string, Fault>()
  const began = new Map<string, number>()
  let endedAt: number
  const seen = new Map<string, SegmentSeen[]>()

  beforeAll(async () => {
    makeVideo(ffmpeg, '480x360')
    makeVideo(ffmpeg, '480x360', 'h265')
    const cams = new Map<Name, RtspCamera>()
    for (const name of names) cams.set(name, await startRtspCamera({ ffmpeg }))
    const sources = (enabled: boolean) =>
      Object.fromEntries([...cams].map(([name, cam]) => [name, { source: cam.url(), enabled }]))
    const config = (enabled: boolean) => ({ tls: { enabled: false }, cameras: sources(enabled) })
    service = await startGatehouse({ config: config(true) })
    const recorded = (name: string) =>
      until(async () => expect(await shown(service, name)).toMatchObject({ state: 'online', recording: true }))
    await Promise.all(
      names.map(async (name) => {
        await recorded(name)
        began.set(name, now())
        await wait(4000, 'seconds of the recording before the fault')
        const cam = cams.get(name)!
        const [from, before] = [now(), cam.connections]
        await scripts[name](cam, service)
        if (name !== 'sendsNoise') await until(() => expect(cam.connections).toBeGreaterThan(before))
        await recorded(name)
        faults.set(name, { from, to: now() })
        await wait(name === 'sendsNoise' ? 12_000 : 6000, 'seconds of the recording after the fault')
      }),
    )
    expect(await service.stop()).toBe(0)
    endedAt = now()
    await Promise.all([...cams.values()].map((cam) => cam.stop()))
    service = await service.restart({ config: config(false) })
    for (const name of names) seen.set(name, await segmentsOf(service.internal, name))
  })
  afterAll(() => stopAll())

  test.each(names)('%s: only the time of the fault is missing', (name) => {
    const segments = seen.get(name)!
    const { from, to } = faults.get(name)!
    for (const [i, { start, end }] of segments.entries()) {
      expect(end).toBeGreaterThan(start)
      if (i > 0) expect(start - segments[i - 1]!.end).toBeGreaterThan(-0.5)
    }
    // The state is "recording" once a key frame has arrived, of which there is one per second.
    expect(segments[0]!.start).toBeLessThan(began.get(name)! + 2)
    // On a busy machine, frames of the last seconds are still on their way when the service stops.
    expect(segments.at(-1)!.end).toBeGreaterThan(to)
    expect(segments.at(-1)!.end).toBeLessThan(endedAt + 1)
    const whole = segments.at(-1)!.end - segments[0]!.start
    // After the noise, the real frames look like a different format, so the camera is reconnected.
    const more = name === 'sendsNoise' ? 10 : 5
    expect(whole - secondsIn(segments)).toBeLessThan(to - from + more)
    const after = segments.filter(({ end }) => end > to)
    expect(secondsIn(after)).toBeGreaterThan(2)
  })

  test.each(names)('%s: every segment plays, at its length', async (name) => {
    const broken: string[] = []
    for (const { id, start, end } of seen.get(name)!) {
      const { file } = await fetched(service, name, id)
      // Pure noise does not even decode to a first frame.
      const { frames, complaints } = await decoded(file).catch((error: Error) => ({
        frames: 0,
        complaints: error.message,
      }))
      if (complaints !== '') broken.push(`${id}: ${complaints}`)
      else expect(Math.abs(frames / 10 - (end - start))).toBeLessThanOrEqual(name === 'stalls' ? 25 : 0.3)
    }
    // Noise is recorded unchanged: in the segment where it began, the one where it ended, and one that was cut at it.
    if (name === 'sendsNoise') {
      expect(broken.length).toBeLessThanOrEqual(3)
      const last = seen.get(name)!.at(-1)!
      expect(broken.some((each) => each.startsWith(`${last.id}:`))).toBe(false)
    } else expect(broken).toEqual([])
  })

  test.each(['resizes', 'converts', 'killed', 'refuses', 'stalls'] as const)(
    '%s: the playlist marks where another stream begins, with its init segment',
    async (name) => {
      const segments = seen.get(name)!
      const [first, last] = [segments[0]!, segments.at(-1)!]
      const path = `/api/cameras/${name}/playback/${first.start}/${last.end}/index.m3u8`
      const { text } = await service.internal.get(path)
      expect(text.match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(1)
      const inits = [...text.matchAll(/segments\/(\d+)\/init\.mp4/g)].map(([, id]) => id!)
      expect(inits).toHaveLength(2)
      const [before, after] = await Promise.all(inits.map((id) => fetched(service, name, id)))
      expect([kind(before!.init), kind(after!.init)]).toEqual(['H.264', name === 'converts' ? 'H.265' : 'H.264'])
      expect(before!.init === after!.init).toBe(!['resizes', 'converts'].includes(name))
      // The media times of segments are contiguous, whatever gap was between them.
      let at = 0
      for (const [, length, sent] of text.matchAll(/#EXTINF:([\d.]+),\n\S+at=([\d.]+)/g)) {
        expect(Number(sent)).toBeCloseTo(at, 2)
        at += Number(length)
      }
      expect(at).toBeCloseTo(secondsIn(segments), 1)
      const clip = await service.internal.get(`/api/cameras/${name}/clip.mp4?start=${first.start}&end=${last.end}`)
      if (before!.init === after!.init) return expect(clip.status).toBe(200)
      return expect([clip.status, clip.json]).toMatchObject([409, { reason: { code: 'video-format-changed' } }])
    },
  )

  test('disk and index agree', () => expectAgreement(service))
})

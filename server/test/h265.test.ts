import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, aroundEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import type { Export } from '../src/exports/export-response.ts'
import type { ReviewItemResponse } from '../src/review/review-response.ts'
import { onThisTestFinished, separateCleanups, stopAll } from './support/cleanups.ts'
import { makeVideo, startRtspCamera, type RtspCamera, type RtspCameraOptions } from './support/rtsp-camera.ts'
import { decoded, fetched, segmentsOf, type SegmentSeen } from './support/seen-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'

const run = promisify(execFile)
const ffmpeg = findFfmpeg() ?? 'ffmpeg'
const { stdout: encoders } = await run(ffmpeg, ['-hide_banner', '-encoders'])
const canEncode = encoders.includes('libx265')
if (!canEncode) console.warn('H.265 is not tested: this ffmpeg has no libx265.')

/** Seconds. A person walks by, and afterwards no one for a while. */
const walk = { from: 8, to: 12 }
const street = {
  seconds: 20,
  source: (size: string, rate: number) =>
    [
      `color=0x909090:s=${size}:r=${rate}[street]`,
      `color=0x202020:s=32x110:r=${rate}[person]`,
      `[street][person]overlay=x='40+50*(t-${walk.from})':y=110:enable='between(t,${walk.from},${walk.to})'`,
    ].join(';'),
}

const isWhole = ({ start, end }: SegmentSeen): boolean => end - start > 9

const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 90_000, interval: 250 })

/** The contents of a file or URL, as ffprobe reports them. */
async function streamsIn(input: string): Promise<string[]> {
  const limit = input.includes('/live/') ? ['-t', '3'] : []
  const { stderr } = await run(ffmpeg, ['-hide_banner', '-i', input, ...limit, '-map', '0', '-f', 'null', '-'])
  return [...stderr.slice(0, stderr.indexOf('Output #0')).matchAll(/(?:Video|Audio): .*/g)].map(([line]) => line)
}

/** H.265 with the codec tag that every player accepts, and audio that every browser plays. */
const asItIs = [
  expect.stringMatching(/^Video: hevc \([^)]*\) \(hvc1.*320x240/),
  expect.stringMatching(/^Audio: aac \(LC\).*16000 Hz, mono/),
]

describe.skipIf(!canEncode)('cameras of H.265 over RTSP', () => {
  const cams = new Map<string, RtspCamera>()
  let service: InProcessService

  beforeAll(async () => {
    makeVideo(ffmpeg, '480x360', 'h265')
    const kinds: Readonly<Record<string, RtspCameraOptions>> = {
      street: { codec: 'h265', audio: 'pcma', scene: street },
      hall: { codec: 'h265', audio: 'aac', setsInSdp: false },
      changes: { codec: 'h264', audio: 'pcmu' },
    }
    for (const [name, options] of Object.entries(kinds)) cams.set(name, await startRtspCamera({ ffmpeg, ...options }))
    const cameras = Object.fromEntries([...cams].map(([name, cam]) => [name, { source: cam.url() }]))
    service = await startService({ config: { tls: { enabled: false }, cameras } })
  })
  afterAll(async () => {
    await stopAll()
    await Promise.all([...cams.values()].map((cam) => cam.stop()))
  })

  const shown = async (camera: string): Promise<unknown> => (await service.internal.get(`/api/cameras/${camera}`)).json
  /** Watches a camera live: the messages so far, and the number of fragments after the last message. */
  function watched(camera: string): { readonly reported: readonly string[]; since(): number } {
    const reported: string[] = []
    let since = 0
    const socket = service.internal.socket(`/api/cameras/${camera}/live`)
    onThisTestFinished(() => socket.terminate())
    socket.on('message', (data: Buffer, binary) => {
      if (!binary) reported.push(data.toString())
      since = binary ? since + 1 : 0
    })
    return { reported, since: () => since }
  }
  const films = (camera: string, codec: string): Promise<void> =>
    until(async () =>
      expect(await shown(camera)).toMatchObject({
        state: 'online',
        codec: expect.stringMatching(codec),
        fps: 10,
        recording: true,
      }),
    )

  describe('while they stream', { concurrent: true }, () => {
    aroundEach(separateCleanups)

    test.each(['street', 'hall'])('%s: the video is copied unchanged, with its audio', async (camera) => {
      await films(camera, '^hvc1\\.1\\.')
      expect(await shown(camera)).toMatchObject({ resolution: '320x240' })
      const { reported } = watched(camera)
      await until(async () =>
        expect(JSON.parse(reported.at(-1) ?? '')).toEqual({
          mime: expect.stringMatching(/^video\/mp4; codecs="hvc1\.1\.[^"]+, mp4a\.40\.2"$/),
        }),
      )
      const { status, body } = await service.internal.get(`/api/cameras/${camera}/latest.jpg?height=120`)
      expect([status, body.readUInt16BE(0)]).toEqual([200, 0xffd8])
      expect(await streamsIn(`${service.internal.base}/api/cameras/${camera}/live/index.m3u8`)).toEqual(asItIs)
    })

    test('a camera that switches to H.265 while it streams and records gets a new init segment, and everything plays', async () => {
      await films('changes', '^avc1\\.')
      const viewer = watched('changes')
      const playlist = async (): Promise<string> =>
        (await service.internal.get('/api/cameras/changes/live/index.m3u8')).text
      expect(await playlist()).not.toContain('#EXT-X-DISCONTINUITY\n')
      const [before] = await until(async () => {
        const segments = await segmentsOf(service.internal, 'changes')
        expect(segments.length).toBeGreaterThan(0)
        return segments
      })

      cams.get('changes')!.changeCodec('h265', '480x360')
      await films('changes', '^hvc1\\.')
      expect(await shown('changes')).toMatchObject({ resolution: '480x360' })
      await until(async () => {
        expect(viewer.reported[0]).toMatch(/avc1\./)
        expect(viewer.reported.at(-1)).toMatch(/hvc1\.[^"]*, mp4a\.40\.2/)
        expect(viewer.since()).toBeGreaterThan(10)
      })
      const marked = await until(async () => {
        const text = await playlist()
        expect(text).toMatch(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="\d+\/init\.mp4"/)
        return text
      })
      const [, stream] = /#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="(\d+)\//.exec(marked)!
      const init = await service.internal.get(`/api/cameras/changes/live/${stream}/init.mp4`)
      expect(init.body.includes('hvc1')).toBe(true)

      const after = await until(async () => {
        const last = (await segmentsOf(service.internal, 'changes')).at(-1)!
        expect((await fetched(service, 'changes', last.id)).init).toContain('hvc1')
        return last
      })
      const path = `/api/cameras/changes/playback/${before!.start}/${after.end}/index.m3u8`
      expect((await service.internal.get(path)).text.match(/#EXT-X-DISCONTINUITY$/gm)).toHaveLength(1)
      for (const { id } of [before!, after]) {
        expect((await decoded((await fetched(service, 'changes', id)).file)).complaints).toBe('')
      }
    })
  })

  describe('its recordings', () => {
    const seen = new Map<string, SegmentSeen[]>()
    beforeAll(async () => {
      for (const camera of ['street', 'hall']) {
        const neighbors = await until(async () => {
          const all = await segmentsOf(service.internal, camera)
          const pairs = all.slice(1).map((second, i) => [all[i]!, second])
          const found = pairs.find(
            ([first, second]) => isWhole(first!) && isWhole(second!) && second!.start - first!.end < 0.1,
          )
          expect(found).toBeDefined()
          return found!
        })
        seen.set(camera, neighbors)
      }
    })

    test.each(['street', 'hall'])('%s: every frame plays, in segments and in a playlist', async (camera) => {
      const [first, second] = seen.get(camera)!
      const { file, init } = await fetched(service, camera, first!.id)
      expect([init.includes('hvc1'), init.includes('hev1')]).toEqual([true, false])
      expect(await streamsIn(file)).toEqual(asItIs)
      const span = `${first!.start + 1}/${second!.end - 1}`
      const { frames, complaints } = await decoded(
        `${service.internal.base}/api/cameras/${camera}/playback/${span}/index.m3u8`,
      )
      expect(complaints).toBe('')
      expect(Math.abs(frames / 10 - (second!.end - first!.start))).toBeLessThanOrEqual(0.3)
    })

    test('a clip and an export of them play as well', async () => {
      const [first, second] = seen.get('street')!
      const span = { start: first!.end - 3, end: second!.start + 4 }
      const clip = await service.internal.get(`/api/cameras/street/clip.mp4?start=${span.start}&end=${span.end}`)
      const made = await service.internal.post('/api/exports', { camera: 'street', ...span })
      expect([clip.status, made.status]).toEqual([200, 202])
      const { id } = made.json as Export
      const shownAs = async () => (await service.internal.get(`/api/exports/${id}`)).json as Export
      await until(async () => expect((await shownAs()).state).toMatch(/done|failed/))
      expect(await shownAs(), service.output()).toMatchObject({ state: 'done' })
      const exported = await service.internal.get(`/api/exports/${id}/video.mp4`)
      for (const { body } of [clip, exported]) {
        const file = join(service.dir, 'taken.mp4')
        writeFileSync(file, body)
        expect(await streamsIn(file)).toEqual(asItIs)
        const { frames, complaints } = await decoded(file)
        expect(complaints).toBe('')
        expect(frames).toBeGreaterThanOrEqual(69)
        expect(frames).toBeLessThanOrEqual(81)
      }
    })

    test('a person is detected in the key frames, with a thumbnail', async () => {
      const item = await until(async () => {
        const { json } = await service.internal.get('/api/review?cameras=street')
        const found = (json as { items: ReviewItemResponse[] }).items.find(
          ({ end, thumbnail }) => end !== null && thumbnail !== null,
        )
        expect(found).toBeDefined()
        return found!
      })
      const { status, body } = await service.internal.get(`/api/review/${item.id}/thumbnail.jpg`)
      expect([status, body.readUInt16BE(0)]).toEqual([200, 0xffd8])
    })
  })
})

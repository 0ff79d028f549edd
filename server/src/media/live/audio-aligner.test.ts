import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import type { Track } from '../mp4/init-segment.ts'
import { createAudioAligner } from './audio-aligner.ts'

const track: Track = {
  id: 2,
  kind: 'audio',
  codec: 'mp4a.40.2',
  timescale: 16_000,
  width: 0,
  height: 0,
  channels: 1,
  defaults: { duration: 1024, size: 0, flags: 0 },
}

/** Seconds of one frame. */
const frame = 1024 / 16_000

const sound = (time: number, duration = 2 * frame): Fragment => ({
  data: Buffer.alloc(1),
  key: false,
  video: false,
  time,
  duration,
  samples: Math.round(duration / frame),
  first: { start: 0, end: 0 },
})

const spanOf = (fragments: readonly Fragment[]): [number, number] => [
  fragments[0]!.time,
  fragments.at(-1)!.time + fragments.at(-1)!.duration,
]

test('sound that flows is passed on as it is', () => {
  const lane = createAudioAligner(track)
  for (let i = 0; i < 50; i++) {
    const next = sound(i * 2 * frame)
    expect(lane.take(next, i * 128)).toEqual([next])
    expect(lane.keepUp((i + 1) * 2 * frame, i * 128)).toEqual([])
  }
})

test('pictures wait a second for sound that comes late, and then go on in silence', () => {
  const lane = createAudioAligner(track)
  lane.take(sound(0), 0)
  expect(lane.keepUp(0.9, 900)).toEqual([])
  const [from, to] = spanOf(lane.keepUp(1, 1000))
  expect(from).toBeCloseTo(2 * frame)
  expect(to).toBeGreaterThan(1 - frame)
  expect(to).toBeLessThanOrEqual(1)
  expect(spanOf(lane.keepUp(1.5, 1500))[0]).toBeCloseTo(to)
})

test('sound that comes back goes on after the silence; what the silence stands for is left out', () => {
  const lane = createAudioAligner(track)
  lane.take(sound(0), 0)
  const [, to] = spanOf(lane.keepUp(5, 5000))
  // What ffmpeg held back, stretched over all the time that nothing came.
  expect(lane.take(sound(2 * frame, 5), 5100)).toEqual([])
  expect(lane.take(sound(to - frame), 5100)).toEqual([])
  const next = sound(to)
  expect(lane.take(next, 5200)).toEqual([next])
})

test('a gap is filled, a clock that was set is not, and sound far ahead of the picture is left out', () => {
  const lane = createAudioAligner(track)
  lane.take(sound(0), 0)
  const [silent, next] = lane.take(sound(1), 500)
  expect(spanOf([silent!])[0]).toBeCloseTo(2 * frame)
  expect(next?.time).toBe(1)
  lane.keepUp(1.2, 600)
  expect(lane.take(sound(100), 700)).toEqual([])
  expect(lane.keepUp(4000, 2000)).toEqual([])
  expect(lane.take(sound(4000), 2100)).toHaveLength(1)
})

test('whatever comes, what is passed on goes forward, without an overlap or a gap of two frames', () => {
  const event = fc.record({ of: fc.constantFrom('sound', 'picture'), jitter: fc.integer({ min: -8, max: 8 }) })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const lane = createAudioAligner(track)
      const out: Fragment[] = []
      for (const [i, { of, jitter }] of events.entries()) {
        const time = Math.max(0, (i + jitter) * 2 * frame)
        out.push(...(of === 'sound' ? lane.take(sound(time), i * 128) : lane.keepUp(time, i * 128)))
      }
      for (const [i, { time }] of out.entries()) {
        if (i === 0) continue
        const gap = time - out[i - 1]!.time - out[i - 1]!.duration
        expect(gap).toBeGreaterThan(-frame)
        expect(gap).toBeLessThan(frame)
      }
    }),
  )
})

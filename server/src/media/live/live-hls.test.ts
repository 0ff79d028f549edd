import { beforeEach, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import { createLiveHls, type LiveHls } from './live-hls.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const init = (name: string): InitSegment => ({ data: Buffer.from(name), tracks: [], mime: 'video/mp4' })
const fragment = (time: number, key: boolean, data = Buffer.from(`${time};`)): Fragment => ({
  data,
  key,
  video: true,
  time,
  duration: 0.5,
  samples: 1,
  first: { start: 0, end: 0 },
})

let clock: TestClock
let followers: Set<StreamConsumer>
let hls: LiveHls

beforeEach(() => {
  clock = createTestClock({ now: noon })
  followers = new Set()
  hls = createLiveHls({
    follow(consumer) {
      followers.add(consumer)
      consumer.begin(init('one'))
      return () => void followers.delete(consumer)
    },
    clock,
  })
})

/** A frame every half second. @param keys seconds from key frame to key frame */
function play(from: number, to: number, keys = 1): void {
  for (let time = from; time < to; time += 0.5) {
    clock.setWallTime(noon + time * 1000)
    for (const consumer of followers) consumer.fragment(fragment(time, time % keys === 0), clock.now())
  }
}

const lines = (text: string | undefined, start: string): string[] =>
  (text ?? '').split('\n').filter((line) => line.startsWith(start))

test('a request waits for the first segment; then there is a sliding window', async () => {
  const first = hls.playlist()
  play(0, 1.5)
  expect(await first).toBe(
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:2',
      `#EXT-X-MEDIA-SEQUENCE:${noon / 1000}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${noon / 1000}`,
      '#EXT-X-INDEPENDENT-SEGMENTS',
      `#EXT-X-MAP:URI="${noon / 1000 + 1}/init.mp4"`,
      '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:00:00.000Z',
      '#EXTINF:1.000,',
      `${noon / 1000}/video.m4s`,
      '',
    ].join('\n'),
  )
  expect(hls.init(noon / 1000 + 1, true)?.toString()).toBe('one')
  expect(hls.segment(noon / 1000, true)?.toString()).toBe('0;0.5;')

  play(1.5, 30)
  const later = await hls.playlist()
  expect(lines(later, '#EXTINF')).toEqual(Array.from({ length: 6 }, () => '#EXTINF:2.000,'))
  // What was listed up to twelve seconds ago is still there, the first is not.
  const [sequence] = lines(later, '#EXT-X-MEDIA-SEQUENCE').map((line) => Number(line.split(':')[1]))
  expect(hls.segment(sequence! - 7, true)).toBeDefined()
  expect(hls.segment(noon / 1000, true)).toBeUndefined()
})

test.each([
  [0.5, 2],
  [1, 2],
  [1.5, 3],
  [2, 2],
  [4, 4],
])(
  'key frames %f s apart: the maximum segment duration is announced with the first segment, and stays',
  async (keys, target) => {
    const first = hls.playlist()
    play(0, keys + 0.5, keys)
    const text = [await first]
    for (let time = keys + 0.5; time < 30; time += 0.5) {
      play(time, time + 0.5, keys)
      text.push(await hls.playlist())
    }
    const all = new Set(text.flatMap((text) => lines(text, '#EXT-X-TARGETDURATION')))
    expect([...all]).toEqual([`#EXT-X-TARGETDURATION:${target}`])
    const lengths = text
      .flatMap((text) => lines(text, '#EXTINF'))
      .map((line) => Math.round(Number(/[\d.]+/.exec(line))))
    expect(Math.max(...lengths)).toBe(target)
  },
)

test('changed parameters are a discontinuity with its own init segment; numbers only grow', async () => {
  const first = hls.playlist()
  play(0, 4.5)
  await first
  for (const consumer of followers) consumer.begin(init('two'))
  play(5, 8.5)
  const text = await hls.playlist()
  expect(lines(text, '#EXT-X-DISCONTINUITY')).toEqual([
    `#EXT-X-DISCONTINUITY-SEQUENCE:${noon / 1000}`,
    '#EXT-X-DISCONTINUITY',
  ])
  expect(lines(text, '#EXT-X-MAP')).toHaveLength(2)
  expect(hls.init(noon / 1000 + 2, true)?.toString()).toBe('two')
  play(9, 40)
  const later = await hls.playlist()
  expect(lines(later, '#EXT-X-DISCONTINUITY')).toEqual([`#EXT-X-DISCONTINUITY-SEQUENCE:${noon / 1000 + 1}`])
  expect(lines(later, '#EXT-X-MAP')).toHaveLength(1)
  expect(hls.init(noon / 1000 + 1, true)).toBeUndefined()
})

test('without requests, the stream is released and its segments are dropped; a returning player gets higher segment numbers', async () => {
  const first = hls.playlist()
  play(0, 4.5)
  const before = lines(await first, '#EXT-X-MEDIA-SEQUENCE')
  await clock.advance(29_999)
  expect(followers.size).toBe(1)
  await clock.advance(1)
  expect(followers.size).toBe(0)
  expect(hls.segment(noon / 1000, true)).toBeUndefined()
  const again = hls.playlist()
  play(100, 103)
  const after = lines(await again, '#EXT-X-MEDIA-SEQUENCE')
  expect(Number(after[0]?.split(':')[1])).toBeGreaterThan(Number(before[0]?.split(':')[1]))
})

test('memory is limited: old segments are dropped, and a segment that never ends is abandoned', async () => {
  const first = hls.playlist()
  const large = Buffer.alloc(9 << 20)
  let held = 0
  for (let time = 0; time < 40; time += 1) {
    clock.setWallTime(noon + time * 1000)
    for (const consumer of followers) consumer.fragment(fragment(time, true, large), clock.now())
  }
  const text = await first
  expect(text).toBeDefined()
  for (let number = noon / 1000; number < noon / 1000 + 40; number++) held += hls.segment(number, true)?.length ?? 0
  expect(held).toBeLessThanOrEqual(64 << 20)
  const [last] = lines(await hls.playlist(), '#EXT-X-MEDIA-SEQUENCE')
  for (let time = 40; time < 100; time += 1) {
    clock.setWallTime(noon + time * 1000)
    for (const consumer of followers) consumer.fragment(fragment(time, false, large), clock.now())
  }
  clock.setWallTime(noon + 41_000)
  expect(lines(await hls.playlist(), '#EXT-X-MEDIA-SEQUENCE')).toEqual([last])
})

test('if nothing arrives in time there is no playlist, not even an old one', async () => {
  const none = hls.playlist()
  await clock.advance(10_000)
  expect(await none).toBeUndefined()
  const first = hls.playlist()
  play(0, 4.5)
  expect(await first).toBeDefined()
  await clock.advance(20_000)
  expect(await hls.playlist()).toBeDefined()
  await clock.advance(1)
  expect(await hls.playlist()).toBeUndefined()
})

test.each([
  ['forward', 3_600_000],
  ['back', -3_600_000],
])('a clock that is set %s neither ends a playlist nor keeps an old one', async (_, by) => {
  const first = hls.playlist()
  play(0, 4.5)
  expect(await first).toBeDefined()
  clock.setWallTime(noon + by)
  expect(await hls.playlist()).toBeDefined()
  await clock.advance(20_001)
  expect(await hls.playlist()).toBeUndefined()
})

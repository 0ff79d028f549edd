import type { Readable } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import { createMjpeg, mjpegHeight, type Mjpeg } from './mjpeg.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

let elapsed: number
let followers: Set<StreamConsumer>
/** Heights of what was decoded. */
let decoded: (number | undefined)[]
let mjpeg: Mjpeg

beforeEach(() => {
  elapsed = 0
  followers = new Set()
  decoded = []
  mjpeg = createMjpeg({
    follow(consumer) {
      followers.add(consumer)
      consumer.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
      return () => void followers.delete(consumer)
    },
    async jpegOf({ mp4, at }, height) {
      decoded.push(height)
      expect(mp4.map(String)).toEqual(['init', `key ${at}`])
      return Buffer.from(`jpeg ${at}`)
    },
    clock: { now: () => elapsed, elapsed: () => elapsed },
  })
})

/** A key frame comes, and what is made of it is made. */
async function keyFrame(at: number): Promise<void> {
  elapsed = at
  const fragment: Omit<Fragment, 'key' | 'video'> = {
    data: Buffer.from(`key ${at}`),
    time: at / 1000,
    duration: 0.1,
    samples: 1,
    first: { start: 0, end: 0 },
  }
  for (const consumer of followers) {
    consumer.fragment({ ...fragment, key: true, video: true }, at)
    consumer.fragment({ ...fragment, key: false, video: true }, at)
    consumer.fragment({ ...fragment, key: false, video: false }, at)
  }
  await vi.waitFor(() => Promise.resolve(), 20_000)
}

const taken = (reader: Readable): string => String(reader.read() ?? '')
const partOf = (jpeg: string): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n${jpeg}\r\n--picture\r\n`

test('the available frame is sent first, then one for each key frame, each with its boundary', async () => {
  const reader = mjpeg.open(Buffer.from('first'), 360)
  expect(taken(reader)).toBe(`--picture\r\n${partOf('first')}`)
  await keyFrame(1000)
  expect(taken(reader)).toBe(partOf('jpeg 1000'))
})

test('all clients of one height share a decoder; another height adds one', async () => {
  const readers = [360, 360, 720].map((height) => mjpeg.open(Buffer.from('first'), height))
  for (const reader of readers) taken(reader)
  await keyFrame(1000)
  expect(decoded).toEqual([360, 720])
  expect(readers.map(taken)).toEqual(Array.from({ length: 3 }, () => partOf('jpeg 1000')))
  expect(mjpeg.readers).toBe(3)
})

test('a client that does not read skips frames and delays no other client; nothing is decoded for it alone', async () => {
  const [slow, quick] = [mjpeg.open(Buffer.from('first'), 360), mjpeg.open(Buffer.from('first'), 360)]
  taken(quick)
  await keyFrame(1000)
  await keyFrame(2000)
  expect(taken(quick)).toBe(partOf('jpeg 1000'))
  await keyFrame(3000)
  expect(taken(quick)).toBe(partOf('jpeg 3000'))
  // The second key frame was not decoded: no client was ready for it.
  expect(decoded).toHaveLength(2)
  expect(taken(slow)).toBe(`--picture\r\n${partOf('first')}`)
  await keyFrame(4000)
  expect(taken(slow)).toBe(partOf('jpeg 4000'))
})

test('at most four frames per second are decoded, however many key frames arrive', async () => {
  const reader = mjpeg.open(Buffer.from('first'), 360)
  reader.resume()
  for (let at = 1000; at < 2000; at += 40) await keyFrame(at)
  expect(decoded.length).toBeLessThanOrEqual(4)
})

test('without clients, no key frame is decoded', async () => {
  const [one, other] = [mjpeg.open(Buffer.from('first'), 360), mjpeg.open(Buffer.from('first'), undefined)]
  expect(followers.size).toBe(1)
  one.destroy()
  expect(followers.size).toBe(1)
  mjpeg.close()
  expect(other.destroyed).toBe(true)
  expect(followers.size).toBe(0)
  await keyFrame(1000)
  expect(decoded).toEqual([])
})

test.each([
  [undefined, undefined],
  [32, 180],
  [181, 360],
  [1080, 1080],
  [2160, undefined],
])('for %s requested pixels there are %s', (requested, made) => {
  expect(mjpegHeight(requested)).toBe(made)
})

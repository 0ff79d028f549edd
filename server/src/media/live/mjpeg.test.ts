import type { Readable } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { createJpegOutputs, type JpegOutputs } from './jpeg-outputs.ts'
import { createMjpeg, mjpegHeight, type Mjpeg } from './mjpeg.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

let clock: TestClock
let followers: Set<StreamConsumer>
/** Heights of what was decoded. */
let decoded: (number | undefined)[]
/** Heights of the decoders that are running. */
let running: (number | undefined)[]
/** Called while a frame is decoded. */
let whileDecoding: () => void
/** Whether no further decoder can be started. */
let isFull: boolean
let outputs: JpegOutputs
let mjpeg: Mjpeg

beforeEach(() => {
  clock = createTestClock()
  followers = new Set()
  decoded = []
  running = []
  whileDecoding = () => undefined
  isFull = false
  outputs = createJpegOutputs({
    follow(consumer) {
      followers.add(consumer)
      consumer.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
      return () => void followers.delete(consumer)
    },
    startDecoder(height, { onJpeg }) {
      if (isFull) throw new Error('full')
      let init: InitSegment | undefined
      running.push(height)
      return {
        begin: (next) => void (init = next),
        fragment({ key, data }, at) {
          if (!key) return false
          const before = init
          expect([String(before?.data), String(data)]).toEqual(['init', `key ${at}`])
          decoded.push(height)
          init = undefined
          whileDecoding()
          // Otherwise the stream has ended, or begun again.
          if (init === undefined) onJpeg(Buffer.from(`jpeg ${at}`), at)
          init = before
          return true
        },
        end: () => void (init = undefined),
        stop: () => void running.splice(running.indexOf(height), 1),
      }
    },
    clock,
  })
  mjpeg = createMjpeg(outputs)
})

const first = async () => Buffer.from('first')
const open = (latest: () => Promise<Buffer>, height: number | undefined, { signal } = new AbortController()) =>
  mjpeg.open(latest, height, signal)

/** A key frame comes, and what is made of it is made. */
async function keyFrame(at: number): Promise<void> {
  await clock.advance(at - clock.elapsed())
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
  `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n${jpeg}\r\n--frame\r\n`

test('the available frame is sent first, then one for each key frame, each with its boundary', async () => {
  const reader = await open(first, 360)
  expect(taken(reader)).toBe(`--frame\r\n${partOf('first')}`)
  await keyFrame(1000)
  expect(taken(reader)).toBe(partOf('jpeg 1000'))
})

test('all clients of one height share a decoder, which ends with the last of them; another height adds one', async () => {
  const readers = await Promise.all([360, 360, 720].map((height) => open(first, height)))
  for (const reader of readers) taken(reader)
  await keyFrame(1000)
  expect([decoded, running]).toEqual([
    [360, 720],
    [360, 720],
  ])
  expect(readers.map(taken)).toEqual(Array.from({ length: 3 }, () => partOf('jpeg 1000')))
  expect(mjpeg.readers).toBe(3)
  readers[0]?.destroy()
  expect(running).toEqual([360, 720])
  readers[1]?.destroy()
  expect(running).toEqual([720])
  mjpeg.close()
  expect(running).toEqual([])
})

test('a client that does not read skips frames and delays no other client; nothing is decoded for it alone', async () => {
  const [slow, quick] = [await open(first, 360), await open(first, 360)]
  taken(quick)
  await keyFrame(1000)
  await keyFrame(2000)
  expect(taken(quick)).toBe(partOf('jpeg 1000'))
  await keyFrame(3000)
  expect(taken(quick)).toBe(partOf('jpeg 3000'))
  // The second key frame was not decoded: no client was ready for it.
  expect(decoded).toHaveLength(2)
  expect(taken(slow)).toBe(`--frame\r\n${partOf('first')}`)
  await keyFrame(4000)
  expect(taken(slow)).toBe(partOf('jpeg 4000'))
})

test('at most four frames per second are decoded, however many key frames arrive', async () => {
  const reader = await open(first, 360)
  reader.resume()
  for (let at = 1000; at < 2000; at += 40) await keyFrame(at)
  expect(decoded.length).toBeLessThanOrEqual(4)
  expect(decoded.length).toBeGreaterThanOrEqual(3)
})

test('without clients, no key frame is decoded', async () => {
  const [one, other] = [await open(first, 360), await open(first, undefined)]
  expect(followers.size).toBe(1)
  one.destroy()
  expect(followers.size).toBe(1)
  mjpeg.close()
  expect(other.destroyed).toBe(true)
  expect(followers.size).toBe(0)
  await keyFrame(1000)
  expect(decoded).toEqual([])
})

test('while the camera sends nothing, the last frame is repeated more often than a connection may be silent', async () => {
  const [quick, slow] = [await open(first, 360), await open(first, 360)]
  taken(quick)
  await keyFrame(1000)
  expect(taken(quick)).toBe(partOf('jpeg 1000'))
  for (const consumer of followers) consumer.end()
  for (let silent = 0; silent < 120_000; silent += 30_000) {
    await clock.advance(30_000)
    expect(taken(quick)).toBe(partOf('jpeg 1000'))
  }
  // Nothing queues up for a client that does not read.
  expect(taken(slow)).toBe(`--frame\r\n${partOf('first')}`)
  quick.destroy()
  slow.destroy()
  expect(clock.pending()).toBe(0)
})

test('a frame of the former source is neither repeated nor shown late', async () => {
  const reader = await open(first, 360)
  taken(reader)
  whileDecoding = () => mjpeg.forget()
  await keyFrame(1000)
  expect(taken(reader)).toBe('')
  whileDecoding = () => undefined
  await keyFrame(2000)
  expect(taken(reader)).toBe(partOf('jpeg 2000'))
  mjpeg.forget()
  await clock.advance(60_000)
  expect(taken(reader)).toBe('')
  await keyFrame(70_000)
  expect(taken(reader)).toBe(partOf('jpeg 70000'))
  await clock.advance(30_000)
  expect(taken(reader)).toBe(partOf('jpeg 70000'))
})

test('if the source changes before the first frame is there, the frame of the new source is sent', async () => {
  const frames = ['former', 'new']
  const reader = await open(async () => {
    const frame = frames.shift() ?? ''
    if (frame === 'former') mjpeg.forget()
    return Buffer.from(frame)
  }, 360)
  expect(taken(reader)).toBe(`--frame\r\n${partOf('new')}`)
})

test('a client that gets no decoder costs no snapshot', async () => {
  isFull = true
  const latest = vi.fn(first)
  await expect(open(latest, 360)).rejects.toThrow('full')
  expect(latest).not.toHaveBeenCalled()
})

test('a client without a first frame keeps no decoder', async () => {
  const missing = new Error('no frame')
  await expect(open(() => Promise.reject(missing), 360)).rejects.toThrow(missing)
  expect([running, mjpeg.readers, followers.size]).toEqual([[], 0, 0])
})

test('a client whose first frame is not there when the camera is removed gets nothing', async () => {
  const waiting = open(async () => (mjpeg.close(), Buffer.from('late')), 360)
  await expect(waiting).rejects.toMatchObject({ code: 'not-found' })
  expect([running, mjpeg.readers, followers.size, clock.pending()]).toEqual([[], 0, 0, 0])
})

test('a client that disconnects while it waits for its first frame releases its decoder immediately', async () => {
  const client = new AbortController()
  const frame = Promise.withResolvers<Buffer>()
  const waiting = open(() => frame.promise, 360, client)
  expect([running, mjpeg.readers]).toEqual([[360], 1])
  client.abort()
  await clock.advance(0)
  expect([running, mjpeg.readers, followers.size, clock.pending()]).toEqual([[], 0, 0, 0])
  frame.resolve(Buffer.from('late'))
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  await expect(open(first, 360, client)).rejects.toMatchObject({ code: 'unavailable' })
  expect(running).toEqual([])
})

test('a client that still waits for its first frame gets nothing before it', async () => {
  const other = await open(first, 360)
  taken(other)
  const reader = await open(async () => {
    await keyFrame(1000)
    return Buffer.from('own first')
  }, 360)
  expect(taken(other)).toBe(partOf('jpeg 1000'))
  expect(taken(reader)).toBe(`--frame\r\n${partOf('own first')}`)
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

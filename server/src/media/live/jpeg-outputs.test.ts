import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { JpegReceiver } from '../ffmpeg/jpeg-decoders.ts'
import type { MediaReasons } from '../reasons.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { createJpegOutputs, type JpegOutputs } from './jpeg-outputs.ts'

interface FakeDecoder {
  readonly height: number | undefined
  readonly isOptional: boolean
  /** What it got, and has not decoded. */
  readonly got: string[]
  readonly receiver: JpegReceiver
}

let clock: TestClock
let followers: Set<StreamConsumer>
/** The newest key frame and what has followed it, with its arrival time. */
let retained: { readonly fragments: Fragment[]; readonly at: number } | undefined
let decoders: FakeDecoder[]
/** What was decoded, with the height. */
let decoded: string[]
/** Whether decoders decode what they get. */
let isWorking: boolean
/** Thrown instead of starting a decoder. */
let refusal: Error | undefined
let outputs: JpegOutputs

const init = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }

beforeEach(() => {
  clock = createTestClock()
  followers = new Set()
  retained = undefined
  decoders = []
  decoded = []
  isWorking = true
  refusal = undefined
  outputs = createJpegOutputs({
    follow(consumer) {
      followers.add(consumer)
      consumer.begin(init)
      for (const fragment of retained?.fragments ?? []) consumer.fragment(fragment, retained!.at)
      return () => void followers.delete(consumer)
    },
    startDecoder(height, receiver, isOptional = false) {
      if (refusal) throw refusal
      const decoder: FakeDecoder = { height, isOptional, got: [], receiver }
      decoders.push(decoder)
      return {
        begin: () => undefined,
        fragment({ key, data }, at) {
          decoder.got.push(String(data))
          if (!key || !isWorking) return
          decoded.push(`${height} ${at}`)
          setImmediate(() => receiver.onJpeg(Buffer.from(`jpeg ${at}`), at))
        },
        end: () => undefined,
        stop: () => void decoders.splice(decoders.indexOf(decoder), 1),
      }
    },
    clock,
  })
})

const fragmentOf = (name: string, of: Partial<Fragment>): Fragment => ({
  data: Buffer.from(name),
  time: clock.elapsed() / 1000,
  duration: 0.1,
  samples: 1,
  first: { start: 0, end: 0 },
  key: false,
  video: true,
  ...of,
})

/** A key frame arrives, with a frame and audio after it. */
function keyFrame(at: number): void {
  const audio = fragmentOf('audio', { video: false })
  retained = { fragments: [fragmentOf(`key ${at}`, { key: true }), audio, fragmentOf(`after ${at}`, {})], at }
  for (const consumer of followers) for (const each of retained.fragments) consumer.fragment(each, at)
}

const newest = async (at: number, height: number | undefined = 360) => (await outputs.newest(height, at))?.toString()
const running = () => decoders.map(({ height }) => height)
const busy = () => new ServiceError<MediaReasons>('busy', { reason: 'too-many-mjpeg-streams' })

/** An MJPEG client that takes everything. */
function read(height: number | undefined = 360): Readable {
  const reader = new Readable({ read() {}, destroy: (error, done) => (outputs.leave(reader, height), done(error)) })
  outputs.join(reader, height)
  return reader.resume()
}

test('a snapshot gets the newest key frame, which the stream has already, and for B-frames the frames that come next', async () => {
  keyFrame(1)
  keyFrame(2)
  const waiting = newest(2)
  const next = fragmentOf('next', {})
  for (const consumer of followers) consumer.fragment(next, 3)
  expect(await waiting).toBe('jpeg 2')
  expect([decoded, decoders[0]?.got.slice(-2)]).toEqual([['360 2'], ['key 2', 'next']])
})

test('a decoder gets no frame that is later than a key frame which can still be requested', async () => {
  keyFrame(1)
  isWorking = false
  const waiting = newest(1)
  keyFrame(2)
  decoders[0]?.receiver.onJpeg(Buffer.from('jpeg 1'), 1)
  expect(await waiting).toBe('jpeg 1')
  isWorking = true
  expect(await newest(2)).toBe('jpeg 2')
  expect(decoders[0]?.got).toEqual(['key 1', 'key 2'])
})

test('only what is requested is decoded, by one decoder, which ends five seconds after the last snapshot', async () => {
  keyFrame(1)
  expect(await newest(1)).toBe('jpeg 1')
  await clock.advance(4000)
  for (const at of [2, 3, 4]) keyFrame(at)
  expect(await newest(4)).toBe('jpeg 4')
  expect(await newest(4)).toBe('jpeg 4')
  expect(decoded).toEqual(['360 1', '360 4'])
  await clock.advance(4999)
  expect([running(), decoders[0]?.isOptional]).toEqual([[360], true])
  await clock.advance(1)
  expect([running(), followers.size, clock.pending()]).toEqual([[], 0, 0])
})

test('each height has its own decoder, and a fifth of one camera gets none', async () => {
  keyFrame(1)
  for (const height of [100, 200, 300, 400]) expect(await newest(1, height)).toBe('jpeg 1')
  expect(await newest(1, 500)).toBeUndefined()
  expect(running()).toEqual([100, 200, 300, 400])
})

test('a snapshot uses the decoder of the MJPEG clients of its height, and what they were sent', async () => {
  const reader = read()
  await clock.advance(250)
  keyFrame(1)
  await clock.advance(0)
  expect(await newest(1)).toBe('jpeg 1')
  expect([decoded, running()]).toEqual([['360 1'], [360]])
  // It stays for whichever is last.
  reader.destroy()
  await clock.advance(0)
  expect(running()).toEqual([360])
  const other = read()
  await clock.advance(5000)
  expect(running()).toEqual([360])
  other.destroy()
  await clock.advance(0)
  expect([running(), clock.pending()]).toEqual([[], 0])
})

test('a snapshot gets nothing if the stream does not have the key frame, as of an offline camera', async () => {
  expect(await newest(1)).toBeUndefined()
  keyFrame(2)
  expect(await newest(1)).toBeUndefined()
  expect(await newest(2)).toBe('jpeg 2')
})

test('a snapshot gets nothing if too many decoders are running, and other errors are reported', async () => {
  keyFrame(1)
  refusal = busy()
  expect(await newest(1)).toBeUndefined()
  refusal = new Error('no such program')
  await expect(newest(1)).rejects.toThrow('no such program')
  expect([followers.size, clock.pending()]).toEqual([0, 0])
})

test.each([
  ['fails', async () => decoders[0]?.receiver.onFailure()],
  ['decodes nothing within four seconds', () => clock.advance(4000)],
])('if the decoder %s, the snapshot gets nothing, and for half a minute no other uses it', async (_what, fail) => {
  keyFrame(1)
  isWorking = false
  const waiting = newest(1)
  await fail()
  expect(await waiting).toBeUndefined()
  expect([running(), followers.size, clock.pending()]).toEqual([[], 0, 0])
  isWorking = true
  await clock.advance(29_999)
  expect([await newest(1), running()]).toEqual([undefined, []])
  await clock.advance(1)
  expect(await newest(1)).toBe('jpeg 1')
})

test('if the decoder was busy with an earlier key frame, the snapshot does not get that one', async () => {
  keyFrame(2)
  isWorking = false
  const waiting = newest(2)
  decoders[0]?.receiver.onJpeg(Buffer.from('jpeg 1'), 1)
  expect(await waiting).toBeUndefined()
})

test.each([
  ['ends', () => followers.forEach((consumer) => consumer.end())],
  ['is of another source', () => outputs.forget()],
  ['is removed', () => outputs.close()],
])('a snapshot that is being decoded gets nothing once the stream %s', async (_what, end) => {
  keyFrame(1)
  isWorking = false
  const waiting = newest(1)
  end()
  expect(await waiting).toBeUndefined()
  // The decoder has not failed.
  isWorking = true
  keyFrame(2)
  expect(await newest(2)).toBe('jpeg 2')
})

test('no snapshot is one of the former source', async () => {
  keyFrame(1)
  expect(await newest(1)).toBe('jpeg 1')
  outputs.forget()
  retained = undefined
  expect(await newest(1)).toBeUndefined()
})

test('a removed camera keeps no decoder', async () => {
  keyFrame(1)
  await newest(1)
  const reader = read(180)
  outputs.close()
  expect([running(), reader.destroyed, followers.size]).toEqual([[], true, 0])
  expect(clock.pending()).toBe(0)
})

import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { JpegReceiver } from '../ffmpeg/jpeg-decoders.ts'
import type { MediaReasons } from '../reasons.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { createJpegOutputs, type JpegOutputs } from './jpeg-outputs.ts'

/** Behaves like a real one, with ffmpeg behind it. */
interface FakeDecoder {
  readonly height: number | undefined
  /** When it was started. */
  readonly wasOptional: boolean
  readonly got: string[]
  readonly receiver: JpegReceiver
  /** Outputs the key frame that it is decoding. */
  finish(): void
  fail(): void
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
/** Frames after a key frame that ffmpeg needs to output it: some, with B-frames. */
let reordered: number
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
  reordered = 0
  refusal = undefined
  outputs = createJpegOutputs({
    follow(consumer) {
      followers.add(consumer)
      consumer.begin(init)
      for (const fragment of retained?.fragments ?? []) consumer.fragment(fragment, retained!.at)
      return () => void followers.delete(consumer)
    },
    startDecoder(height, receiver) {
      if (refusal) throw refusal
      const { decoder, ...started } = fakeDecoder(height, receiver)
      decoders.push(decoder)
      return { ...started, stop: () => void decoders.splice(decoders.indexOf(decoder), 1) }
    },
    clock,
  })
})

function fakeDecoder(height: number | undefined, receiver: JpegReceiver) {
  let decoding: { readonly at: number; readonly isLate: boolean; after: number } | undefined
  let newestTime = -1
  let isWaiting = false
  const decoder: FakeDecoder = {
    height,
    wasOptional: receiver.isOptional,
    got: [],
    receiver,
    finish() {
      if (!decoding) return
      const { at, isLate } = decoding
      if (isLate) return
      decoding = undefined
      decoded.push(`${height} ${at}`)
      receiver.onJpeg(Buffer.from(`jpeg ${at}`), at)
    },
    fail() {
      decoding = undefined
      isWaiting = true
      receiver.onFailure()
    },
  }
  return {
    decoder,
    begin: () => undefined,
    fragment({ key, video, data, time }: Fragment, at: number) {
      if (!video || (key ? isWaiting || decoding : !decoding || decoding.after >= 8)) return false
      decoder.got.push(String(data))
      if (key) decoding = { at, isLate: time < newestTime, after: 0 }
      else decoding!.after += 1
      newestTime = Math.max(newestTime, time)
      if (isWorking && decoding!.after >= reordered) setImmediate(decoder.finish)
      return true
    },
    end: () => void (decoding = undefined),
  }
}

let sent = 0
const fragmentOf = (name: string, of: Partial<Fragment>): Fragment => ({
  data: Buffer.from(name),
  time: (sent += 1),
  duration: 0.1,
  samples: 1,
  first: { start: 0, end: 0 },
  key: false,
  video: true,
  ...of,
})

function arrive(fragment: Fragment, at: number): void {
  if (fragment.key) retained = { fragments: [], at }
  for (const consumer of followers) consumer.fragment(fragment, at)
  retained?.fragments.push(fragment)
}

/** A key frame arrives, with audio and frames after it. */
function keyFrame(at: number, after = 1): void {
  arrive(fragmentOf(`key ${at}`, { key: true }), at)
  arrive(fragmentOf('audio', { video: false }), at)
  for (let i = 0; i < after; i += 1) arrive(fragmentOf(`after ${at}`, {}), at)
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

test.each<[name: string, reordered: number, before: number, next: () => void]>([
  ['without B-frames', 0, 0, () => undefined],
  ['with B-frames, early', 3, 0, () => [1, 2, 3].forEach((at) => arrive(fragmentOf('next', {}), at))],
  ['with B-frames, late', 3, 8, () => keyFrame(3, 8)],
  ['with B-frames, late, whose next key frame comes first', 6, 1, () => keyFrame(3, 8)],
])('a snapshot gets the newest key frame of a stream %s', async (_name, needed, before, next) => {
  reordered = needed
  keyFrame(1)
  keyFrame(2, before)
  const waiting = newest(2)
  next()
  expect(await waiting).toBe('jpeg 2')
  expect(decoded).toEqual(['360 2'])
})

test('a decoder gets at most four frames at once after a key frame', async () => {
  isWorking = false
  keyFrame(1, 8)
  const waiting = newest(1)
  expect(decoders[0]?.got).toEqual(['key 1', ...Array.from({ length: 4 }, () => 'after 1')])
  decoders[0]?.finish()
  expect(await waiting).toBe('jpeg 1')
})

test.each<[why: string, happen: () => void | Promise<void>]>([
  ['is decoding another key frame', () => keyFrame(2, 8)],
  [
    'was decoding another key frame, and got frames after this one',
    () => {
      keyFrame(2)
      decoders[0]?.finish()
    },
  ],
  [
    'waits after a failure',
    () => {
      decoders[0]?.fail()
      keyFrame(2)
    },
  ],
])('a snapshot gets nothing, and without waiting, if the decoder that MJPEG uses %s', async (_why, happen) => {
  isWorking = false
  read()
  await clock.advance(250)
  keyFrame(1)
  await clock.advance(260)
  await happen()
  expect(decoders[0]?.got[0]).toBe('key 1')
  expect(await newest(2)).toBeUndefined()
  // The decoder is not paused.
  isWorking = true
  decoders[0]?.finish()
  expect(running()).toEqual([360])
})

test('a key frame that the decoder was too busy to take is decoded for a snapshot later', async () => {
  isWorking = false
  read()
  await clock.advance(250)
  keyFrame(1, 8)
  await clock.advance(260)
  keyFrame(2, 8)
  decoders[0]?.finish()
  isWorking = true
  await clock.advance(3000)
  expect(await newest(2)).toBe('jpeg 2')
})

test.each<[what: string, happen: () => void]>([
  ['has ended', () => followers.forEach((consumer) => consumer.end())],
  ['begins again', () => followers.forEach((consumer) => consumer.begin(init))],
  ['has a decoder that fails', () => decoders[0]?.fail()],
])('a snapshot of a key frame whose stream %s gets nothing, at once', async (_what, happen) => {
  isWorking = false
  read()
  await clock.advance(250)
  keyFrame(1)
  happen()
  retained = undefined
  expect(await newest(1)).toBeUndefined()
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
  expect([running(), decoders[0]?.receiver.isOptional]).toEqual([[360], true])
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
  ['fails', async () => decoders[0]?.fail()],
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
  ['ends', () => followers.forEach((consumer) => consumer.end()), 'jpeg 2'],
  ['begins again', () => followers.forEach((consumer) => consumer.begin(init)), 'jpeg 2'],
  ['is of another source', () => outputs.forget(), 'jpeg 2'],
  ['is removed', () => outputs.close(), undefined],
])('a snapshot that is being decoded gets nothing once the stream %s', async (_what, end, next) => {
  keyFrame(1)
  isWorking = false
  const waiting = newest(1)
  end()
  expect(await waiting).toBeUndefined()
  // The decoder has not failed.
  decoders[0]?.finish()
  isWorking = true
  keyFrame(2)
  expect(await newest(2)).toBe(next)
})

test('no snapshot is one of the former source', async () => {
  keyFrame(1)
  expect(await newest(1)).toBe('jpeg 1')
  outputs.forget()
  retained = undefined
  expect(await newest(1)).toBeUndefined()
})

test('only a decoder that snapshots alone use is optional, and is given up for another that is not', async () => {
  keyFrame(1)
  await newest(1)
  const { receiver } = decoders[0]!
  expect(receiver.isOptional).toBe(true)
  const reader = read()
  expect(receiver.isOptional).toBe(false)
  reader.destroy()
  await clock.advance(0)
  expect(receiver.isOptional).toBe(true)
  isWorking = false
  keyFrame(2)
  const waiting = newest(2)
  receiver.onDisplaced()
  expect(await waiting).toBeUndefined()
  expect([running(), followers.size, clock.pending()]).toEqual([[], 0, 0])
  isWorking = true
  expect(await newest(2)).toBe('jpeg 2')
})

test('the decoder of an MJPEG client is not optional from its start', () => {
  read()
  expect(decoders[0]?.wasOptional).toBe(false)
})

test('once the camera is removed, neither a snapshot nor an MJPEG client starts a decoder', async () => {
  keyFrame(1)
  outputs.close()
  expect(await newest(1)).toBeUndefined()
  expect(() => read()).toThrow(expect.objectContaining({ code: 'not-found', reason: 'no-such-camera' }))
  expect([running(), followers.size, clock.pending()]).toEqual([[], 0, 0])
})

test('a removed camera keeps no decoder', async () => {
  keyFrame(1)
  await newest(1)
  const reader = read(180)
  outputs.close()
  expect([running(), reader.destroyed, followers.size]).toEqual([[], true, 0])
  expect(clock.pending()).toBe(0)
})

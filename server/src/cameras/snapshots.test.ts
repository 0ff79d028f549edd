import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { SnapshotNeed } from '../media/ffmpeg/decoding-queue.ts'
import { createSnapshots } from './snapshots.ts'

const frame = (at: number): Frame => ({ at, mp4: [] })

function world() {
  const clock = createTestClock()
  let shown = frame(1)
  let hasLive = true
  let encoding = Promise.withResolvers<void>()
  encoding.resolve()
  const needs: SnapshotNeed[] = []
  const snapshots = createSnapshots({
    camera: {
      status: { state: 'connecting', resolution: null, fps: null, codec: null },
      latestFrame: () => Promise.resolve(shown),
    },
    jpegEncoder: {
      jpegOf({ at }, height, need) {
        needs.push(need!)
        return encoding.promise.then(() => Buffer.from(`${at} ${height}`))
      },
    },
    liveJpeg: (height, at) => Promise.resolve(hasLive ? Buffer.from(`live ${at} ${height}`) : undefined),
    kept: () => Promise.resolve(undefined),
    clock,
  })
  return {
    clock,
    forget: snapshots.forget,
    show: (at: number) => void (shown = frame(at)),
    endLive: () => void (hasLive = false),
    /** The encoder is busy, until it continues. */
    wait() {
      encoding = Promise.withResolvers<void>()
      return () => encoding.resolve()
    },
    /** Whether each one that was encoded isn't needed anymore. */
    abandoned: () => needs.map(({ signal }) => signal.aborted),
    /** The requesters of each one that was encoded. */
    requesters: () => needs.map(({ requesters }) => requesters),
    latest: async (height = 360, isKnown = (_at: number) => false, signal?: AbortSignal, user = 'ann') => {
      const snapshot = await snapshots.latest(height, isKnown, signal && { signal, requester: [user] })
      return snapshot && `${snapshot.jpeg.toString()}, ${snapshot.at}`
    },
  }
}

test('a snapshot is reused for a second, though there are newer frames', async () => {
  const { clock, show, latest } = world()
  expect(await latest()).toBe('1 360, 1')
  show(2)
  await clock.advance(999)
  expect(await latest()).toBe('1 360, 1')
  await clock.advance(1)
  expect(await latest()).toBe('live 2 360, 2')
})

test('none is reused once it was dropped', async () => {
  const { show, latest, forget } = world()
  expect(await latest()).toBe('1 360, 1')
  forget()
  show(2)
  expect(await latest()).toBe('2 360, 2')
})

test('the second of a height within five seconds comes from a decoder that keeps running, with its own time', async () => {
  const { clock, show, latest } = world()
  expect(await latest()).toBe('1 360, 1')
  await clock.advance(4999)
  show(2)
  expect(await latest(180)).toBe('2 180, 2')
  expect(await latest()).toBe('live 2 360, 2')
  await clock.advance(4999)
  show(3)
  expect(await latest()).toBe('live 3 360, 3')
  await clock.advance(5000)
  show(4)
  expect(await latest()).toBe('4 360, 4')
})

test('the same frame is decoded once, and a client that has it gets none', async () => {
  const { clock, show, latest } = world()
  const known: number[] = []
  const isKnown = (at: number) => (known.push(at), at === 2)
  expect(await latest(360, isKnown)).toBe('1 360, 1')
  await clock.advance(2000)
  expect(await latest(360, isKnown)).toBe('1 360, 1')
  show(2)
  expect(await latest(360, isKnown)).toBeUndefined()
  expect(known).toEqual([1, 1, 2])
})

test('without such a decoder, each is decoded by itself', async () => {
  const { clock, show, latest, endLive } = world()
  await latest()
  endLive()
  await clock.advance(1000)
  show(2)
  expect(await latest()).toBe('2 360, 2')
})

const never = () => false

test('a snapshot is abandoned once all callers that share it have disconnected, and the next caller gets another', async () => {
  const { latest, wait, abandoned } = world()
  const callers = [new AbortController(), new AbortController()]
  const resume = wait()
  const requested = callers.map(({ signal }) => latest(360, never, signal))
  await Promise.resolve()
  callers[0]!.abort()
  expect(abandoned()).toEqual([false])
  callers[1]!.abort()
  expect(abandoned()).toEqual([true])
  const next = latest(360, never, new AbortController().signal)
  resume()
  expect(await next).toBe('1 360, 1')
  await Promise.all(requested)
  expect(abandoned()).toEqual([true, false])
})

test('a caller that has disconnected before takes no snapshot along', async () => {
  const { latest, abandoned } = world()
  const left = latest(360, never, AbortSignal.abort())
  const next = latest(360, never, new AbortController().signal)
  await expect(left).rejects.toMatchObject({ code: 'unavailable' })
  expect([await next, abandoned()]).toEqual(['1 360, 1', [false]])
})

test('a snapshot is kept while one of its callers stays, and once it was made', async () => {
  const { latest, wait, abandoned } = world()
  const [first, second] = [new AbortController(), new AbortController()]
  const resume = wait()
  const requested = [latest(360, never, first.signal), latest(360, never, second.signal)]
  await Promise.resolve()
  first.abort()
  resume()
  expect(await Promise.all(requested)).toEqual(['1 360, 1', '1 360, 1'])
  second.abort()
  expect(await latest()).toBe('1 360, 1')
  expect(abandoned()).toEqual([false])
})

test('a snapshot belongs to those of its callers that have not disconnected, and one without a caller to the service', async () => {
  const { latest, wait, requesters } = world()
  const callers = [new AbortController(), new AbortController()]
  const resume = wait()
  const requested = callers.map(({ signal }, at) => latest(360, never, signal, at === 0 ? 'ann' : 'bob'))
  requested.push(latest(180))
  await Promise.resolve()
  expect(requesters()).toEqual([[['ann'], ['bob']], [['service']]])
  callers[0]!.abort()
  expect(requesters()).toEqual([[['bob']], [['service']]])
  resume()
  await Promise.all(requested)
})

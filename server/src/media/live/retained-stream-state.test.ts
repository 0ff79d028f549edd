import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import { heldOf, noStream, step, type RetainedStream, type RetainedStreamEvent } from './retained-stream-state.ts'

const init = { data: Buffer.alloc(0), tracks: [], mime: '' }
const megabyte = 1 << 20

const fragment = (time: number, { key = false, video = true, bytes = 0 } = {}): Fragment => ({
  data: Buffer.alloc(bytes),
  key,
  video,
  time,
  duration: 1,
  samples: 1,
  first: { start: 0, end: 0 },
})

const began: RetainedStreamEvent = { kind: 'stream-began', init }
const ended: RetainedStreamEvent = { kind: 'stream-ended' }
const arrived = (...of: Parameters<typeof fragment>): RetainedStreamEvent => ({
  kind: 'fragment-arrived',
  fragment: fragment(...of),
  at: of[0] * 1000,
})
const key = (time: number, bytes = 0): RetainedStreamEvent => arrived(time, { key: true, bytes })
const audio = (time: number): RetainedStreamEvent => arrived(time, { video: false })

/** The state, and the times of the fragments that are retained. */
const summary = (stream: RetainedStream): string =>
  [stream.state, ...(stream.state === 'retained' ? stream.fragments.map(({ time }) => time) : [])].join(' ')

test.each<[name: string, expected: string, held: number | undefined, events: readonly RetainedStreamEvent[]]>([
  ['a fragment without a stream', 'no-stream', undefined, [key(1)]],
  ['a stream that begins', 'awaiting-key-frame', undefined, [began]],
  ['a frame before the first key frame', 'awaiting-key-frame', undefined, [began, arrived(1)]],
  ['a key frame and what follows it', 'retained 1 2 2', 1, [began, key(1), arrived(2), audio(2)]],
  ['the next key frame', 'retained 3 4', 3, [began, key(1), arrived(2), key(3), arrived(4)]],
  ['audio ahead of the next key frame', 'retained 3 2.5', 3, [began, key(1), audio(1), audio(2.5), key(3)]],
  ['another stream', 'awaiting-key-frame', undefined, [began, key(1), began]],
  ['the end', 'no-stream', undefined, [began, key(1), ended]],
  ['20 seconds without a key frame', 'retained 1 21', 1, [began, key(1), arrived(21)]],
  ['more than 20 seconds without one', 'overgrown', 1, [began, key(1), arrived(21.1)]],
  ['8 MB', 'retained 1 2', 1, [began, key(1, 4 * megabyte), arrived(2, { bytes: 4 * megabyte })]],
  ['more than 8 MB', 'overgrown', 1, [began, key(1, 4 * megabyte), arrived(2, { bytes: 4 * megabyte + 1 })]],
  ['a key frame of more than 8 MB', 'overgrown', 1, [began, key(1, 9 * megabyte)]],
  ['what follows it', 'overgrown', 1, [began, key(1, 9 * megabyte), arrived(2)]],
  ['a key frame after too much', 'retained 2', 2, [began, key(1, 9 * megabyte), audio(2), key(2)]],
])('%s leads to: %s', (_name, expected, held, events) => {
  const stream = events.reduce(step, noStream)
  expect(summary(stream)).toBe(expected)
  expect(heldOf(stream)?.key.time).toBe(held)
  expect(heldOf(stream)?.at).toBe(held === undefined ? undefined : held * 1000)
})

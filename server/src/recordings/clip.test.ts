import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createClip } from './clip.ts'
import type { Segment } from './index/recording-store.ts'
import type { SegmentBytes } from './segments/segment-bytes.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const segment = (id: number, start: number, run: number): Segment => {
  const stored = { file: `${id}`, volume: 'own', object: null, epoch: 0 }
  const rest = { camera: cameraKey('yard'), bytes: 3, initBytes: 1, motion: 0, ...stored }
  return { id, start, end: start + 10_000, streamId: run, ...rest }
}

test('after the clock was set back, a clip contains one run to its end, then the other', async () => {
  const byStart = [
    segment(1, 0, 1),
    segment(2, 4000, 2),
    segment(3, 10_000, 1),
    segment(4, 14_000, 2),
    segment(5, 24_000, 2),
    segment(6, 34_000, 2),
  ]
  const read: [number, number][] = []
  const bytes: Pick<SegmentBytes, 'head' | 'of' | 'at'> = {
    head: () => Promise.resolve(Buffer.from('h')),
    // The last segment is parsed, and has no playable video.
    of: () => Promise.resolve(Buffer.alloc(0)),
    at({ id }, seconds) {
      read.push([id, seconds])
      return Promise.resolve(Buffer.from(`h${id}.`))
    },
  }
  const clip = await createClip(bytes, byStart, { start: 0, end: 50_000, audio: true })
  expect(String(Buffer.concat(await clip.read(0, clip.size).toArray()))).toBe('h1.3.2.4.5.')
  expect(read).toEqual([1, 3, 2, 4, 5].map((id, at) => [id, at * 10]))
})

test('a client that leaves a clip ends the read in progress', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const bytes: Pick<SegmentBytes, 'head' | 'of' | 'at'> = {
    head: () => Promise.resolve(Buffer.from('h')),
    of: () => Promise.resolve(Buffer.alloc(0)),
    at: (_segment, _seconds, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
        if (signal) begun.resolve(signal)
      }),
  }
  const clip = await createClip(bytes, [segment(1, 0, 1), segment(2, 10_000, 1)], {
    start: 0,
    end: 30_000,
    audio: true,
  })
  const stream = clip.read(0, clip.size).resume()
  const signal = await begun.promise
  const closed = once(stream, 'close')
  stream.destroy()
  expect(signal.aborted).toBe(true)
  await closed
})

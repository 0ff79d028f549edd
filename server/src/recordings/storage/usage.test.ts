import { expect, test } from 'vitest'
import type { CountedRecordings } from '../index/recording-store.ts'
import { createUsage, type Usage } from './usage.ts'
import { day } from '../../shared/time/durations.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const yard = cameraKey('yard')

const gone = (start: number) => ({ camera: yard, start, bytes: 1, object: null })

/** A camera with a segment of one byte on each of four days. One, by default the second, is read after a change. */
async function counted(
  change: (usage: Usage, starts: Set<number>) => void,
  { piece, changed = day }: { piece?: number; changed?: number } = {},
) {
  const starts = new Set([0, 1, 5, 6].map((nth) => nth * day))
  const within = (after: number, before: number) => [...starts].filter((start) => after <= start && start < before)
  const lengths: number[] = []
  const store: CountedRecordings = {
    cameras: async () => [yard],
    firstStart: async (_camera, from) => within(from, Infinity)[0],
    async usage(_camera, after, before) {
      lengths.push(before - after)
      if (after === changed) change(usage, starts)
      const segments = within(after, before).length
      return { segments, bytes: segments, stored: 0 }
    },
  }
  const usage: Usage = createUsage(async () => store, piece)
  await usage.count()
  return { usage, lengths, segments: usage.segmentsOf(yard), bytes: usage.bytesOf(yard) }
}

test('recordings are counted day by day, without the days that have none', async () => {
  expect(await counted(() => {})).toMatchObject({ lengths: [day, day, day, day], segments: 4, bytes: 4 })
})

test('recordings of other volumes can be counted in larger pieces', async () => {
  expect(await counted(() => {}, { piece: 7 * day })).toMatchObject({ lengths: [7 * day], segments: 4, bytes: 4 })
})

test.each([
  ['of a day that was counted', 0],
  ['of one that was not', 5 * day],
])('a segment that is removed during a count is not in it: %s', async (_when, start) => {
  const { segments, bytes } = await counted((usage, starts) => {
    starts.delete(start)
    usage.removed(gone(start))
  })
  expect([segments, bytes]).toEqual([3, 3])
})

test('a segment that is added during a count between two days is in it', async () => {
  const { segments, bytes } = await counted(
    (usage, starts) => {
      starts.add(3 * day)
      usage.added({ camera: yard, start: 3 * day, bytes: 1 })
    },
    { changed: 5 * day },
  )
  expect([segments, bytes]).toEqual([5, 5])
})

test('other work runs between two days', async () => {
  const order: string[] = []
  await counted(() => {
    setImmediate(() => order.push('other work'))
    queueMicrotask(() => order.push('count'))
  }).then(() => order.push('counted'))
  expect(order).toEqual(['count', 'other work', 'counted'])
})

test('callers of a count in progress share it', async () => {
  let counts = 0
  const store: CountedRecordings = {
    cameras: async () => (counts++, []),
    firstStart: async () => undefined,
    usage: async () => ({ segments: 0, bytes: 0, stored: 0 }),
  }
  const usage = createUsage(async () => store)
  await Promise.all([usage.count(), usage.count()])
  expect(counts).toBe(1)
  await usage.count()
  expect(counts).toBe(2)
  await Promise.all([usage.count(), usage.recount()])
  expect(counts).toBe(4)
})

test('a recount has what was added, without a note, to a day that the count in progress had read', async () => {
  let recounted: Promise<void> | undefined
  const { usage, segments } = await counted((counting, starts) => {
    if (recounted) return
    starts.add(1)
    recounted = counting.recount()
  })
  expect(segments).toBe(4)
  await recounted
  expect(usage.segmentsOf(yard)).toBe(5)
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { Fragment } from '../media/mp4/fragment.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import { createItemWriter, type ReviewChange } from './item-writer.ts'
import type { ReviewItem } from './review-store.ts'
import { createThumbnails } from './thumbnails.ts'
import { createItemTracker } from './item-tracker.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const began = Date.UTC(2026, 10, 21, 10)

/** A tracker whose clock and motion samples are set by hand, second by second. */
function watching({ jpegOf }: { jpegOf?: (frame: Frame) => Promise<Buffer> } = {}) {
  const folder = temporaryFolder()
  let seconds = 0
  const clock = { now: () => began + seconds * 1000, elapsed: () => seconds * 1000 }
  const items = new Map<string, ReviewItem>()
  const reported: ReviewChange[] = []
  const database = { away: false, writes: 0 }
  const itemWriter = createItemWriter({
    store: {
      async save(item) {
        if (database.away) throw new Error('away')
        database.writes += 1
        items.set(item.id, item)
        return true
      },
    },
    publish: (change) => void reported.push(change),
    log: silent,
  })
  const jpegEncoder = { jpegOf: jpegOf ?? (async ({ mp4 }: Frame) => Buffer.concat(mp4)) }
  const thumbnails = createThumbnails({ folder, requireDisk: async () => undefined, jpegEncoder, clock, log: silent })
  let count = 0
  const random = { bytes: (length: number) => Buffer.alloc(length, ++count) }
  const watch = createItemTracker({
    camera: cameraKey('yard'),
    itemWriter,
    thumbnails,
    epoch: () => undefined,
    clock,
    random,
  })
  watch.consumer.begin({ data: Buffer.from('init ') } as InitSegment)
  const keyFrame = (at: number) =>
    watch.consumer.fragment({ video: true, key: true, data: Buffer.from(`frame ${at}`) } as Fragment, began + at * 1000)
  return {
    watch,
    keeper: itemWriter,
    reported,
    items,
    database,
    keyFrame,
    /** Advances to a second and reports its motion. */
    at(second: number, percent: number | null) {
      seconds = second
      const moving = percent !== null
      watch.observe({ at: clock.now(), percent: percent ?? 0, moving, box: null })
    },
    pass: (second: number) => void (seconds = second),
    async settled() {
      await watch.settled()
      await itemWriter.settled()
      return [...items.values()]
    },
    changes: () => reported.map(({ change }) => change),
    thumbnails: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8')),
    modes: () =>
      readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, String(name))).mode & 0o777),
  }
}

test('an item is published when it begins, when it becomes an alert, and when it ends', async () => {
  const { at, settled, changes, watch } = watching()
  at(0, 2)
  expect(await settled()).toMatchObject([{ open: true, severity: 'detection', start: began - 3000 }])
  at(1, 20)
  expect(await settled()).toMatchObject([{ open: true, severity: 'alert', motion: 20 }])
  at(2, null)
  watch.check()
  at(16, null)
  expect(await settled()).toMatchObject([{ open: false, severity: 'alert', end: began + 3000 }])
  expect(changes()).toEqual(['created', 'updated', 'ended'])
})

test('an open item is saved periodically, so that a crash loses little of it', async () => {
  const { at, settled, database } = watching()
  for (let second = 0; second < 60; second++) at(second, 1)
  const [item] = await settled()
  expect(item!.end).toBeGreaterThan(began + 50_000)
  expect(database.writes).toBeLessThan(16)
})

test.each([
  ['the camera is lost', ({ watch }: ReturnType<typeof watching>) => watch.consumer.end()],
  ['motion detection stops', ({ watch }: ReturnType<typeof watching>) => watch.close()],
  ['no motion sample arrives anymore', ({ watch, pass }: ReturnType<typeof watching>) => (pass(100), watch.check())],
])('an item is closed with its last known data when %s', async (_when, happens) => {
  const parts = watching()
  parts.at(0, 1)
  parts.at(4, 1)
  happens(parts)
  expect(await parts.settled()).toMatchObject([{ open: false, end: began + 6000 }])
  parts.at(110, 1)
  expect(await parts.settled()).toMatchObject([{ open: false }, { open: true, start: began + 107_000 }])
})

test('while the database is unavailable no item is lost, and only saved changes are published', async () => {
  const { at, settled, database, reported, items, keeper: itemWriter } = watching()
  database.away = true
  at(0, 2)
  at(1, 20)
  await settled()
  expect([reported, items.size]).toEqual([[], 0])
  at(2, null)
  at(20, null)
  await settled()
  database.away = false
  itemWriter.retry()
  expect(await settled()).toMatchObject([{ open: false, severity: 'alert', motion: 20 }])
  expect(reported).toMatchObject([{ change: 'created', severity: 'alert' }])
})

test('a deleted open item is not created again', async () => {
  const { at, settled, items, keeper: itemWriter, keyFrame, thumbnails } = watching()
  at(0, 2)
  const [item] = await settled()
  await itemWriter.forget(item!.id)
  items.clear()
  keyFrame(1)
  at(1, 50)
  at(2, null)
  at(30, null)
  expect(await settled()).toEqual([])
  expect(thumbnails()).toEqual([])
})

test('the thumbnail shows the peak of the motion, not the beginning', async () => {
  const { at, keyFrame, settled, thumbnails, modes } = watching()
  keyFrame(-2)
  at(0, 1)
  for (let second = 1; second <= 12; second++) {
    if (second % 2 === 0) keyFrame(second)
    at(second, second === 8 ? 7 : 2)
  }
  expect(await settled()).toMatchObject([{ open: true }])
  expect(thumbnails()).toHaveLength(1)
  at(13, null)
  at(30, null)
  expect(await settled()).toMatchObject([{ open: false, thumbnailAt: began + 8000 }])
  expect(thumbnails()).toEqual(['init frame 8'])
  expect(modes()).toEqual([0o700, 0o600])
})

test('with rare key frames, the thumbnail is one from the time of the motion', async () => {
  const { at, keyFrame, settled } = watching()
  keyFrame(-1)
  for (let second = 0; second <= 9; second++) at(second, second === 2 ? 7 : 2)
  keyFrame(8)
  at(10, null)
  at(30, null)
  expect(await settled()).toMatchObject([{ thumbnailAt: began + 8000 }])
})

test('an item whose thumbnail cannot be made or saved exists without one', async () => {
  const { at, keyFrame, settled, changes } = watching({
    jpegOf: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  })
  keyFrame(0)
  at(0, 2)
  at(1, null)
  at(30, null)
  expect(await settled()).toMatchObject([{ open: false, thumbnailAt: null }])
  expect(changes()).toEqual(['created', 'ended'])
})

test('after a stream restarts, no frame of the old stream is used', async () => {
  const { at, keyFrame, settled, watch } = watching()
  keyFrame(0)
  watch.consumer.end()
  watch.consumer.begin({ data: Buffer.from('other ') } as InitSegment)
  at(1, 2)
  at(30, null)
  expect(await settled()).toMatchObject([{ thumbnailAt: null }])
})

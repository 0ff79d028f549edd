import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../test/support/test-clock.ts'
import { deletedFiles } from '../store/deleted-files.ts'
import type { Store } from '../store/store.ts'
import type { ReviewItem } from './review-store.ts'
import { reviewStore } from './review-store.sql.ts'
import { removeUnownedItems } from './unowned-items.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const day = 24 * 60 * 60_000

let database: TestDatabase
let store: Store
let clock: TestClock
let isClockTrusted: boolean
let stop: () => Promise<void>
beforeEach(async () => {
  database = await engines[0]!.create()
  store = await database.open()
  clock = createTestClock()
  isClockTrusted = true
  const files = deletedFiles(store, 'own')
  stop = removeUnownedItems({
    volumes: () => ['lost'],
    itemsOf: (volume) => reviewStore(store, volume, { shown: () => undefined, deletedFiles: files }),
    deletedFiles: files,
    retention: { of: (camera) => (camera === 'yard' ? 2 : 1), longest: () => 2 },
    isClockTrusted: () => isClockTrusted,
    clock,
    log: silent,
  })
})
afterEach(async () => {
  await stop()
  await database.remove()
})

const idOf = (start: number, ...more: readonly string[]) => [start.toString(16).padStart(12, '0'), ...more].join(' ')

async function seen(volume: string, camera: string, days: number, more: Partial<ReviewItem> = {}): Promise<void> {
  const start = clock.now() - days * day
  const item = {
    id: idOf(start, camera, volume),
    camera: cameraKey(camera),
    severity: 'detection' as const,
    start,
    end: start + 1,
    open: false,
  }
  await reviewStore(store, volume).save({ ...item, motion: 1, box: null, thumbnailAt: null, ...more })
}
const left = async () => {
  const rows = await store.db.selectFrom('review_item').select(['volume', 'camera', 'start', 'open']).execute()
  return rows.map(({ volume, camera, start, open }) => [volume, camera, (clock.now() - start) / day, open].join(' '))
}
const noted = async () =>
  (await store.db.selectFrom('deleted_file').select(['volume', 'file']).orderBy('file').execute()).map(
    ({ volume, file }) => `${volume} ${file.split(' ')[1]}`,
  )
const rounds = async (count: number): Promise<void> => {
  const now = clock.now()
  for (let passed = 0; passed < count * 60; passed++) await clock.advance(10_000)
  clock.setWallTime(now)
}

test('[NODE-3] items of a volume that no instance has are closed, and end by the age of their camera; no others do', async () => {
  for (const volume of ['lost', 'running']) {
    await seen(volume, 'yard', 2.5)
    await seen(volume, 'door', volume === 'lost' ? 1.5 : 1.25)
  }
  await seen('lost', 'yard', 1, { open: true })
  await seen('lost', 'shed', 5, { open: true })
  await rounds(1)
  await expect.poll(left).toHaveLength(3)
  expect(await left()).toEqual(['running yard 2.5 0', 'running door 1.25 0', 'lost yard 1 0'])
  // On a disk that returns, the folder of the oldest goes anyway.
  await expect.poll(noted).toEqual(['lost yard', 'lost door'])
})

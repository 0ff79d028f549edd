import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { createItemRemoval } from './item-removal.ts'
import type { ReviewItem } from './review-store.ts'

const day = 24 * 60 * 60_000

test('a thumbnail that cannot be removed keeps only the items of its camera', async () => {
  const clock = createTestClock()
  const items = ['a', 'b'].map((camera) => ({ id: `of ${camera}`, camera, start: clock.now() - 2 * day }) as ReviewItem)
  const removed: string[] = []
  let noted = ['noted']
  const removal = createItemRemoval({
    store: {
      cameras: () => Promise.resolve(['a', 'b']),
      olderThan: (camera) => Promise.resolve(items.filter((each) => each.camera === camera)),
      remove: async (ids) => void removed.push(...ids),
    },
    thumbnails: {
      async remove(places) {
        for (const { id } of places) if (id !== 'of b') throw new Error(`EACCES: ${id}`)
      },
      removeBefore: async () => void removed.push('folders'),
    },
    itemWriter: { forget: () => Promise.resolve(), remember: () => undefined },
    deletedFiles: {
      own: async () => noted.map((file) => ({ volume: '', file, start: 0 })),
      done: async () => void (noted = []),
      subscribe: () => () => undefined,
    },
    retentionDays: () => 1,
    isClockTrusted: () => true,
    clock,
    log: silent,
  })
  await clock.advance(0)
  await removal.stop()
  expect(removed).toEqual(['of b', 'folders'])
})

import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { objectKey } from './object-key.ts'
import { sweepObjects } from './object-sweep.ts'

const volume = 'a'.repeat(32)
const key = (file: string): string => objectKey(volume, file, 'b'.repeat(64))

test('[NODE-5] objects without a recording are removed, except where the index may not know every object', async () => {
  const [unread, known, orphaned] = [
    key('2026-11-19/yard/10-30-15.250.mp4'),
    key('2026-11-20/yard/10-30-15.250.mp4'),
    key('2026-11-20/door/10-30-15.250.mp4'),
  ]
  const removed: string[] = []
  await sweepObjects(
    {
      volume,
      objects: {
        async *list() {
          yield [unread, known, orphaned].map((each) => ({ key: each, modifiedAt: 0 }))
        },
      },
      store: { knownObjects: () => Promise.resolve(new Set([known])) },
      removals: { add: async (keys) => void removed.push(...keys) },
      knowsObjectsIn: (folder) => folder !== '2026-11-19/yard',
      log: silent,
    },
    Date.UTC(2026, 10, 21),
    new AbortController().signal,
  )
  expect(removed).toEqual([orphaned])
})

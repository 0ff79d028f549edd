import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import type { NewSegment } from './recording-store.ts'
import { createSegmentIndexer } from './segment-indexer.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const segment = (start: number): NewSegment => ({
  camera: cameraKey('yard'),
  start,
  end: start + 10,
  bytes: 1,
  initBytes: 1,
  motion: 0,
  streamId: 0,
  file: `${start}.mp4`,
})

/** A camera whose segments are added to `rows`, while the index isn't down. */
function setUp({ late = new Set<string>(), canThin = false } = {}) {
  const state = { isDown: false, isMounted: true, beforeWritten: () => {} }
  const rows: NewSegment[] = []
  const added: string[] = []
  const removed: string[] = []
  const indexer = createSegmentIndexer({
    camera: cameraKey('yard'),
    folder: '/nowhere',
    store: {
      async removeFiles(files) {
        removed.push(...files)
        return []
      },
      raiseMotion: () => Promise.reject(new Error('the database is down')),
    },
    requireDisk: () => (state.isMounted ? Promise.resolve() : Promise.reject(new Error('not mounted'))),
    batch: {
      async add(read) {
        if (state.isDown) throw new Error('the database is down')
        const made = read()
        rows.push(made)
        state.beforeWritten()
        return made
      },
    },
    own: new Set(),
    late: { has: (file) => late.has(file), forget: () => Promise.resolve() },
    canThin: () => canThin,
    log: silent,
    onAdded: ({ file }) => void added.push(file),
    onRemoved: () => {},
  })
  const put = (start: number): Promise<void> => indexer.put(segment(start), indexer.ended(start, start + 10, 0))
  return { state, rows, added, removed, indexer, put }
}

test('motion that is reported after a failed attempt to index a segment is saved with it', async () => {
  const { state, rows, indexer, put } = setUp()
  state.isDown = true
  // More segments than the indexer remembers once they're indexed.
  for (const start of [0, 10, 20, 30]) await put(start)
  expect([5, 35].map((at) => indexer.moved(at, 7))).toEqual([true, true])
  state.isDown = false
  await indexer.retry()
  expect(rows.map(({ motion }) => motion)).toEqual([7, 0, 0, 7])
  expect(indexer.moved(35, 9)).toBe(false)
})

test('a segment counts as added once it is in the index, also if its latest motion can’t be saved', async () => {
  const { state, added, indexer, put } = setUp()
  state.isDown = true
  await put(0)
  expect(added).toEqual([])
  state.isDown = false
  await indexer.retry()
  state.beforeWritten = () => void indexer.moved(15, 7)
  await put(10)
  expect(added).toEqual(['0.mp4', '10.mp4'])
})

test('[NODE-2] a late segment doesn’t count as added', async () => {
  const { added, put } = setUp({ late: new Set(['0.mp4']) })
  await put(0)
  await put(10)
  expect(added).toEqual(['10.mp4'])
})

test('while the disk is missing, segments are indexed, and none is removed', async () => {
  const { state, added, removed, put } = setUp({ canThin: true })
  state.isMounted = false
  for (const start of [0, 10, 20]) await put(start)
  expect([added.length, removed]).toEqual([3, []])
  state.isMounted = true
  await put(30)
  expect([added.length, removed]).toEqual([4, ['20.mp4']])
})

import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { wait } from '../../../test/support/wait.ts'
import { createLateSegments } from './late-segments.ts'
import type { NewSegment } from './recording-store.ts'
import { createSegmentIndexer } from './segment-indexer.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const yard = cameraKey('yard')

const segment = (file: string): NewSegment => ({
  camera: yard,
  start: 0,
  end: 1,
  bytes: 1,
  initBytes: 1,
  motion: 0,
  streamId: 0,
  file,
  epoch: 1,
})

/** An index that rejects some files, or everything. */
function late() {
  const clock = createTestClock()
  const index = { rejected: new Set<string>(), away: false, slow: Promise.resolve(), added: [] as string[] }
  const quarantined: string[] = []
  const counted: string[] = []
  const segments = createLateSegments({
    async add(all) {
      await index.slow
      if (index.away) throw new Error('away')
      index.added.push(...all.map(({ file }) => file).filter((file) => !index.rejected.has(file)))
      const outdated = all.filter(({ file }) => index.rejected.has(file))
      if (outdated.length > 0) segments.outdated(outdated)
    },
    onAdded: ({ file }) => void counted.push(file),
    quarantine: ({ file }) => Promise.resolve(void quarantined.push(file)),
    clock,
    log: silent,
  })
  return { clock, index, quarantined, counted, segments }
}

test('[NODE-2] a late segment is indexed as soon as it can be, and quarantined if it overlaps another owner’s', async () => {
  const { clock, index, quarantined, counted, segments } = late()
  index.rejected = new Set(['soon', 'never'])
  segments.outdated([segment('soon'), segment('never')])
  await clock.advance(60_000)
  expect([index.added, quarantined]).toEqual([[], []])
  index.rejected.delete('soon')
  await clock.advance(20_000)
  expect([index.added, quarantined]).toEqual([['soon'], []])
  expect(['soon', 'never'].map(segments.has)).toEqual([false, true])
  await clock.advance(20_000)
  expect([index.added, quarantined]).toEqual([['soon'], ['never']])
  await clock.advance(600_000)
  expect([index.added, quarantined]).toEqual([['soon'], ['never']])
  expect(counted).toEqual(['soon'])
  segments.stop()
  expect(clock.pending()).toBe(0)
})

test('[NODE-2] without the database, a late segment waits', async () => {
  const { clock, index, quarantined, segments } = late()
  index.away = true
  segments.outdated([segment('file')])
  await clock.advance(3_600_000)
  expect([index.added, quarantined]).toEqual([[], []])
  index.away = false
  await clock.advance(20_000)
  expect([index.added, quarantined]).toEqual([['file'], []])
  segments.stop()
})

/** Motion mode: three segments without motion, of which the second, which is removed, is late. */
async function thinned({ segments, index }: ReturnType<typeof late>): Promise<string[]> {
  const removed: string[] = []
  const indexer = createSegmentIndexer({
    camera: yard,
    folder: '/nowhere',
    store: {
      removeFiles(files) {
        const rows = index.added.filter((file) => files.includes(file))
        index.added = index.added.filter((file) => !files.includes(file))
        return Promise.resolve(rows.map(() => ({ camera: yard, start: 0, bytes: 1, object: null })))
      },
      raiseMotion: () => Promise.resolve([]),
    },
    requireDisk: () => Promise.resolve(),
    batch: { add: (read) => Promise.resolve(read()) },
    own: new Set(),
    late: segments,
    canThin: () => true,
    log: silent,
    onAdded: () => {},
    onRemoved: ({ file }) => void removed.push(file),
  })
  for (const file of ['first', 'second', 'third']) await indexer.put(segment(file), indexer.ended(0, 1, 0))
  return removed
}

test('[NODE-2] a late segment that motion mode removes doesn’t come back as a row without a file', async () => {
  const made = late()
  made.segments.outdated([segment('second'), segment('other')])
  expect(await thinned(made)).toEqual([])
  await made.clock.advance(20_000)
  expect(made.index.added).toEqual(['other'])
  made.segments.stop()
})

test('[NODE-2] one that is being indexed when motion mode removes it doesn’t, either', async () => {
  const made = late()
  const { promise, resolve } = Promise.withResolvers<void>()
  made.index.slow = promise
  made.segments.outdated([segment('second'), segment('other')])
  await made.clock.advance(20_000)
  const removal = thinned(made)
  await Promise.race([removal, wait(50, 'the removal uses the disk')])
  resolve()
  expect([await removal, made.index.added]).toEqual([['second'], ['other']])
  made.segments.stop()
})

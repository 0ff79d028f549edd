import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { createLateSegments } from './late-segments.ts'
import type { NewSegment } from './recording-store.ts'

const segment = (file: string): NewSegment => ({
  camera: 'yard',
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
  const index = { rejected: new Set<string>(), away: false, added: [] as string[] }
  const quarantined: string[] = []
  const segments = createLateSegments({
    add(all) {
      if (index.away) return Promise.reject(new Error('away'))
      index.added.push(...all.map(({ file }) => file).filter((file) => !index.rejected.has(file)))
      const outdated = all.filter(({ file }) => index.rejected.has(file))
      if (outdated.length > 0) segments.outdated(outdated)
      return Promise.resolve()
    },
    quarantine: ({ file }) => Promise.resolve(void quarantined.push(file)),
    clock,
    log: silent,
  })
  return { clock, index, quarantined, segments }
}

test('[NODE-2] a late segment is indexed as soon as it can be, and quarantined if it overlaps another owner’s', async () => {
  const { clock, index, quarantined, segments } = late()
  index.rejected = new Set(['soon', 'never'])
  segments.outdated([segment('soon'), segment('never')])
  await clock.advance(60_000)
  expect([index.added, quarantined]).toEqual([[], []])
  index.rejected.delete('soon')
  await clock.advance(20_000)
  expect([index.added, quarantined]).toEqual([['soon'], []])
  await clock.advance(20_000)
  expect([index.added, quarantined]).toEqual([['soon'], ['never']])
  await clock.advance(600_000)
  expect([index.added, quarantined]).toEqual([['soon'], ['never']])
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

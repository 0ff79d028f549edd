import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { ReportingRun } from './cluster-store.sql.ts'
import { awaitOtherRuns } from './other-runs.ts'

const here = { id: 'here', name: 'cellar', run: 'before', seenAt: 100_000, now: 100_000, isStopped: false }
const volume = { id: 'other', name: 'attic', run: 'another', seenAt: 100_000, now: 100_000, isStopped: false }

/**
 * A start, and what the database shows a time after it began.
 *
 * @param read gets milliseconds since the start
 */
function starting(read: (elapsed: number) => ReportingRun[]) {
  const clock = createTestClock()
  const began = clock.elapsed()
  const runsOf = () => Promise.resolve(read(clock.elapsed() - began))
  const done = awaitOtherRuns({ store: { runsOf }, instance: 'here', volume: 'disk', clock, log: silent }).then(
    (run) => ({ run, after: clock.elapsed() - began }),
    (error: Error) => ({ error, after: clock.elapsed() - began }),
  )
  return { clock, done }
}
const startedWith = async (read: (elapsed: number) => ReportingRun[]) => {
  const { clock, done } = starting(read)
  await clock.advance(60_000)
  return done
}

test.each([
  ['none', () => []],
  ['one that was stopped', () => [{ ...here, isStopped: true }]],
  ['one that has not reported for long', () => [{ ...here, now: 106_000 }]],
  ['none of this instance, and one that was stopped with its volume', () => [{ ...volume, isStopped: true }]],
] as [string, () => ReportingRun[]][])('a start waits for no earlier run: %s', async (_name, read) => {
  expect(await startedWith(read)).toEqual({ run: read().find(({ id }) => id === 'here')?.run ?? null, after: 0 })
})

test('a start waits for the lease of a run that was killed, and replaces it', async () => {
  expect(await startedWith((elapsed) => [{ ...here, now: 101_500 + elapsed }])).toEqual({ run: 'before', after: 4500 })
  // It had sent a report, which is committed later.
  expect(
    await startedWith((elapsed) => [{ ...here, seenAt: elapsed < 1000 ? 100_000 : 102_000, now: 101_500 + elapsed }]),
  ).toEqual({ run: 'before', after: 6500 })
  // After a failover, the clock of the database is behind.
  expect(await startedWith((elapsed) => [{ ...here, now: 5000 + elapsed }])).toEqual({ run: 'before', after: 6000 })
})

/** Reports every two seconds. */
const renewed = (elapsed: number) => ({ seenAt: 100_000 + Math.floor(elapsed / 2000) * 2000, now: 100_500 + elapsed })

test('[NODE-2] a start with the id of an instance that goes on running is refused, and names the copied file', async () => {
  expect(await startedWith((elapsed) => [{ ...here, ...renewed(elapsed) }])).toMatchObject({
    error: { status: 1, message: expect.stringMatching(/\(cellar\).* \.instance/) as string },
    after: 12_000,
  })
  expect(await startedWith((elapsed) => [{ ...volume, ...renewed(elapsed) }])).toMatchObject({
    error: { status: 1, message: expect.stringMatching(/\(attic\).*\.library/) as string },
    after: 12_000,
  })
})

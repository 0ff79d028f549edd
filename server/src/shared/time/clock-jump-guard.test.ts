import { expect, test } from 'vitest'
import { createClockJumpGuard } from './clock-jump-guard.ts'
import { silent } from '../../../test/support/null-log.ts'

const hour = 60 * 60_000

test('a clock change is logged once, for any number of callers, and nothing is removed by age for an hour', () => {
  let [now, elapsed] = [0, 0]
  const warnings: object[] = []
  const isClockTrusted = createClockJumpGuard(
    { now: () => now, elapsed: () => elapsed },
    { ...silent, warn: (values) => void warnings.push(values) },
  )
  expect([isClockTrusted(), isClockTrusted()]).toEqual([true, true])
  now += 5 * hour
  // Recordings ask, then review.
  expect([isClockTrusted(), isClockTrusted()]).toEqual([false, false])
  expect(warnings).toEqual([{ shift_seconds: 5 * 3600 }])
  now += hour
  elapsed += hour
  expect([isClockTrusted(), isClockTrusted()]).toEqual([true, true])
  expect(warnings).toHaveLength(1)
})

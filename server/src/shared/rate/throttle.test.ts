import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { throttle } from './throttle.ts'

test('the first call runs at once, those soon after become one, and the last is never lost', async () => {
  const clock = createTestClock()
  const runs: number[] = []
  const call = throttle(() => runs.push(clock.elapsed()), 100, clock)
  const began = clock.elapsed()
  for (let index = 0; index < 50; index++) {
    call()
    await clock.advance(5)
  }
  await clock.advance(1000)
  expect(runs.map((at) => at - began)).toEqual([0, 100, 200, 300])
  call()
  expect(runs.at(-1)).toBe(clock.elapsed())
})

test('a stopped one drops the call that waits', async () => {
  const clock = createTestClock()
  let runs = 0
  const call = throttle(() => runs++, 100, clock)
  call()
  call()
  call.stop()
  await clock.advance(1000)
  expect([runs, clock.pending()]).toEqual([1, 0])
})

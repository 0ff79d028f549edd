import { expect, test } from 'vitest'
import { createProcessorUse, type ProcessorTimes } from './processor-use.ts'

/** One processor, used and idle for so many milliseconds. */
const processor = (user: number, idle: number): ProcessorTimes => ({ times: { user, sys: 0, idle } })

test.each<[what: string, before: ProcessorTimes[], after: ProcessorTimes[], percent: number | null]>([
  ['nothing runs', [processor(100, 100)], [processor(100, 2100)], 0],
  ['everything runs', [processor(100, 100)], [processor(2100, 100)], 100],
  ['one of two', [processor(0, 0), processor(0, 0)], [processor(1000, 0), processor(0, 1000)], 50],
  ['a quarter', [processor(0, 0)], [processor(500, 1500)], 25],
  ['no time has passed', [processor(5, 5)], [processor(5, 5)], null],
  ['a processor was taken away', [processor(500, 500), processor(500, 500)], [processor(600, 500)], null],
  ['the idle time goes back', [processor(0, 1000)], [processor(2000, 900)], 100],
])('%s', (_what, before, after, percent) => {
  const readings = [before, after]
  const use = createProcessorUse(() => readings.shift() ?? [])
  expect(use()).toBeNull()
  expect(use()).toBe(percent)
})

test('what was long ago no longer counts', () => {
  let [user, idle] = [0, 0]
  const use = createProcessorUse(() => [processor(user, idle)])
  use()
  for (let report = 0; report < 15; report += 1) {
    user += 2000
    use()
  }
  expect(use()).toBe(100)
  for (let report = 0; report < 15; report += 1) {
    idle += 2000
    use()
  }
  expect(use()).toBe(0)
})

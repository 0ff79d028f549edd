import { expect, test, vi } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { systemClock } from './clock.ts'

const aborted = (): AbortSignal => AbortSignal.abort()

test.each([
  ['the system clock', systemClock],
  ['a test clock that runs', createTestClock({ runs: true })],
])('%s runs its timers in real time, and stops them', async (_name, clock) => {
  const events: string[] = []
  const stop = clock.every(5, () => void events.push('every'))
  clock.after(1, () => void events.push('never'))()
  await new Promise<void>((resolve) => void clock.after(12, resolve))
  stop()
  const counted = events.length
  expect(new Set(events)).toEqual(new Set(['every']))
  await clock.sleep(15)
  expect(events).toHaveLength(counted)
})

test.each([
  ['the system clock', systemClock],
  ['a test clock', createTestClock()],
])('sleep of %s ends with the signal, and does not fail', async (_name, clock) => {
  await clock.sleep(60_000, aborted())
  const ending = new AbortController()
  const asleep = clock.sleep(60_000, ending.signal)
  ending.abort()
  await asleep
})

test('a test clock runs each timer at its own time, in order', async () => {
  const clock = createTestClock({ now: 0 })
  const events: string[] = []
  const note = (name: string) => () => void events.push(`${name} ${clock.now()}`)
  clock.after(30, note('late'))
  clock.every(20, note('every'))
  clock.after(10, note('early'))
  await clock.advance(40)
  expect(events).toEqual(['early 10', 'every 20', 'late 30', 'every 40'])
  expect([clock.now(), clock.elapsed()]).toEqual([40, 40])
})

test('a test clock lets a loop that sleeps continue at each of its times', async () => {
  const clock = createTestClock({ now: 0 })
  const times: number[] = []
  const loop = async (): Promise<void> => {
    for (;;) {
      times.push(clock.now())
      await clock.sleep(100)
    }
  }
  void loop()
  await clock.advance(250)
  expect(times).toEqual([0, 100, 200])
})

test('a test clock that runs can be moved forward as well', async () => {
  const clock = createTestClock({ runs: true })
  const work = vi.fn<() => void>()
  const before = clock.now()
  clock.every(1000, work)
  await clock.advance(3_600_000)
  expect(work).toHaveBeenCalledTimes(3600)
  expect(clock.now() - before).toBeGreaterThanOrEqual(3_600_000)
  expect(clock.now() - before).toBeLessThan(3_660_000)
})

test('a test clock that skips an hour runs each timer that became due once, and then those of the last ten seconds', async () => {
  const clock = createTestClock({ now: 0 })
  const events: string[] = []
  const note = (name: string) => () => void events.push(`${name} ${clock.now() / 1000}`)
  clock.every(4_000, note('every'))
  clock.after(60_000, note('late'))
  clock.after(3_598_000, note('at its time'))
  clock.after(3_601_000, note('never'))
  await clock.skip(3_600_000)
  expect(events).toEqual(['every 3590', 'late 3590', 'every 3594', 'every 3598', 'at its time 3598'])
  expect(clock.now()).toBe(3_600_000)
  await clock.skip(500)
  expect(clock.now()).toBe(3_600_500)
})

test('the wall time of a test clock can jump; its timers do not notice', async () => {
  const clock = createTestClock({ now: 1000 })
  const work = vi.fn<() => void>()
  clock.after(10, work)
  clock.setWallTime(5_000_000)
  expect([clock.now(), clock.elapsed()]).toEqual([5_000_000, 0])
  await clock.advance(9)
  expect(work).not.toHaveBeenCalled()
  await clock.advance(1)
  expect([work.mock.calls.length, clock.now()]).toEqual([1, 5_000_010])
})

test('the system clock takes a time that is over as now, without a warning of Node.js', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  await systemClock.sleep(-1)
  await new Promise<void>((resolve) => void systemClock.after(-0.5, resolve))
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

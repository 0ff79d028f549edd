import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createStallWatchdog } from './stall-watchdog.ts'
import { wait } from '../../test/support/wait.ts'

function timeout(milliseconds: number) {
  const silent = vi.fn<() => void>()
  const made = createStallWatchdog(milliseconds, silent)
  onTestFinished(() => made.end())
  return { ...made, silent }
}

/** Blocks this process, as on a machine that is busy with another one. */
const standStill = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

test('a stall is reported once', async () => {
  const { silent } = timeout(40)
  await expect.poll(() => silent.mock.calls.length).toBe(1)
  await wait(100, 'a second report would have come by then')
  expect(silent).toHaveBeenCalledTimes(1)
})

test('time in which this process was blocked is not a stall, and a reset that arrived then counts first', async () => {
  const { silent, reset } = timeout(100)
  for (let times = 0; times < 3; times++) {
    standStill(150)
    await turn()
    reset()
  }
  expect(silent).not.toHaveBeenCalled()
  await expect.poll(() => silent.mock.calls.length).toBe(1)
})

test.each([
  ['a timeout that is reset repeatedly', (made: ReturnType<typeof timeout>) => made.reset()],
  ['a timeout that has ended', (made: ReturnType<typeof timeout>) => made.end()],
])('%s is not a stall', (_what, meanwhile) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const made = timeout(1000)
  for (let passed = 0; passed < 5000; passed += 900) {
    vi.advanceTimersByTime(900)
    meanwhile(made)
  }
  expect(made.silent).not.toHaveBeenCalled()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pause } from './pause.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a pause that is over leaves no listener', async () => {
  const leave = new AbortController()
  const [add, remove] = (['addEventListener', 'removeEventListener'] as const).map((name) =>
    vi.spyOn(leave.signal, name),
  )
  const paused = pause(2000, leave.signal)
  await vi.advanceTimersByTimeAsync(2000)
  await paused
  expect(remove!.mock.calls).toEqual(add!.mock.calls)
})

test('a pause ends when it is aborted', async () => {
  const leave = new AbortController()
  const paused = pause(2000, leave.signal)
  leave.abort()
  await paused
  expect(vi.getTimerCount()).toBe(0)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { createSessionActivity, type Seen } from './session-activity.ts'

const minute = 60_000
const one: Seen = { id: 'one', lastSeenAt: 1, expiresAt: 10 }
const later: Seen = { ...one, lastSeenAt: 2 }
const two: Seen = { id: 'two', lastSeenAt: 1, expiresAt: 10 }

function world() {
  const clock = createTestClock()
  const touch = vi.fn((_seen: readonly Seen[], _now: number) => Promise.resolve())
  const deleteExpired = vi.fn((_before: number): Promise<readonly string[]> => Promise.resolve([]))
  const isClockTrusted = vi.fn(() => true)
  const written: Seen[] = []
  const deleted: string[] = []
  const activity = createSessionActivity({
    store: { touch, deleteExpired },
    onWritten: (seen) => void written.push(seen),
    onDeleted: (ids) => void deleted.push(...ids),
    isClockTrusted,
    clock,
    log: silent,
  })
  onTestFinished(() => activity.stop())
  return { ...activity, clock, touch, deleteExpired, isClockTrusted, written, deleted }
}

test('activity is written once, in one batch per minute', async () => {
  const { queue, unwritten, clock, touch, written } = world()
  for (const seen of [one, later, two]) queue(seen)
  expect(unwritten('one')).toEqual(later)
  await clock.advance(minute - 1)
  expect(touch).not.toHaveBeenCalled()
  await clock.advance(1)
  expect(touch.mock.calls).toEqual([[[later, two], clock.now()]])
  expect([written, unwritten('one')]).toEqual([[later, two], undefined])
  await clock.advance(2 * minute)
  expect(touch).toHaveBeenCalledTimes(1)
})

test('what a failed write contained is written with the next one, unless it is older', async () => {
  const { queue, flush, touch, written } = world()
  for (const seen of [one, two]) queue(seen)
  touch.mockImplementationOnce(() => {
    queue(later)
    return Promise.reject(new Error('locked'))
  })
  await flush()
  expect(written).toEqual([])
  await flush()
  expect(written).toEqual([later, two])
})

test('[TOK-7] the activity of a deleted session is not written', async () => {
  const { queue, forget, flush, touch } = world()
  queue(one)
  forget('one')
  await flush()
  expect(touch).not.toHaveBeenCalled()
})

test('expired sessions are deleted once an hour, ten minutes after their expiry', async () => {
  const { clock, deleteExpired } = world()
  await clock.advance(60 * minute - 1)
  expect(deleteExpired).not.toHaveBeenCalled()
  await clock.advance(1)
  expect(deleteExpired.mock.calls).toEqual([[clock.now() - 10 * minute]])
  await clock.advance(60 * minute - 1)
  expect(deleteExpired).toHaveBeenCalledTimes(1)
  await clock.advance(1)
  expect(deleteExpired).toHaveBeenCalledTimes(2)
})

test('[TOK-6] expired sessions are deleted until there are none, and what is deleted is reported', async () => {
  const { clock, deleteExpired, deleted } = world()
  deleteExpired.mockResolvedValueOnce(['one', 'two']).mockResolvedValueOnce(['three'])
  await clock.advance(60 * minute)
  await vi.waitFor(() => expect(deleteExpired).toHaveBeenCalledTimes(3), 20_000)
  expect(deleted).toEqual(['one', 'two', 'three'])
  expect(new Set(deleteExpired.mock.calls.flat())).toEqual(new Set([clock.now() - 10 * minute]))
})

test('[TOK-6] expired sessions that are deleted before a failure are reported', async () => {
  const { clock, deleteExpired, deleted } = world()
  deleteExpired.mockResolvedValueOnce(['one']).mockRejectedValueOnce(new Error('locked'))
  await clock.advance(60 * minute)
  await vi.waitFor(() => expect(deleteExpired).toHaveBeenCalledTimes(2), 20_000)
  expect(deleted).toEqual(['one'])
})

test('no session is deleted by a clock that was set; it is once the clock is trusted again', async () => {
  const { clock, deleteExpired, isClockTrusted } = world()
  isClockTrusted.mockReturnValue(false)
  await clock.advance(90 * minute)
  expect(deleteExpired).not.toHaveBeenCalled()
  isClockTrusted.mockReturnValue(true)
  await clock.advance(minute)
  expect(deleteExpired).toHaveBeenCalledTimes(1)
  await clock.advance(59 * minute)
  expect(deleteExpired).toHaveBeenCalledTimes(1)
})

test('a stop ends the timer, waits for a deletion and writes what is left', async () => {
  const { queue, stop, clock, touch, deleteExpired } = world()
  const deletion = Promise.withResolvers<string[]>()
  deleteExpired.mockReturnValueOnce(deletion.promise)
  await clock.advance(60 * minute)
  queue(one)
  let isStopped = false
  const stopping = stop().then(() => (isStopped = true))
  expect(clock.pending()).toBe(0)
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  deletion.resolve([])
  await stopping
  expect(touch.mock.calls).toEqual([[[one], clock.now()]])
})

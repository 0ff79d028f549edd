import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { Tables } from '../tables.ts'
import { ownAnnouncements } from './own-announcements.ts'

function announcements() {
  const clock = createTestClock()
  const own = ownAnnouncements(clock)
  const delivered: number[] = []
  const begin = () => {
    const within = {} as Transaction<Tables>
    return { within, number: own.numberOf(within) }
  }
  const receive = (number: number) => own.received(number, () => void delivered.push(number))
  return { clock, own, delivered, begin, receive }
}

test('each transaction has one number', () => {
  const { own, begin } = announcements()
  const [one, other] = [begin(), begin()]
  expect(other.number).not.toBe(one.number)
  expect(own.numberOf(one.within)).toBe(one.number)
})

test('[ROLE-10] an announcement of this instance is delivered to itself only if its commit was not acknowledged', async () => {
  const { clock, own, delivered, begin, receive } = announcements()
  const [committed, failed] = [begin(), begin()]
  own.ended(committed.within, true)
  own.ended(failed.within, false)
  receive(committed.number)
  receive(failed.number)
  expect(delivered).toEqual([failed.number])
  await clock.advance(1000)
  expect(delivered).toEqual([failed.number])
})

test('[ROLE-10] an acknowledgment can be a little later than its announcement', async () => {
  const { clock, own, delivered, begin, receive } = announcements()
  const [soon, failing, never] = [begin(), begin(), begin()]
  for (const { number } of [soon, failing, never]) receive(number)
  own.ended(soon.within, true)
  own.ended(failing.within, false)
  await clock.advance(99)
  expect(delivered).toEqual([])
  await clock.advance(1)
  expect(delivered).toEqual([failing.number, never.number])
  expect(clock.pending()).toBe(0)
})

test('only the last thousand transactions are remembered: an announcement of an earlier one is delivered', async () => {
  const { clock, own, delivered, begin, receive } = announcements()
  const many = Array.from({ length: 1001 }, begin)
  for (const { within } of many) own.ended(within, true)
  for (const { number } of many) receive(number)
  await clock.advance(1000)
  expect(delivered).toEqual([many[0]!.number])
})

test('stopped, it delivers nothing more', async () => {
  const { clock, own, delivered, begin, receive } = announcements()
  receive(begin().number)
  own.stop()
  await clock.advance(1000)
  expect([delivered, clock.pending()]).toEqual([[], 0])
})

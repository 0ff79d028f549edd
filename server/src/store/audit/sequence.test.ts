import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { auditSequence } from './sequence.ts'
import type { Tables } from '../tables.ts'

/** A transaction on a database without rows. */
const transaction = (): Transaction<Tables> => {
  const query: object = new Proxy(() => query, {
    get: (_target, name) => {
      if (name === 'executeTakeFirstOrThrow') return () => Promise.resolve({})
      return name === 'execute' ? () => Promise.resolve([]) : () => query
    },
  })
  return query as Transaction<Tables>
}

test('[AUD-7] a number counts as settled once no transaction with a lower one is running', async () => {
  const sequence = auditSequence()
  const [slow, fast, failed] = [transaction(), transaction(), transaction()]
  expect(sequence.next(slow)).toBeNull()
  await sequence.start('one', transaction())
  expect([sequence.next(slow), sequence.next(fast), sequence.next(slow), sequence.next(failed)]).toEqual([1, 2, 3, 4])
  expect(sequence.settled()).toBe(0)
  expect(sequence.ended(fast)).toBe(true)
  expect(sequence.settled()).toBe(0)
  sequence.ended(slow)
  expect(sequence.settled()).toBe(3)
  sequence.ended(failed)
  expect(sequence.settled()).toBe(4)
  expect(sequence.ended(transaction())).toBe(false)
})

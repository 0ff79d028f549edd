import { expect, test } from 'vitest'
import { createBus } from './bus.ts'

test('an error of a subscriber is logged, and the other subscribers get the message', () => {
  const failures: unknown[] = []
  const received: string[] = []
  const bus = createBus<string>({ error: ({ err }: { err?: unknown }) => void failures.push(err) })
  const broken = new Error('broken')
  bus.subscribe((message) => void received.push(`first ${message}`))
  bus.subscribe(() => {
    throw broken
  })
  const end = bus.subscribe((message) => void received.push(`third ${message}`))
  bus.publish('one')
  end()
  bus.publish('two')
  expect(received).toEqual(['first one', 'third one', 'first two'])
  expect(failures).toEqual([broken, broken])
})

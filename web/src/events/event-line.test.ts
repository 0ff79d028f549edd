import { expect, test } from 'vitest'
import { eventFrom } from './event-line.ts'

test('known events are parsed', () => {
  const event = { type: 'camera', camera: 'yard', state: 'online', recording: true }
  expect(eventFrom(JSON.stringify(event))).toEqual(event)
  expect(eventFrom('{"type":"access"}')).toEqual({ type: 'access' })
  expect(eventFrom('{"type":"session-ended"}')).toBe('session-ended')
})

test.each([['{"type":"weather"}'], ['{}'], ['null'], ['7'], ['{'], [new ArrayBuffer(2)]])(
  'anything else is ignored: %s',
  (data) => {
    expect(eventFrom(data)).toBeUndefined()
  },
)

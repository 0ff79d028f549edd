import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { innerStream } from './inner-body.ts'

test('a client that leaves ends the request to the other instance, also while nothing comes', async () => {
  const [body, clock] = [new PassThrough(), createTestClock()]
  const stream = innerStream({ body }, clock)
  body.write('first')
  await once(stream, 'data')
  await expect.poll(() => clock.pending()).toBe(1)
  const closed = once(stream, 'close')
  stream.destroy()
  expect(body.destroyed).toBe(true)
  await closed
  expect(clock.pending()).toBe(0)
})

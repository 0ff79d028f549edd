import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { createFrameParser, type FrameMessage } from '../../shared/cluster/message-frames.ts'
import { createInnerViewer } from './inner-viewer.ts'

test('an instance gets what a viewer gets, and empty messages in between', async () => {
  const clock = createTestClock()
  const body = new PassThrough()
  const viewer = createInnerViewer(body, clock)
  const got: FrameMessage[] = []
  body.on(
    'data',
    createFrameParser((message) => got.push(message)),
  )
  viewer.send('{"mime":"a"}')
  viewer.send(Buffer.from([1, 2]))
  await clock.advance(4_000)
  expect(got).toEqual(['{"mime":"a"}', Buffer.from([1, 2]), '', ''])
  expect(viewer.waiting).toBe(0)
})

test('what is sent to a viewer that was closed is left out; its body ends', async () => {
  const clock = createTestClock()
  const body = new PassThrough()
  const viewer = createInnerViewer(body, clock)
  let left = 0
  viewer.onClose(() => left++)
  viewer.send('a')
  viewer.close(1001, 'moved')
  viewer.close(1001, 'moved')
  viewer.send('b')
  const got: FrameMessage[] = []
  for await (const chunk of body) createFrameParser((message) => got.push(message))(chunk as Buffer)
  expect(got).toEqual(['a'])
  expect(left).toBe(1)
  expect(clock.pending()).toBe(0)
})

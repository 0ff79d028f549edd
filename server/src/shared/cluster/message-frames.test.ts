import { expect, test } from 'vitest'
import { createFrameParser, encodeFrame, FrameError, frameLimits, type FrameMessage } from './message-frames.ts'

const messages: FrameMessage[] = [
  '{"mime":"video/mp4"}',
  Buffer.from([0, 1, 2]),
  '',
  Buffer.alloc(0),
  'größer',
  Buffer.alloc(70_000, 7),
]
const bytes = Buffer.concat(messages.map(encodeFrame))

test.each([1, 2, 5, 6, 1000, bytes.length])('messages are the same in chunks of %d bytes', (size) => {
  const received: FrameMessage[] = []
  const parse = createFrameParser((message) => received.push(message))
  for (let at = 0; at < bytes.length; at += size) parse(bytes.subarray(at, at + size))
  expect(received).toEqual(messages)
})

const head = (kind: number, length: number): Buffer => {
  const frame = Buffer.alloc(5)
  frame[0] = kind
  frame.writeUInt32BE(length, 1)
  return frame
}

test.each([
  ['an unknown kind', head(3, 0)],
  ['kind 0', head(0, 5)],
  ['a text that is too long', head(1, frameLimits.text + 1)],
  ['bytes that are too many', head(2, frameLimits.bytes + 1)],
  ['HTTP', Buffer.from('HTTP/1.1 200 OK\r\n')],
])('a stream with %s is rejected before anything of it is kept', (_what, chunk) => {
  const parse = createFrameParser(() => expect.unreachable())
  expect(() => parse(chunk)).toThrow(FrameError)
})

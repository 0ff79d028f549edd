import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createTestClock } from '../../test/support/test-clock.ts'
import { keepAlive } from './keep-alive.ts'

/** What a connection has queued, and has sent, at a ping. */
type At = readonly [waiting: number, sent: number]

test.each<[what: string, isOpen: boolean, first: At, second: At]>([
  ['nothing queued', false, [0, 0], [0, 0]],
  ['nothing queued, and data that the kernel took', false, [0, 0], [0, 9]],
  ['data queued that is being sent', true, [9, 0], [9, 5]],
  ['data queued whose rest was sent', true, [9, 0], [0, 9]],
  ['data queued after a part was sent', true, [0, 0], [9, 5]],
  ['data queued that stays', false, [9, 5], [9, 5]],
])('a WebSocket that answers no ping stays open with %s: %s', async (_what, isOpen, first, second) => {
  const clock = createTestClock()
  const connection = { bytesWritten: 0, writableLength: 0 }
  const ended: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    ping: () => undefined,
    terminate: () => void ended.push('terminated'),
  })
  keepAlive(socket as unknown as WebSocket, connection as Socket, clock)
  for (const [waiting, sent] of [first, second]) {
    socket.bufferedAmount = waiting
    connection.bytesWritten = sent
    await clock.advance(30_000)
  }
  expect(ended).toEqual(isOpen ? [] : ['terminated'])
  socket.emit('close')
  expect(clock.pending()).toBe(0)
})

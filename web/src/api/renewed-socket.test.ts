import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { openRenewedSocket, renewAfter, setRecheckInterval, type RenewedSocketProps } from './renewed-socket.ts'

const interval = 300

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all = []
  setRecheckInterval(interval)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function opened(takesOver: RenewedSocketProps['takesOver'] = 'at-first-message') {
  const happened: string[] = []
  const socket = openRenewedSocket({
    url: new URL('ws://camera.example/'),
    takesOver,
    onOpen: (opening) => happened.push(opening),
    onMessage: (data) => happened.push(String(data)),
    onClose: (code, wasOpen) => happened.push(`closed ${code} ${wasOpen}`),
    onDoubt: () => happened.push('doubt'),
  })
  FakeSocket.all.at(-1)?.open()
  return { socket, happened }
}
const timePasses = () => vi.advanceTimersByTime(interval * 1000)
const nth = (at: number) => () => FakeSocket.all[at]!
const [first, second, third] = [nth(0), nth(1), nth(2)]

test('[PROXY-18] the next connection opens in time and takes over at its first message', () => {
  const { happened } = opened()
  first().receive('a')
  timePasses()
  expect(FakeSocket.all).toHaveLength(2)
  second().open()
  first().receive('b')
  expect(first().closed).toBe(false)
  second().receive('c')
  expect(first().closed).toBe(true)
  expect(happened).toEqual(['first', 'a', 'b', 'renewed', 'c'])
  timePasses()
  expect(FakeSocket.all).toHaveLength(3)
})

test('[PROXY-18] the next connection takes over once it is open', () => {
  const { happened } = opened('when-open')
  timePasses()
  second().open()
  expect(first().closed).toBe(true)
  second().receive('c')
  expect(happened).toEqual(['first', 'renewed', 'c'])
})

test('[PROXY-18] a refused renewal keeps the current connection and calls onDoubt', () => {
  const { happened } = opened()
  timePasses()
  second().end(1006)
  first().receive('a')
  expect(happened).toEqual(['first', 'doubt', 'a'])
})

test('[PROXY-18] a connection that the service ended is reopened immediately, and closed if that is refused', () => {
  const { happened } = opened()
  first().end(4408)
  expect(FakeSocket.all).toHaveLength(2)
  second().open()
  second().end(4408)
  third().end(1006)
  expect(happened).toEqual(['first', 'reopened', 'closed 1006 false'])
  timePasses()
  expect(FakeSocket.all).toHaveLength(3)
})

test('[PROXY-18] a connection that ends before the next sends anything still hands over to it', () => {
  const { happened } = opened()
  timePasses()
  second().open()
  first().end(4408)
  second().receive('c')
  expect(happened).toEqual(['first', 'renewed', 'c'])
  expect(FakeSocket.all).toHaveLength(2)
})

test('[PROXY-18] a connection that ends while the next is still opening leaves a gap', () => {
  const { happened } = opened('when-open')
  timePasses()
  first().end(4408)
  expect(happened).toEqual(['first'])
  second().open()
  second().receive('c')
  expect(happened).toEqual(['first', 'reopened', 'c'])
  expect(FakeSocket.all).toHaveLength(2)
})

test('any other close is reported, and a closed socket reports nothing more', () => {
  const { happened, socket } = opened()
  first().end(4403)
  expect(happened).toEqual(['first', 'closed 4403 true'])
  socket.close()
  timePasses()
  const other = opened()
  other.socket.close()
  timePasses()
  expect(other.happened).toEqual(['first'])
  expect(FakeSocket.all).toHaveLength(2)
})

test('[PROXY-18] without proxy sign-in, nothing is renewed', () => {
  setRecheckInterval(null)
  opened()
  timePasses()
  expect(FakeSocket.all).toHaveLength(1)
})

test.each([
  [300, 0, 180_000],
  [300, 1, 255_000],
  [1, 1, 850],
])('[PROXY-18] an interval of %d s with random factor %d renews after %d ms', (seconds, chance, milliseconds) => {
  expect(renewAfter(seconds, chance)).toBe(milliseconds)
})

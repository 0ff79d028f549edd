import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRenewedSocket, renewAfter, setRecheckInterval, type RenewedSocketProps } from './renewed-socket.ts'

/** A fake socket that the test controls. */
class Socket extends EventTarget {
  static readonly OPEN = 1
  static all: Socket[] = []
  readyState = 0
  closed = false
  constructor() {
    super()
    Socket.all.push(this)
  }
  opens() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  says(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  ends(code: number) {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  close() {
    this.closed = true
    this.ends(1000)
  }
}

const interval = 300

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  Socket.all = []
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
    onOpen: (again) => happened.push(again ? 'open again' : 'open'),
    onMessage: (data) => happened.push(String(data)),
    onClose: (code, wasOpen) => happened.push(`closed ${code} ${wasOpen}`),
    onDoubt: () => happened.push('doubt'),
  })
  Socket.all.at(-1)?.opens()
  return { socket, happened }
}
const timePasses = () => vi.advanceTimersByTime(interval * 1000)
const nth = (at: number) => () => Socket.all[at]!
const [first, second, third] = [nth(0), nth(1), nth(2)]

test('[PROXY-18] the next connection opens in time and takes over at its first message', () => {
  const { happened } = opened()
  first().says('a')
  timePasses()
  expect(Socket.all).toHaveLength(2)
  second().opens()
  first().says('b')
  expect(first().closed).toBe(false)
  second().says('c')
  expect(first().closed).toBe(true)
  expect(happened).toEqual(['open', 'a', 'b', 'open again', 'c'])
  timePasses()
  expect(Socket.all).toHaveLength(3)
})

test('[PROXY-18] the next connection takes over once it is open', () => {
  const { happened } = opened('when-open')
  timePasses()
  second().opens()
  expect(first().closed).toBe(true)
  second().says('c')
  expect(happened).toEqual(['open', 'open again', 'c'])
})

test('[PROXY-18] a refused renewal keeps the current connection and calls onDoubt', () => {
  const { happened } = opened()
  timePasses()
  second().ends(1006)
  first().says('a')
  expect(happened).toEqual(['open', 'doubt', 'a'])
})

test('[PROXY-18] a connection that the service ended is reopened immediately, and closed if that is refused', () => {
  const { happened } = opened()
  first().ends(4408)
  expect(Socket.all).toHaveLength(2)
  second().opens()
  second().ends(4408)
  third().ends(1006)
  expect(happened).toEqual(['open', 'open again', 'closed 1006 false'])
  timePasses()
  expect(Socket.all).toHaveLength(3)
})

test('[PROXY-18] a connection that ends before the next sends anything still hands over to it', () => {
  const { happened } = opened()
  timePasses()
  second().opens()
  first().ends(4408)
  second().says('c')
  expect(happened).toEqual(['open', 'open again', 'c'])
  expect(Socket.all).toHaveLength(2)
})

test('any other close is reported, and a closed socket reports nothing more', () => {
  const { happened, socket } = opened()
  first().ends(4403)
  expect(happened).toEqual(['open', 'closed 4403 true'])
  socket.close()
  timePasses()
  const other = opened()
  other.socket.close()
  timePasses()
  expect(other.happened).toEqual(['open'])
  expect(Socket.all).toHaveLength(2)
})

test('[PROXY-18] without proxy sign-in, nothing is renewed', () => {
  setRecheckInterval(null)
  opened()
  timePasses()
  expect(Socket.all).toHaveLength(1)
})

test.each([
  [300, 0, 180_000],
  [300, 1, 255_000],
  [1, 1, 850],
])('[PROXY-18] an interval of %d s with random factor %d renews after %d ms', (seconds, chance, milliseconds) => {
  expect(renewAfter(seconds, chance)).toBe(milliseconds)
})

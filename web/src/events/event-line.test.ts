import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { setRecheckInterval } from '../api/renewed-socket.ts'
import { eventFrom, openEventLine } from './event-line.ts'

/** A page whose visibility the test changes. */
class Page extends EventTarget {
  visibilityState = 'visible'
  pictureInPictureElement: object | null = null
  becomes(state: 'visible' | 'hidden') {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}
let page: Page
let browser: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  page = new Page()
  browser = new EventTarget()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', browser)
  FakeSocket.all = []
  setRecheckInterval(null)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function line() {
  const happened: string[] = []
  const stop = openEventLine({
    url: new URL('ws://camera.example/'),
    onEvent: ({ type }) => happened.push(type),
    onUp: (again) => happened.push(again ? 'again' : 'up'),
    onRenewed: () => happened.push('renewed'),
    onDown: () => happened.push('down'),
    onSessionEnded: () => happened.push('ended'),
    onDoubt: () => happened.push('doubt'),
  })
  return { happened, stop }
}
const socket = () => FakeSocket.all.at(-1)!
/** Longer than any wait before a reconnect. */
const later = 120_000

test('a lost connection is reopened, and events in between were missed', () => {
  const { happened } = line()
  socket().open()
  socket().end(1006)
  vi.advanceTimersByTime(later)
  expect(FakeSocket.all).toHaveLength(2)
  socket().open()
  socket().receive('{"type":"access"}')
  expect(happened).toEqual(['up', 'down', 'again', 'access'])
})

test('[PROXY-18] events between an end by the service and the next connection were missed', () => {
  const { happened } = line()
  socket().open()
  socket().end(4408)
  socket().open()
  expect(happened).toEqual(['up', 'again'])
})

test('[PROXY-18] a connection that is renewed in time misses no event', () => {
  setRecheckInterval(300)
  const { happened } = line()
  socket().open()
  vi.advanceTimersByTime(300_000)
  socket().open()
  expect(happened).toEqual(['up', 'renewed'])
})

test('while the service is unavailable, retries are further and further apart, and doubted once', () => {
  const { happened } = line()
  const waits = Array.from({ length: 4 }, () => {
    const before = FakeSocket.all.length
    socket().end(1006)
    let waited = 0
    while (FakeSocket.all.length === before) {
      vi.advanceTimersByTime(100)
      waited += 100
    }
    return waited
  })
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
  expect(waits[3]).toBeGreaterThan(waits[0]!)
  expect(happened.filter((each) => each === 'doubt')).toHaveLength(1)
})

test('a connection that is forbidden is doubted, and one without a session is not reopened', () => {
  const { happened } = line()
  socket().open()
  socket().end(4403)
  expect(happened).toEqual(['up', 'down', 'doubt'])
  vi.advanceTimersByTime(later)
  socket().open()
  socket().end(4401)
  vi.advanceTimersByTime(later)
  expect(happened.slice(3)).toEqual(['again', 'down', 'ended'])
  expect(FakeSocket.all).toHaveLength(2)
})

test('a hidden page closes the connection after a while, and a shown page opens it', () => {
  const { happened } = line()
  socket().open()
  page.becomes('hidden')
  vi.advanceTimersByTime(299_000)
  expect(happened).toEqual(['up'])
  vi.advanceTimersByTime(1000)
  expect(happened).toEqual(['up', 'down'])
  vi.advanceTimersByTime(later)
  expect(FakeSocket.all).toHaveLength(1)
  page.becomes('visible')
  socket().open()
  expect(happened).toEqual(['up', 'down', 'again'])
})

test('a hidden page with picture-in-picture keeps the connection', () => {
  const { happened } = line()
  socket().open()
  page.pictureInPictureElement = {}
  page.becomes('hidden')
  vi.advanceTimersByTime(400_000)
  expect(happened).toEqual(['up'])
  page.pictureInPictureElement = null
  vi.advanceTimersByTime(300_000)
  expect(happened).toEqual(['up', 'down'])
})

test('back online, a connection that looks open is replaced; a stopped line opens none', () => {
  const { happened, stop } = line()
  socket().open()
  browser.dispatchEvent(new Event('online'))
  expect(FakeSocket.all).toHaveLength(2)
  socket().open()
  stop()
  browser.dispatchEvent(new Event('online'))
  page.becomes('visible')
  expect(FakeSocket.all).toHaveLength(2)
  expect(happened).toEqual(['up', 'down', 'again', 'down'])
})

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

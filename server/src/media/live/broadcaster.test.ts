import { expect, test } from 'vitest'
import { createBroadcaster } from './broadcaster.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { Viewer } from './viewers.ts'

const initOf = (mime: string): InitSegment => ({ data: Buffer.from(`init ${mime}`), tracks: [], mime })

const fragment = (time: number, key = false, bytes = 0): Fragment => ({
  data: Buffer.concat([Buffer.from(`${key ? 'K' : 'p'}${time}`.padEnd(8)), Buffer.alloc(bytes)]),
  key,
  video: true,
  time,
  duration: 1,
  samples: 1,
  first: { start: 0, end: 0 },
})

interface FakeViewer extends Viewer {
  waiting: number
  readonly got: string[]
  readonly closed: string[]
  leave(): void
}

function viewer(): FakeViewer {
  const got: string[] = []
  const closed: string[] = []
  let left: (() => void) | undefined
  return {
    waiting: 0,
    got,
    closed,
    send: (data) => void got.push(typeof data === 'string' ? data : Buffer.from(data).toString('latin1', 0, 8).trim()),
    onClose: (done) => void (left = done),
    close: (code, reason) => void closed.push(`${code} ${reason}`),
    leave: () => left?.(),
  }
}

test('a viewer from the start gets everything, in order', () => {
  const broadcaster = createBroadcaster()
  const early = viewer()
  broadcaster.join(early, 'connecting', true)
  broadcaster.begin(initOf('a'))
  broadcaster.push(fragment(0, true), 0)
  broadcaster.push(fragment(1), 0)
  expect(early.got).toEqual(['connecting', '{"mime":"a"}', 'init a', 'K0', 'p1'])
})

test('a late viewer starts immediately, with the last key frame', () => {
  const broadcaster = createBroadcaster()
  broadcaster.begin(initOf('a'))
  for (const [time, key] of [
    [0, true],
    [1, false],
    [2, true],
    [3, false],
  ] as const)
    broadcaster.push(fragment(time, key), 0)
  const late = viewer()
  broadcaster.join(late, 'connecting', true)
  broadcaster.push(fragment(4), 0)
  expect(late.got).toEqual(['{"mime":"a"}', 'init a', 'K2', 'p3', 'p4'])
})

test('a slow viewer is sent nothing more until a key frame, and then continues from it', () => {
  const broadcaster = createBroadcaster()
  broadcaster.begin(initOf('a'))
  broadcaster.push(fragment(0, true), 0)
  const slow = viewer()
  const quick = viewer()
  broadcaster.join(slow, '', true)
  broadcaster.join(quick, '', true)
  slow.waiting = 2 << 20
  broadcaster.push(fragment(1), 0)
  broadcaster.push(fragment(2, true), 0)
  slow.waiting = 0
  broadcaster.push(fragment(3), 0)
  broadcaster.push(fragment(4, true), 0)
  broadcaster.push(fragment(5), 0)
  expect(slow.got.slice(2)).toEqual(['K0', 'K4', 'p5'])
  expect(quick.got.slice(2)).toEqual(['K0', 'p1', 'K2', 'p3', 'K4', 'p5'])
})

test('audio that arrived before its frame is sent with it to viewers who start there', () => {
  const broadcaster = createBroadcaster()
  broadcaster.begin(initOf('a'))
  broadcaster.push(fragment(0, true), 0)
  const slow = viewer()
  broadcaster.join(slow, '', true)
  slow.waiting = 2 << 20
  const audio = (time: number): Fragment => ({ ...fragment(time), video: false })
  for (const each of [audio(0), audio(1.5), fragment(2, true), audio(2.5)]) {
    if (each.key) slow.waiting = 0
    broadcaster.push(each, 0)
  }
  const late = viewer()
  broadcaster.join(late, '', true)
  expect(slow.got.slice(2)).toEqual(['K0', 'K2', 'p1.5', 'p2.5'])
  expect(late.got.slice(2)).toEqual(['K2', 'p1.5', 'p2.5'])
})

test('a stream that restarts is described again, and until then viewers get the reason', () => {
  const broadcaster = createBroadcaster()
  const one = viewer()
  broadcaster.begin(initOf('a'))
  broadcaster.push(fragment(0, true), 0)
  broadcaster.join(one, '', true)
  broadcaster.end('offline')
  expect(broadcaster.held).toBeUndefined()
  broadcaster.push(fragment(1, true), 0)
  broadcaster.begin(initOf('b'))
  broadcaster.push(fragment(0), 0)
  broadcaster.push(fragment(1, true), 0)
  expect(one.got).toEqual(['{"mime":"a"}', 'init a', 'K0', 'offline', '{"mime":"b"}', 'init b', 'K1'])
})

test('the data retained for late viewers is limited', () => {
  const broadcaster = createBroadcaster()
  broadcaster.begin(initOf('a'))
  broadcaster.push(fragment(0, true), 0)
  for (let i = 1; i < 20; i++) broadcaster.push(fragment(i / 10, false, 1 << 20), 0)
  const late = viewer()
  broadcaster.join(late, '', true)
  expect(late.got).toEqual(['{"mime":"a"}', 'init a'])
  broadcaster.push(fragment(3, true), 0)
  expect(late.got.at(-1)).toBe('K3')
})

test('a viewer who leaves is removed, and the others are notified when the camera is removed', () => {
  const broadcaster = createBroadcaster()
  const [one, two] = [viewer(), viewer()]
  broadcaster.join(one, '', true)
  broadcaster.join(two, '', true)
  one.leave()
  expect(broadcaster.viewers).toBe(1)
  broadcaster.close(1001, 'gone')
  expect([one.closed, two.closed]).toEqual([[], ['1001 gone']])
})

import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import {
  idleFrom,
  listedSegments,
  step,
  type LiveHlsEffect,
  type LiveHlsEvent,
  type LiveHlsState,
} from './live-hls-state.ts'

const requested: LiveHlsEvent = { kind: 'requested' }
const forgotten: LiveHlsEvent = { kind: 'forgotten' }
const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }
const begun: LiveHlsEvent = { kind: 'stream-began', init }
const ended: LiveHlsEvent = { kind: 'stream-ended' }

/** A frame of half a second. */
function frame(time: number, key: boolean, data = Buffer.from(`${time};`)): LiveHlsEvent {
  const rest = { key, video: true, time, duration: 0.5, samples: 1, first: { start: 0, end: 0 } }
  return { kind: 'fragment-arrived', fragment: { data, ...rest } satisfies Fragment, at: time * 1000 }
}
const key = (time: number): LiveHlsEvent => frame(time, true)
const other = (time: number): LiveHlsEvent => frame(time, false)
/** A key frame every second. */
const play = (from: number, to: number): LiveHlsEvent[] =>
  Array.from({ length: (to - from) * 2 }, (_, i) => frame(from + i / 2, i % 2 === 0))

/** The state after all events, and the effects of the last. */
function after(story: readonly LiveHlsEvent[]): { state: LiveHlsState; effects: readonly LiveHlsEffect[] } {
  let result: { state: LiveHlsState; effects: readonly LiveHlsEffect[] } = { state: idleFrom(100), effects: [] }
  for (const event of story) result = step(result.state, event, 2)
  return result
}
const stateOf = (state: LiveHlsState): string => (state.state === 'following' ? state.cutting.state : state.state)

const live: readonly LiveHlsEvent[] = [requested, begun]

test.each<[what: string, story: LiveHlsEvent[], state: string, effects: LiveHlsEffect['kind'][]]>([
  ['the first request', [requested], 'no-stream', ['follow-stream']],
  ['another request', [requested, requested], 'no-stream', []],
  ['a stream begins without a request', [begun], 'idle', []],
  ['a fragment without a stream', [requested, key(0)], 'no-stream', []],
  ['the stream begins', [...live], 'awaiting-key-frame', []],
  ['the first frame isn’t a key frame', [...live, other(0)], 'awaiting-key-frame', []],
  ['a key frame begins a segment', [...live, key(0)], 'in-segment', []],
  ['the next key frame ends the first segment', [...live, key(0), other(0.5), key(1)], 'in-segment', ['wake-requests']],
  ['a later segment lasts two seconds', [...live, ...play(0, 2), key(2)], 'in-segment', []],
  ['and ends at the next key frame', [...live, ...play(0, 3), key(3)], 'in-segment', ['wake-requests']],
  ['the stream ends', [...live, key(0), ended], 'no-stream', ['wake-requests']],
  ['another stream begins', [...live, key(0), begun], 'awaiting-key-frame', ['wake-requests']],
  ['requests end', [...live, ...play(0, 2), forgotten], 'idle', ['unfollow-stream', 'wake-requests']],
  ['they end again', [...live, forgotten, forgotten], 'idle', []],
  ['a segment without a key frame is discarded', [...live, key(0), other(20)], 'awaiting-key-frame', []],
  [
    'a segment that is too large is discarded',
    [...live, frame(0, true, Buffer.alloc((24 << 20) + 1))],
    'awaiting-key-frame',
    [],
  ],
])('%s', (_what, story, state, effects) => {
  const { state: reached, effects: made } = after(story)
  expect(stateOf(reached)).toBe(state)
  expect(made.map(({ kind }) => kind)).toEqual(effects)
})

test('numbers only grow, and a discontinuity is counted before the first segment after it', () => {
  const broken = after([...live, ...play(0, 4), begun, ...play(4, 8), ended]).state
  expect(listedSegments(broken).map(({ number, stream, breaks }) => [number, stream, breaks])).toEqual([
    [100, 101, 100],
    [101, 101, 100],
    [102, 101, 100],
    [103, 102, 101],
    [104, 102, 101],
  ])
  const again = after([...live, ...play(0, 4), forgotten, requested, begun, ...play(10, 12)]).state
  expect(listedSegments(again).map(({ number, stream, breaks }) => [number, stream, breaks])).toEqual([[102, 102, 101]])
})

test('the segments that a slow player needs are retained, with their init segments', () => {
  const { state } = after([...live, ...play(0, 10), begun, ...play(10, 60)])
  expect(state.state === 'following' && state.segments.length).toBe(13)
  expect(listedSegments(state)).toHaveLength(6)
  expect(state.state === 'following' && [...state.inits.keys()]).toEqual([102])
})

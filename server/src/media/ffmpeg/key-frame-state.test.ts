import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import { step, withoutStream, type KeyFrameEffect, type KeyFrameEvent, type KeyFrameState } from './key-frame-state.ts'
import { minInterval } from './gray-frames.ts'
import { streamProblem } from './reason.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const initOf = (name: string): InitSegment => ({ data: Buffer.from(name), tracks: [], mime: 'video/mp4' })
const begun = (name = 'one'): KeyFrameEvent => ({ kind: 'stream-began', init: initOf(name) })
const ended: KeyFrameEvent = { kind: 'stream-ended' }
const data = new Uint8Array(1)
const decoded = (decoder: number): KeyFrameEvent => ({ kind: 'frame-decoded', decoder, data })
const wait = 2000
const problem = streamProblem('unreadable-video')
const exited = (decoder: number): KeyFrameEvent => ({ kind: 'decoder-exited', decoder, problem, wait })
const abandoned = (hasComplained: boolean): KeyFrameEvent => ({ kind: 'decoder-abandoned', hasComplained, wait })

/** Apart from the time of the frame, which is estimated. */
const arrivalOf = (time: number): number => noon + time * 1000 + 7

function fragment(time: number, key: boolean, video = true): KeyFrameEvent {
  const data = Buffer.from(String(time))
  const rest = { key, video, time, duration: 0.1, samples: 1, first: { start: 0, end: 0 } }
  return { kind: 'fragment-arrived', fragment: { data, ...rest } satisfies Fragment, arrivedAt: arrivalOf(time) }
}
const key = (time: number): KeyFrameEvent => fragment(time, true)
const other = (time: number): KeyFrameEvent => fragment(time, false)

/** A number lets that many milliseconds pass. A fragment arrives at its time, if that is later. */
type Story = readonly (KeyFrameEvent | number)[]

/** The state after all events, and the effects of the last. */
function after(story: Story): { state: KeyFrameState; effects: readonly KeyFrameEffect[] } {
  let elapsed = 0
  let result: { state: KeyFrameState; effects: readonly KeyFrameEffect[] } = { state: withoutStream, effects: [] }
  for (const each of story) {
    if (typeof each === 'number') {
      elapsed += each
      continue
    }
    if (each.kind === 'fragment-arrived') elapsed = Math.max(elapsed, each.fragment.time * 1000)
    result = step(result.state, each, { now: noon + elapsed, elapsed }, minInterval)
  }
  return result
}

const brief = (effect: KeyFrameEffect): string => {
  switch (effect.kind) {
    case 'start-decoder':
      return `start ${effect.decoder} ${effect.init.data.toString()}`
    case 'feed-decoder':
      return `feed ${effect.data.toString()}`
    case 'emit-frame':
      return `emit ${effect.at - noon} of ${effect.arrivedAt - noon}`
    case 'report-problem':
      return `report ${effect.problem?.code ?? 'none'}`
    default:
      return effect.kind
  }
}
const stateOf = (state: KeyFrameState): string => (state.state === 'streaming' ? state.decoder.state : state.state)
const extras = (count: number): KeyFrameEvent[] => Array.from({ length: count }, (_, i) => other(0.1 * (i + 1)))

test.each<[what: string, story: Story, state: string, effects: string[]]>([
  ['a fragment without a stream', [key(0)], 'no-stream', []],
  ['the stream begins', [begun()], 'none', []],
  ['the first frame isn’t a key frame', [begun(), other(0)], 'none', []],
  ['a key frame starts a decoder', [begun(), key(0)], 'decoding', ['start 1 one', 'feed 0']],
  ['audio is not decoded', [begun(), fragment(0, true, false)], 'none', []],
  ['frames after the key frame help the decoder', [begun(), key(0), ...extras(8)], 'decoding', ['feed 0.8']],
  ['at most eight', [begun(), key(0), ...extras(9)], 'decoding', []],
  ['the frame is decoded', [begun(), key(0), decoded(1)], 'idle', ['emit -100 of 7']],
  ['an idle decoder needs no other frames', [begun(), key(0), decoded(1), other(0.1)], 'idle', []],
  ['it gets the next key frame', [begun(), key(0), decoded(1), key(1)], 'decoding', ['feed 1']],
  ['not one that comes too soon', [begun(), key(0), decoded(1), key(0.44)], 'idle', []],
  ['one after half a second is not too soon', [begun(), key(0), decoded(1), key(0.5)], 'decoding', ['feed 0.5']],
  ['a decoder that is busy is not disturbed', [begun(), key(0), key(1)], 'decoding', []],
  ['no output in time', [begun(), key(0), key(8)], 'none', ['abandon-decoder']],
  ['it did not complain', [begun(), key(0), key(8), abandoned(false)], 'none', ['report decoder-slow']],
  ['it complained', [begun(), key(0), key(8), abandoned(true)], 'none', ['report unreadable-video']],
  ['the decoder exits', [begun(), key(0), exited(1)], 'none', ['report unreadable-video']],
  ['no other starts before the wait is over', [begun(), key(0), exited(1), key(1)], 'none', []],
  ['the next starts after it', [begun(), key(0), exited(1), key(2)], 'decoding', ['start 2 one', 'feed 2']],
  ['an earlier decoder exits', [begun(), key(0), exited(1), key(2), exited(1)], 'decoding', []],
  ['output of an earlier decoder', [begun(), key(0), exited(1), key(2), decoded(1)], 'decoding', []],
  [
    'decoding works again',
    [begun(), key(0), exited(1), key(2), decoded(2)],
    'idle',
    ['report none', 'emit 1900 of 2007'],
  ],
  ['the stream continues with the same parameters', [begun(), key(0), decoded(1), begun()], 'idle', []],
  ['it continues with others', [begun(), key(0), begun('two')], 'none', ['stop-decoder']],
  ['the stream ends', [begun(), key(0), decoded(1), ended], 'no-stream', ['stop-decoder']],
  ['it ends without a decoder', [begun(), ended], 'no-stream', []],
  ['output after the end', [begun(), key(0), ended, decoded(1)], 'no-stream', []],
])('%s', (_what, story, state, effects) => {
  const { state: reached, effects: made } = after(story)
  expect(stateOf(reached)).toBe(state)
  expect(made.map(brief)).toEqual(effects)
})

/** Decoders that time out. */
const slow = (times: number): Story => Array.from({ length: times }, () => abandoned(false))

test('the timeout doubles each time up to its maximum, and starts again after a decoded frame', () => {
  expect([0, 1, 2, 3, 4].map((times) => after([begun(), ...slow(times)]).state.timeout)).toEqual([
    8000, 16_000, 32_000, 64_000, 64_000,
  ])
  const { state } = after([begun(), ...slow(3), wait, key(3), decoded(1)])
  expect(state).toMatchObject({ timeout: 8000, failures: 0 })
})

test('the interval is that of the last two key frames, and stays when the stream begins again', () => {
  expect(after([begun(), key(0)]).state.interval).toBeUndefined()
  expect(after([begun(), key(0), key(4), key(6)]).state.interval).toBe(2)
  expect(after([begun(), key(0), key(4), ended, begun(), key(5)]).state.interval).toBe(4)
})

/** The decoder has decoded as many key frames as one may. */
const worn: Story = [begun(), ...Array.from({ length: 10_000 }, (_, i) => [key(i), decoded(1)]).flat()]

test('a decoder that has decoded 10,000 key frames is replaced at the next one', () => {
  expect(after(worn.slice(0, -2)).effects.map(brief)).toEqual(['emit 9997900 of 9998007'])
  expect(after(worn.slice(0, -1)).effects.map(brief)).toEqual(['feed 9999'])
  const { state, effects } = after([...worn, key(10_000)])
  expect(effects.map(brief)).toEqual(['stop-decoder', 'start 2 one', 'feed 10000'])
  expect(stateOf(state)).toBe('decoding')
  // What the first one still has to say is ignored, and the second one counts for itself.
  expect(after([...worn, key(10_000), exited(1), decoded(1)]).effects).toEqual([])
  expect(after([...worn, key(10_000), decoded(2), key(10_001)]).effects.map(brief)).toEqual(['feed 10001'])
})

test('a busy decoder is not replaced', () => {
  expect(stateOf(after([...worn.slice(0, -1), key(10_000)]).state)).toBe('decoding')
  expect(after([...worn.slice(0, -1), key(10_000)]).effects).toEqual([])
})

const decodingAt = (state: KeyFrameState): number =>
  state.state === 'streaming' && state.decoder.state === 'decoding' ? state.decoder.at : NaN
const steady = (elapsed: number) => ({ now: noon + elapsed, elapsed })

test('a first key frame that seems to last 1000 s is dated by its arrival, and the next one too', () => {
  const long = key(0)
  const first = { ...long, ...('fragment' in long && { fragment: { ...long.fragment, duration: 1000 } }) }
  let state = step(withoutStream, begun(), steady(0), minInterval).state
  state = step(state, first, steady(0), minInterval).state
  expect(decodingAt(state)).toBe(noon)
  state = step(state, decoded(1), steady(100), minInterval).state
  state = step(state, key(1000), steady(1000), minInterval).state
  expect(decodingAt(state)).toBe(noon + 900)
})

test('no two frames have the same time, even if the clock is set back between them', () => {
  let state = step(withoutStream, begun(), steady(0), minInterval).state
  state = step(state, key(0), steady(0), minInterval).state
  const first = decodingAt(state)
  state = step(state, decoded(1), steady(100), minInterval).state
  // The camera repeats its time after a while.
  state = step(state, key(5), steady(5000), minInterval).state
  const second = decodingAt(state)
  expect(second).toBeGreaterThan(first)
  state = step(state, decoded(1), steady(5100), minInterval).state
  state = step(state, key(0), steady(5200), minInterval).state
  expect(decodingAt(state)).toBe(second + 1)
})

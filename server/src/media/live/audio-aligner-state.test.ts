import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import type { Track } from '../mp4/init-segment.ts'
import { silence } from '../mp4/silent-audio.ts'
import {
  noAudioYet,
  step,
  type AudioAlignerEffect,
  type AudioAlignerEvent,
  type AudioAlignerState,
} from './audio-aligner-state.ts'

/** Ticks per second; a frame of 1024 ticks is an eighth of a second. */
const timescale = 8192

const audio = (time: number, duration = 0.125): AudioAlignerEvent => {
  const rest = { key: false, video: false, samples: 1, first: { start: 0, end: 0 } }
  return { kind: 'audio-arrived', fragment: { data: Buffer.alloc(1), time, duration, ...rest } satisfies Fragment }
}
const video = (until: number): AudioAlignerEvent => ({ kind: 'video-arrived', until })

/** The state after all events, and the effects of the last. A number lets that many milliseconds pass. */
function after(story: readonly (AudioAlignerEvent | number)[]): {
  state: AudioAlignerState
  effects: readonly AudioAlignerEffect[]
} {
  let now = 0
  let result: { state: AudioAlignerState; effects: readonly AudioAlignerEffect[] } = { state: noAudioYet, effects: [] }
  for (const each of story) {
    if (typeof each === 'number') now += each
    else result = step(result.state, each, now, timescale)
  }
  return result
}
const brief = (effect: AudioAlignerEffect): string =>
  effect.kind === 'pass-audio'
    ? `audio ${effect.fragment.time}`
    : `silence ${effect.from / timescale} to ${effect.from / timescale + effect.frames / 8}`

test.each<[what: string, story: (AudioAlignerEvent | number)[], end: number | undefined, effects: string[]]>([
  ['video without audio waits', [video(5), 5000, video(10)], undefined, []],
  ['the first audio is passed on', [audio(3)], 3.125, ['audio 3']],
  ['audio that continues', [audio(0), audio(0.125)], 0.25, ['audio 0.125']],
  ['a gap that players skip', [audio(0), audio(0.17)], 0.295, ['audio 0.17']],
  ['a longer gap is filled', [audio(0), audio(0.5)], 0.625, ['silence 0.125 to 0.5', 'audio 0.5']],
  ['in whole frames', [audio(0), audio(0.45)], 0.575, ['silence 0.125 to 0.375', 'audio 0.45']],
  ['a clock that was set is not filled', [audio(0), audio(20)], 20.125, ['audio 20']],
  ['audio far ahead of the video', [audio(0), video(1), audio(6.1)], 0.125, []],
  ['also before the first audio', [video(1), audio(6.1)], undefined, []],
  ['audio that goes back in time', [audio(1), audio(0.5)], 1.125, []],
  ['video goes on for less than a second', [audio(0), 999, video(1)], 0.125, []],
  ['audio is lost', [audio(0), 1000, video(1)], 1, ['silence 0.125 to 1']],
  ['the silence continues', [audio(0), 1000, video(1), 500, video(1.5)], 1.5, ['silence 1 to 1.5']],
  ['audio replaced by silence comes late', [audio(0), 1000, video(1), audio(0.125)], 1, []],
  ['late audio counts as heard', [audio(0), 1000, video(1), audio(0.125), 500, video(1.5)], 1, []],
  ['audio returns', [audio(0), 1000, video(1), audio(1)], 1.125, ['audio 1']],
  ['the video jumps while audio is lost', [audio(0), 1000, video(20)], 20, []],
])('%s', (_what, story, end, effects) => {
  const { state, effects: made } = after(story)
  expect(made.map(brief)).toEqual(effects)
  const reached = state.state === 'aligned' ? state.end / timescale : undefined
  if (end === undefined) expect(reached).toBeUndefined()
  else expect(reached).toBeCloseTo(end, 3)
})

const track: Track = {
  id: 2,
  kind: 'audio',
  codec: 'mp4a.40.2',
  timescale: 16_000,
  width: 0,
  height: 0,
  channels: 1,
  defaults: { duration: 1024, size: 0, flags: 0 },
}

/** Seconds of one frame. */
const frame = 1024 / 16_000

const audioFragment = (time: number, duration = 2 * frame): Fragment => ({
  data: Buffer.alloc(1),
  key: false,
  video: false,
  time,
  duration,
  samples: Math.round(duration / frame),
  first: { start: 0, end: 0 },
})

/** The fragments that are passed on, step by step. */
function createAligner() {
  let state = noAudioYet
  const dispatch = (event: AudioAlignerEvent, now: number): Fragment[] => {
    const { state: next, effects } = step(state, event, now, track.timescale)
    state = next
    return effects.map((effect) =>
      effect.kind === 'pass-audio' ? effect.fragment : silence(track, effect.from, effect.frames),
    )
  }
  return {
    take: (fragment: Fragment, now: number) => dispatch({ kind: 'audio-arrived', fragment }, now),
    keepUp: (until: number, now: number) => dispatch({ kind: 'video-arrived', until }, now),
  }
}

const spanOf = (fragments: readonly Fragment[]): [number, number] => [
  fragments[0]!.time,
  fragments.at(-1)!.time + fragments.at(-1)!.duration,
]

test('continuous audio is passed on unchanged', () => {
  const lane = createAligner()
  for (let i = 0; i < 50; i++) {
    const next = audioFragment(i * 2 * frame)
    expect(lane.take(next, i * 128)).toEqual([next])
    expect(lane.keepUp((i + 1) * 2 * frame, i * 128)).toEqual([])
  }
})

test('video waits a second for late audio, then continues with silence', () => {
  const lane = createAligner()
  lane.take(audioFragment(0), 0)
  expect(lane.keepUp(0.9, 900)).toEqual([])
  const [from, to] = spanOf(lane.keepUp(1, 1000))
  expect(from).toBeCloseTo(2 * frame)
  expect(to).toBeGreaterThan(1 - frame)
  expect(to).toBeLessThanOrEqual(1)
  expect(spanOf(lane.keepUp(1.5, 1500))[0]).toBeCloseTo(to)
})

test('audio that returns continues after the silence; audio that the silence replaced is dropped', () => {
  const lane = createAligner()
  lane.take(audioFragment(0), 0)
  const [, to] = spanOf(lane.keepUp(5, 5000))
  // What ffmpeg held back, stretched over all the time that nothing came.
  expect(lane.take(audioFragment(2 * frame, 5), 5100)).toEqual([])
  expect(lane.take(audioFragment(to - frame), 5100)).toEqual([])
  const next = audioFragment(to)
  expect(lane.take(next, 5200)).toEqual([next])
})

test('a gap is filled, a changed clock is not, and audio far ahead of the video is dropped', () => {
  const lane = createAligner()
  lane.take(audioFragment(0), 0)
  const [silent, next] = lane.take(audioFragment(1), 500)
  expect(spanOf([silent!])[0]).toBeCloseTo(2 * frame)
  expect(next?.time).toBe(1)
  lane.keepUp(1.2, 600)
  expect(lane.take(audioFragment(100), 700)).toEqual([])
  expect(lane.keepUp(4000, 2000)).toEqual([])
  expect(lane.take(audioFragment(4000), 2100)).toHaveLength(1)
})

test('for any input, the output moves forward without an overlap or a gap of two frames', () => {
  const event = fc.record({ of: fc.constantFrom('audio', 'video'), jitter: fc.integer({ min: -8, max: 8 }) })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const lane = createAligner()
      const out: Fragment[] = []
      for (const [i, { of, jitter }] of events.entries()) {
        const time = Math.max(0, (i + jitter) * 2 * frame)
        out.push(...(of === 'audio' ? lane.take(audioFragment(time), i * 128) : lane.keepUp(time, i * 128)))
      }
      for (const [i, { time }] of out.entries()) {
        if (i === 0) continue
        const gap = time - out[i - 1]!.time - out[i - 1]!.duration
        expect(gap).toBeGreaterThan(-frame)
        expect(gap).toBeLessThan(frame)
      }
    }),
  )
})

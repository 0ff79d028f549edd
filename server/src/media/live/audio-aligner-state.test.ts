import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
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

import { expect, test } from 'vitest'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment, Track } from '../mp4/init-segment.ts'
import {
  openingWith,
  step,
  type LiveOutputEffect,
  type LiveOutputEvent,
  type LiveOutputState,
} from './live-output-state.ts'

/** Ticks per second of the audio; a frame of 1024 ticks is an eighth of a second. */
const timescale = 8192

const track = (kind: Track['kind'], codec: string, channels = 0): Track => ({
  id: kind === 'video' ? 1 : 2,
  kind,
  codec,
  timescale,
  width: 160,
  height: 120,
  channels,
  defaults: { duration: 0, size: 0, flags: 0 },
})
const initOf = (mime: string, ...tracks: Track[]): InitSegment => ({ data: Buffer.alloc(0), tracks, mime })
const h264 = track('video', 'avc1.42C00A')
const aac = track('audio', 'mp4a.40.2', 1)

const described = (codec = 'avc1.42C00A'): LiveOutputEvent => ({
  kind: 'video-described',
  init: initOf('video', track('video', codec)),
})
const audioDescribed = (codec = 'mp4a.40.2', channels = 1): LiveOutputEvent => ({
  kind: 'audio-described',
  init: initOf('both', h264, track('audio', codec, channels)),
})
const noAudio: LiveOutputEvent = { kind: 'audio-described', init: initOf('no audio', h264) }

/** A frame of an eighth of a second. @param size in its parameter sets; without them if undefined */
function frame(time: number, key = false, size?: number): LiveOutputEvent {
  const data = Buffer.from(size === undefined ? [] : [0, 0, 0, 2, 0x67, size])
  const first = { start: 0, end: data.length }
  return {
    kind: 'frame-arrived',
    frame: { data, key, video: true, time, duration: 0.125, samples: 1, first },
  }
}
const key = (time: number, size?: number): LiveOutputEvent => frame(time, true, size)
function audio(time: number): LiveOutputEvent {
  const rest = { key: false, video: false, duration: 0.125, samples: 1, first: { start: 0, end: 0 } }
  return { kind: 'audio-arrived', audio: { data: Buffer.alloc(1), time, ...rest } satisfies Fragment }
}

type Story = readonly (LiveOutputEvent | number)[]

/** The state after all events, and the effects of the last. A number lets that many milliseconds pass. */
function after(story: Story, mode: 'requested' | 'none' = 'requested') {
  let now = 0
  let result: { state: LiveOutputState; effects: readonly LiveOutputEffect[] } = {
    state: openingWith(mode),
    effects: [],
  }
  for (const each of story) {
    if (typeof each === 'number') now += each
    else result = step(result.state, each, now)
  }
  return result
}

function brief(effect: LiveOutputEffect): string {
  switch (effect.kind) {
    case 'begin':
      return `begin ${effect.init.mime}`
    case 'push':
      return `${effect.fragment.video ? 'frame' : 'audio'} ${effect.fragment.time}`
    case 'push-silence':
      return `silence ${effect.from / timescale} to ${effect.from / timescale + effect.frames / 8}`
    case 'report-stream':
      return effect.key ? 'report key' : 'report'
    case 'fail':
      return effect.problem.code
    case 'refuse-audio':
      return 'refuse audio'
  }
}

/** Frames that arrive at the same moment, one for each second between the two. */
const frames = (after: number, until: number): Story =>
  Array.from({ length: until - after - 1 }, (_, i) => frame(after + i + 1))
/** Frames every tenth of a second, as ffmpeg writes times that have gone back. */
const still = (count: number): Story =>
  Array.from({ length: count }, (_, i) => [100, frame(1 + (i + 1) / 1_000_000)]).flat()

const both: Story = [described(), audioDescribed()]
const joined: Story = [...both, key(0), audio(0)]
const lateAudio: Story = [...both, key(0), 801, frame(0.125), audio(0.25)]
const silentVideo: Story = [described(), noAudio]
/** A stream that has just passed the time in which any jump is tolerated. */
const later: Story = [...silentVideo, key(0), 16_000, frame(16)]
/** Two weeks after `later`, when a clock that is 50 ppm slow is a minute behind. */
const twoWeeks = { milliseconds: 14 * 86_400_000, time: 16 + 14 * 86_400 * (1 - 50e-6) }
/** The connection delivered nothing for 15 seconds; what the camera has kept arrives. */
const stalled: Story = [...later, 15_000, frame(16.04)]

test.each<[what: string, story: Story, state: LiveOutputState['state'], effects: string[]]>([
  ['the video is described', [described()], 'collecting', []],
  ['it is described again', [described(), described()], 'collecting', ['video-format-changed']],
  ['again while live', [...silentVideo, described()], 'live', ['video-format-changed']],
  ['it has no video', [{ kind: 'video-described', init: initOf('none', aac) }], 'opening', ['no-video']],
  ['browsers do not play it', [described('mp4v')], 'opening', ['unplayable-video']],
  ['a frame before its description', [frame(0)], 'opening', []],
  ['audio before the description of the video', [audioDescribed(), audio(0)], 'opening', []],
  ['audio that was not described', [described(), key(0), audio(0)], 'collecting', []],

  ['frames wait for audio', [...both, key(0), 800, frame(0.125)], 'collecting', []],
  ['both begin together', [...both, key(0), audio(0)], 'live', ['begin both', 'frame 0', 'report key', 'audio 0']],
  ['audio without a frame waits', [...both, audio(0)], 'collecting', []],
  [
    'frames do not wait longer than audio needs',
    [...both, key(0), 801, frame(0.125)],
    'live',
    ['begin video', 'frame 0', 'report key', 'frame 0.125', 'report'],
  ],
  ['the source has no audio', [...silentVideo], 'live', ['begin video']],
  ['known only after some frames', [described(), key(0), noAudio], 'live', ['begin video', 'frame 0', 'report key']],
  ['known before the video is described', [noAudio, described()], 'live', ['begin video']],
  ['frames without audio', [...silentVideo, key(0)], 'live', ['frame 0', 'report key']],

  ['audio and frames continue', [...joined, frame(0.125)], 'live', ['frame 0.125', 'report']],
  ['audio continues', [...joined, audio(0.125)], 'live', ['audio 0.125']],
  ['audio is lost', [...joined, 1000, frame(0.875)], 'live', ['frame 0.875', 'silence 0.125 to 1', 'report']],
  ['frames continue without late audio', [...lateAudio, frame(0.25)], 'live', ['frame 0.25', 'report']],
  ['also if it is lost again', [...lateAudio, 1000, frame(2)], 'live', ['frame 2', 'report']],
  ['late audio waits for a key frame', lateAudio, 'live', []],
  ['and is added there', [...lateAudio, key(0.25)], 'live', ['begin both', 'frame 0.25', 'report key']],
  ['late audio that was described late', [described(), key(0), 801, frame(0.125), audioDescribed()], 'live', []],

  ['audio that browsers do not play', [audioDescribed('mp4a.40.5')], 'opening', ['refuse audio']],
  [
    'audio of six channels',
    [...silentVideo.slice(0, 1), audioDescribed('mp4a.40.2', 6)],
    'collecting',
    ['refuse audio'],
  ],
  ['the audio output stays empty', [described(), key(0), 10_001, frame(1)], 'collecting', ['refuse audio']],
  ['also while live', [described(), key(0), 900, key(1), 9101, key(2)], 'live', ['refuse audio']],
  ['announced audio may never come', [...both, key(0), 900, key(1), 20_000, key(2)], 'live', ['frame 2', 'report key']],

  ['the same parameter sets', [...silentVideo, key(0, 5), key(1, 5)], 'live', ['frame 1', 'report key']],
  ['a key frame without them', [...silentVideo, key(0, 5), key(1), key(2, 5)], 'live', ['frame 2', 'report key']],
  ['others', [...silentVideo, key(0, 5), key(1), key(2, 6)], 'live', ['video-format-changed']],
  ['only key frames have them', [...silentVideo, key(0, 5), frame(1, false, 6)], 'live', ['frame 1', 'report']],
  ['a time far ahead', [...later, 125, frame(27)], 'live', ['wrong-timestamps']],
  ['after as long a break', [...later, 3000, frame(28)], 'live', ['frame 28', 'report']],
  ['soon after the first frame', [...silentVideo, key(0), 14_000, frame(1000)], 'live', ['frame 1000', 'report']],
  ['a short jump, then a time far ahead', [...later, 125, frame(26), 125, frame(37)], 'live', ['wrong-timestamps']],
  ['frames dropped after a stall', [...stalled, frame(18), frame(31)], 'live', ['frame 31', 'report']],
  ['a time far ahead after a stall', [...stalled, frame(18), frame(42)], 'live', ['wrong-timestamps']],
  [
    'after a stall that was caught up with',
    [...stalled, frame(18), frame(31), 125, frame(42)],
    'live',
    ['wrong-timestamps'],
  ],
  ['a stream that is always late', [...stalled, frame(16.1), 1000, frame(17.1)], 'live', ['frame 17.1', 'report']],
  ['a burst', [...later, ...frames(16, 40), key(40)], 'live', ['frame 40', 'report key']],
  [
    'a time far ahead after two weeks of a slow clock',
    [...later, twoWeeks.milliseconds, frame(twoWeeks.time), 125, frame(twoWeeks.time + 11)],
    'live',
    ['wrong-timestamps'],
  ],
  ['times that stand still', [...silentVideo, key(1), ...still(31)], 'live', ['wrong-timestamps']],
  ['for a moment', [...silentVideo, key(1), ...still(30)], 'live', ['frame 1.00003', 'report']],
  ['for one frame, after a pause', [...silentVideo, key(1), 5000, ...still(1)], 'live', ['frame 1.000001', 'report']],
  ['a frame after a break', [...silentVideo, key(1), 60_000, frame(61)], 'live', ['frame 61', 'report']],
  ['others among the first frames', [described(), key(0, 5), key(1, 6)], 'collecting', ['video-format-changed']],
])('%s', (_what, story, state, effects) => {
  const result = after(story)
  expect(result.effects.map(brief)).toEqual(effects)
  expect(result.state.state).toBe(state)
})

test('without an audio output, the video begins when it is described', () => {
  const { state, effects } = after([described()], 'none')
  expect([state.state, effects.map(brief)]).toEqual(['live', ['begin video']])
  const late = after([described(), key(0), 20_000, frame(20)], 'none')
  expect(late.effects.map(brief)).toEqual(['frame 20', 'report'])
})

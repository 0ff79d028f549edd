import { expect, test } from 'vitest'
import type { Fragment } from '../media/mp4/fragment.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import {
  isInOpenSegment,
  recorderOff,
  statusOf,
  step,
  type DraftCondition,
  type RecorderEffect,
  type RecorderEvent,
  type RecorderState,
} from './recorder-state.ts'
import { DiskError } from './segments/segment-draft.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }
const enabled: RecorderEvent = { kind: 'recording-enabled' }
const disabled: RecorderEvent = { kind: 'recording-disabled' }
const begun: RecorderEvent = { kind: 'stream-began', init }
const ended: RecorderEvent = { kind: 'stream-ended' }
const closed: RecorderEvent = { kind: 'close-ended' }
const full = new DiskError('full')
const onDisk: DraftCondition = { isWritten: true, error: undefined }

/** A frame of one second at a second of the stream; every other one is a key frame. */
function frame(time: number, draft?: DraftCondition, key = time % 2 === 0): RecorderEvent {
  const data = Buffer.from(`${time}`)
  const fragment: Fragment = { data, key, video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } }
  return { kind: 'fragment-arrived', fragment, draft }
}
const frames = (from: number, to: number): RecorderEvent[] =>
  Array.from({ length: to - from }, (_, i) => frame(from + i))
/** A frame that, according to its timestamps, lasts that many seconds. */
function lasting(duration: number, time: number, key?: boolean): RecorderEvent {
  const event = frame(time, undefined, key)
  return event.kind === 'fragment-arrived' ? { ...event, fragment: { ...event.fragment, duration } } : event
}
const closeFailed = (draft: number): RecorderEvent => ({ kind: 'close-failed', draft, error: full })

/** Each fragment arrives a second after the event before it; a number lets that many milliseconds pass. */
type Story = readonly (RecorderEvent | number)[]
interface Result {
  readonly state: RecorderState
  readonly effects: readonly RecorderEffect[]
  readonly elapsed: number
}

/** The state after all events, and the effects of the last. */
function after(story: Story): Result {
  let elapsed = 0
  let state = recorderOff
  let effects: readonly RecorderEffect[] = []
  for (const each of story) {
    if (typeof each === 'number') {
      elapsed += each
      continue
    }
    if (each.kind === 'fragment-arrived') elapsed += 1000
    ;({ state, effects } = step(state, each, { now: noon + elapsed, elapsed }))
  }
  return { state, effects, elapsed }
}

const brief = (effect: RecorderEffect): string => {
  switch (effect.kind) {
    case 'open-draft':
      return `open ${effect.draft} at ${(effect.start - noon) / 1000}`
    case 'close-draft':
      return `close ${effect.draft}: ${(effect.segment.start - noon) / 1000} to ${(effect.segment.end - noon) / 1000}`
    case 'close-again':
      return `close ${effect.draft} again`
    case 'write':
      return `write ${effect.data.toString()}`
    default:
      return effect.kind
  }
}

test.each<[what: string, story: Story, status: string, effects: string[]]>([
  ['recording is enabled', [enabled], 'waiting', ['publish-status']],
  ['it is enabled again', [enabled, enabled], 'waiting', []],
  ['a fragment arrives while off', [begun, frame(0)], 'off', []],
  ['a fragment arrives without a stream', [enabled, frame(0)], 'waiting', []],
  ['the first frame isn’t a key frame', [enabled, begun, frame(1)], 'waiting', []],
  [
    'a key frame begins a segment',
    [enabled, begun, frame(1), frame(2)],
    'recording',
    ['open 1 at 1', 'write 2', 'publish-status'],
  ],
  ['a second has passed', [enabled, begun, frame(0), frame(1)], 'recording', ['write 1', 'flush']],
  [
    'the first key frame after ten seconds begins the next segment',
    [enabled, begun, ...frames(0, 11)],
    'recording',
    ['close 1: 0 to 10', 'open 2 at 10', 'write 10'],
  ],
  ['recording is disabled', [enabled, begun, ...frames(0, 5), disabled], 'off', ['close 1: 0 to 5', 'publish-status']],
  ['the stream ends', [enabled, begun, ...frames(0, 5), ended], 'waiting', ['close 1: 0 to 5', 'publish-status']],
  [
    'another stream begins: the status is published with its first fragment',
    [enabled, begun, ...frames(0, 5), begun],
    'waiting',
    ['close 1: 0 to 5'],
  ],
  ['the service stops', [enabled, begun, ...frames(0, 5), { kind: 'stopped' }], 'off', ['close 1: 0 to 5']],
  [
    'no key frame arrives for five minutes',
    [enabled, begun, frame(0), 300_000, frame(1)],
    'waiting',
    ['close 1: 0 to 1', 'publish-status'],
  ],
  [
    'the disk is full: the segment ends, and the next waits',
    [enabled, begun, frame(0), frame(1, { isWritten: true, error: full })],
    'paused',
    ['log-paused', 'report-disk-error', 'close 1: 0 to 1', 'publish-status'],
  ],
  [
    'a draft could not be closed',
    [enabled, begun, ...frames(0, 11), closeFailed(1)],
    'paused',
    ['log-paused', 'report-disk-error', 'publish-status'],
  ],
  [
    'a disk error is logged once, and reported each time',
    [enabled, begun, ...frames(0, 11), closeFailed(1), { kind: 'draft-shortened', error: full }],
    'paused',
    ['report-disk-error'],
  ],
])('%s', (_what, story, status, effects) => {
  const { state, effects: made } = after(story)
  expect(statusOf(state).state).toBe(status)
  expect(made.map(brief)).toEqual(effects)
})

/** Recording was paused by a full disk, and draft 1 has no final name yet. */
const paused: Story = [enabled, begun, ...frames(0, 5), { kind: 'stream-ended' }, closeFailed(1), closed, begun]

test.each<[what: string, story: Story, effects: string[]]>([
  ['a paused recording tries again after five seconds', [...paused, 4000, frame(6)], ['open 2 at 9', 'write 6']],
  ['not before', [...paused, 3000, frame(6)], []],
  ['nor while a draft is being closed', [...paused.slice(0, -2), begun, 10_000, frame(6)], []],
  [
    'it is still paused on probation',
    [...paused, 4000, frame(6), frame(7, onDisk), frame(8, onDisk)],
    ['write 8', 'flush'],
  ],
  [
    'after three seconds of writing it is resumed, and the draft is closed',
    [...paused, 4000, frame(6), frame(7, onDisk), frame(8, onDisk), frame(9, onDisk)],
    ['log-resumed', 'close 1 again', 'write 9', 'flush', 'publish-status'],
  ],
  [
    'it is not resumed while nothing reaches the disk',
    [...paused, 4000, frame(6), frame(7), frame(8), frame(9), frame(10)],
    ['write 10', 'flush'],
  ],
])('%s', (_what, story, effects) => {
  expect(after(story).effects.map(brief)).toEqual(effects)
})

const days = 3 * 86_400
/** All frames after the first one, or after the fifth, are that many seconds later than the frames before. */
const jumpAtFirst = (by: number): Story => [enabled, begun, lasting(by, 0)]
const jumpLater = (by: number): Story => [enabled, begun, ...frames(0, 4), lasting(by, 4)]

test.each<[what: string, story: Story, effects: string[]]>([
  ['the first frame seems to last 1000 s', jumpAtFirst(1000), []],
  ['for a minute', jumpAtFirst(60), []],
  ['for days', jumpAtFirst(days), []],
  [
    'recording begins after it, at the real time',
    [...jumpAtFirst(1000), ...frames(1000, 1011)],
    ['close 1: 1 to 11', 'open 2 at 11', 'write 1010'],
  ],
  ['a later frame seems to last 1000 s', jumpLater(1000), ['close 1: 0 to 4', 'publish-status']],
  ['a later one for a minute', jumpLater(60), ['close 1: 0 to 4', 'publish-status']],
  ['a later one for days', jumpLater(days), ['close 1: 0 to 4', 'publish-status']],
  [
    'recording resumes after that, at the real time',
    [...jumpLater(1000), ...frames(1004, 1015)],
    ['close 2: 5 to 15', 'open 3 at 15', 'write 1014'],
  ],
  [
    'the key frame of a next segment seems to last 1000 s',
    [enabled, begun, ...frames(0, 10), lasting(1000, 10)],
    ['close 1: 0 to 10', 'publish-status'],
  ],
  [
    'they are too fast, and no segment is longer than five minutes',
    [enabled, begun, frame(0), ...Array.from({ length: 34 }, (_, i) => lasting(9, 1 + 9 * i, false))],
    ['close 1: -264 to 34', 'publish-status'],
  ],
  [
    'the first frame of a slow camera',
    [enabled, begun, 14_000, lasting(15, 0)],
    ['open 1 at 0', 'write 0', 'publish-status'],
  ],
  [
    'a later frame really lasts a minute',
    [enabled, begun, ...frames(0, 4), 59_000, lasting(60, 4)],
    ['write 4', 'flush'],
  ],
  [
    'a later one jumps ahead by ten seconds while frames arrive as they are taken',
    jumpLater(10),
    ['close 1: 0 to 4', 'publish-status'],
  ],
  [
    'a later one really lasts ten seconds',
    [enabled, begun, ...frames(0, 4), 9000, lasting(10, 4)],
    ['write 4', 'flush'],
  ],
  [
    'a camera’s buffer of fifteen seconds arrives together: its frames are dated by those after it',
    [enabled, begun, ...frames(0, 15).flatMap((each) => [-1000, each]), ...frames(15, 21)],
    ['close 1: -15 to 5', 'open 2 at 5', 'write 20'],
  ],
  [
    'old frames that arrive together',
    [enabled, begun, ...frames(0, 4).flatMap((each) => [-1000, each]), -1000, lasting(15, 4), frame(19)],
    ['write 19', 'flush'],
  ],
])('timestamps in the first segment: %s', (_what, story, effects) => {
  expect(after(story).effects.map(brief)).toEqual(effects)
})

test('a draft that is closed again delays the next try until that is over', () => {
  const resumed: Story = [...paused, 4000, frame(6), frame(7, onDisk), frame(8, onDisk), frame(9, onDisk)]
  const again: Story = [...resumed, ended, closed, closeFailed(1), begun, 10_000]
  expect(after([...again, frame(10)]).effects).toEqual([])
  expect(after([...again, closed, frame(10)]).effects.map(brief)).toContain('write 10')
})

test('motion belongs to the open segment, and ends with it', () => {
  const { state, elapsed } = after([enabled, begun, ...frames(0, 3)])
  const now = { now: noon + elapsed, elapsed }
  expect(isInOpenSegment(state, noon - 1, now)).toBe(false)
  expect(isInOpenSegment(state, noon + 1, now)).toBe(true)
  const moved: RecorderEvent = { kind: 'motion-detected', percent: 12 }
  const less: RecorderEvent = { kind: 'motion-detected', percent: 5 }
  const { effects } = after([enabled, begun, ...frames(0, 3), moved, less, ended])
  expect(effects[0]).toMatchObject({ kind: 'close-draft', segment: { motion: 12 } })
  expect(after([enabled, begun, ...frames(0, 3), moved, begun, frame(0), ended]).effects[0]).toMatchObject({
    segment: { motion: 0 },
  })
})

test('segments of one stream have the same stream id, and those of the next another', () => {
  const streamOf = (story: Story) => after(story).effects.find((each) => each.kind === 'close-draft')?.segment.streamId
  const first: Story = [enabled, begun, ...frames(0, 11)]
  expect(streamOf(first)).toBe(noon)
  expect(streamOf([...first, ended])).toBe(noon)
  expect(streamOf([...first, begun, ...frames(0, 5), ended])).toBe(noon + 11_000)
})

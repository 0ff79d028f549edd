import { describe, expect, test } from 'vitest'
import type { RecordingState } from '../../player/recording/recording-state.ts'
import {
  afterEvent,
  boundOf,
  covers,
  leaderOf,
  placeOf,
  playbackFrom,
  type Clock,
  type PlaybackEvent,
  type PlaybackState,
  type Recordings,
} from './playback-state.ts'

/** The day is from 0 to 10,000 s; it is long over. Yard recorded until 1000 and from 1100; office only 500 to 2000. */
const day: Recordings = {
  cameras: ['yard', 'office'],
  spans: [
    [
      { start: 100, end: 1000 },
      { start: 1100, end: 3000 },
    ],
    [{ start: 500, end: 2000 }],
  ],
  day: { from: 0, to: 10_000 },
  afterDay: undefined,
  now: 50_000,
}
const onlyYard: Recordings = { ...day, cameras: ['yard'], spans: day.spans.slice(0, 1) }
const loading: Recordings = { ...day, spans: [day.spans[0], undefined] }
const emptyDay: Recordings = { ...onlyYard, spans: [[]] }
const nextDay: Recordings = {
  ...onlyYard,
  spans: [[{ start: 10_500, end: 12_000 }]],
  day: { from: 10_000, to: 20_000 },
}

const shown: RecordingState = { kind: 'shown', audio: true }
const at = (moment: number, more: Partial<PlaybackState> = {}): PlaybackState => ({
  ...playbackFrom(moment),
  videos: new Map([
    ['yard', shown],
    ['office', shown],
  ]),
  ...more,
})
/** Reports of the two videos, given at the same moment, from the places to which they were sent. */
const reports = (state: PlaybackState, times: Readonly<Record<string, number>>): ReadonlyMap<string, Clock> =>
  new Map(
    Object.entries(times).map(([camera, reached]) => [camera, { at: reached, when: 0, place: placeOf(state, camera) }]),
  )
const time = (
  state: PlaybackState,
  reached: number,
  office = reached,
  when = 0,
): Extract<PlaybackEvent, { type: 'time' }> => ({
  type: 'time',
  camera: 'yard',
  at: reached,
  when,
  clocks: reports(state, { yard: reached, office }),
})
const end = (moment: number): PlaybackEvent => ({ type: 'end', camera: 'yard', at: moment })

describe('an event', () => {
  const rows: readonly [string, PlaybackState, PlaybackEvent, Recordings, Partial<PlaybackState>][] = [
    ['go: to a recorded time', at(200), { type: 'go', at: 300 }, day, { at: 300, place: { at: 300 } }],
    ['go: ends a drag', at(200, { scrubbing: true }), { type: 'go', at: 300 }, day, { scrubbing: false }],
    ['go: into a gap skips it', at(200), { type: 'go', at: 1050 }, onlyYard, { at: 1100, skipped: 50 }],
    ['go: a small skip is not reported', at(200), { type: 'go', at: 1099 }, onlyYard, { at: 1100, skipped: undefined }],
    ['go: paused stays in a gap', at(200, { playing: false }), { type: 'go', at: 1050 }, onlyYard, { at: 1050 }],
    ['go: while loading nothing is skipped', at(200), { type: 'go', at: 1050 }, loading, { at: 1050 }],
    ['go: to another day', at(200), { type: 'go', at: 20_000 }, day, { at: 20_000 }],
    ['go: not into the future', at(200), { type: 'go', at: 60_000 }, day, { at: 50_000 }],
    ['go: not before 1970', at(200), { type: 'go', at: -5 }, { ...day, spans: [[], []] }, { at: 0 }],
    [
      'go: forgets that everything was played',
      at(200, { caughtUp: true }),
      { type: 'go', at: 300 },
      day,
      { caughtUp: false },
    ],
    [
      'scrub: follows over gaps',
      at(200, { skipped: 9 }),
      { type: 'scrub', at: 1050 },
      onlyYard,
      { at: 1050, scrubbing: true, skipped: undefined },
    ],
    [
      'play: pauses',
      at(200, { skipped: 9 }),
      { type: 'play', playing: false },
      day,
      { playing: false, skipped: undefined, at: 200 },
    ],
    [
      'play: in a gap starts with the next recording',
      at(1050, { playing: false }),
      { type: 'play', playing: true },
      onlyYard,
      { playing: true, at: 1100, skipped: 50 },
    ],
    [
      'play: after the last recording of the day, while the next one is searched',
      at(4000, { playing: false }),
      { type: 'play', playing: true },
      { ...onlyYard, afterDay: 'searching' },
      { at: 4000, pending: 4000, caughtUp: false },
    ],
    [
      'play: in a gap waits while loading',
      at(4000, { playing: false }),
      { type: 'play', playing: true },
      { ...onlyYard, spans: [undefined] },
      { at: 4000, caughtUp: false },
    ],
    ['rate', at(200), { type: 'rate', rate: 4 }, day, { rate: 4 }],
    ['end: continues after the gap', at(999.5), end(1000), onlyYard, { at: 1100, skipped: 100, place: { at: 1100 } }],
    [
      'end: of the day without a later one',
      at(2999),
      end(3000),
      onlyYard,
      { at: 2999, caughtUp: true, pending: undefined },
    ],
    [
      'end: of the day waits for the next one',
      at(2999),
      end(3000),
      { ...onlyYard, afterDay: 10_000 },
      { at: 10_000, pending: 3000 },
    ],
    [
      'end: of the day while the next one is searched',
      at(2999),
      end(3000),
      { ...onlyYard, afterDay: 'searching' },
      { at: 2999, pending: 3000, caughtUp: false },
    ],
    ['end: the next day is in the future', at(2999), end(3000), { ...onlyYard, afterDay: 60_000 }, { caughtUp: true }],
    ['end: while loading', at(999.5), end(1000), loading, { at: 999.5, pending: 1000 }],
    ['end: paused', at(999.5, { playing: false }), end(1000), onlyYard, { at: 999.5, pending: undefined }],
    ['end: dragging', at(999.5, { scrubbing: true }), end(1000), onlyYard, { at: 999.5 }],
    ['end: of a camera that follows', at(999.5), { type: 'end', camera: 'office', at: 1000 }, day, { at: 999.5 }],
    [
      'recordings: of the next day',
      at(10_000, { pending: 3000 }),
      { type: 'recordings' },
      nextDay,
      { at: 10_500, pending: undefined, skipped: 7500 },
    ],
    [
      'recordings: the next day is found',
      at(2999, { pending: 3000 }),
      { type: 'recordings' },
      { ...onlyYard, afterDay: 40_000 },
      { at: 40_000, pending: 3000 },
    ],
    [
      'recordings: still searching',
      at(2999, { pending: 3000 }),
      { type: 'recordings' },
      { ...onlyYard, afterDay: 'searching' },
      { at: 2999, pending: 3000, caughtUp: false },
    ],
    [
      'recordings: the search has failed',
      at(2999, { pending: 3000 }),
      { type: 'recordings' },
      { ...onlyYard, afterDay: 'failed' },
      { at: 2999, pending: 3000, caughtUp: false },
    ],
    [
      'recordings: no later day is found',
      at(2999, { pending: 3000 }),
      { type: 'recordings' },
      onlyYard,
      { at: 2999, caughtUp: true },
    ],
    [
      'recordings: the day turns out to have none',
      at(500, { pending: 500 }),
      { type: 'recordings' },
      { ...emptyDay, afterDay: 10_000 },
      { at: 500, pending: undefined, caughtUp: false },
    ],
    [
      'recordings: the day after the one that was played turns out to have none',
      at(10_000, { pending: 3000 }),
      { type: 'recordings' },
      { ...nextDay, spans: [[]], afterDay: 20_000 },
      { at: 20_000, pending: 3000 },
    ],
    ['end: on a day without recordings', at(500), end(500), { ...emptyDay, afterDay: 10_000 }, { at: 500 }],
    [
      'recordings: still loading',
      at(999.5, { pending: 1000 }),
      { type: 'recordings' },
      loading,
      { at: 999.5, pending: 1000 },
    ],
    [
      'recordings: grow after everything was played',
      at(1050, { caughtUp: true }),
      { type: 'recordings' },
      onlyYard,
      { at: 1100, caughtUp: false },
    ],
    [
      'recordings: grow while paused',
      at(1050, { caughtUp: true, playing: false }),
      { type: 'recordings' },
      onlyYard,
      { at: 1050, caughtUp: true },
    ],
    [
      'recordings: the next day begins after everything was played',
      at(3000, { caughtUp: true }),
      { type: 'recordings' },
      { ...onlyYard, afterDay: 10_000 },
      { at: 10_000, pending: 3000, caughtUp: false },
    ],
    [
      'recordings: the next day has none yet',
      at(3000, { caughtUp: true }),
      { type: 'recordings' },
      onlyYard,
      { at: 3000, caughtUp: true },
    ],
    ['recordings: nothing waits for them', at(200), { type: 'recordings' }, day, { at: 200 }],
  ]
  test.each(rows)('%s', (_, state, event, recordings, expected) => {
    expect(afterEvent(state, event, recordings)).toMatchObject(expected)
  })

  test('the time of the leader is shown', () => {
    const state = at(200, { caughtUp: true })
    expect(afterEvent(state, time(state, 201), day)).toMatchObject({ at: 201, caughtUp: false })
  })
  test('a report of a video that was sent elsewhere since is ignored', () => {
    const before = at(200)
    const state = afterEvent(before, { type: 'go', at: 600 }, day)
    expect(afterEvent(state, time(before, 201), day)).toBe(state)
  })
  test('the leader at the end of its recording continues with the other camera', () => {
    const state = at(999)
    expect(afterEvent(state, time(state, 999.9), day)).toMatchObject({ at: 1000.4, place: { at: 1000.4 } })
  })
  test('while the timeline is dragged, no video moves it', () => {
    const state = at(200, { scrubbing: true })
    expect(afterEvent(state, time(state, 201), day)).toBe(state)
  })
  test('the state of a video is kept', () => {
    expect(afterEvent(playbackFrom(0), { type: 'video', camera: 'yard', video: shown }, day).videos.get('yard')).toBe(
      shown,
    )
  })
})

/** The state after the leader reached 601 and the other camera reported `office`. */
const followed = (office: number, state = at(600), when = 0) => afterEvent(state, time(state, 601, office, when), day)

describe('a camera that follows', () => {
  test.each([
    ['together', 601.1, 1],
    ['a little ahead: slower', 601.4, 0.93],
    ['a little behind: faster', 600.6, 1.07],
  ])('%s', (_, office, pace) => {
    const next = followed(office)
    expect(next.paces.get('office') ?? 1).toBe(pace)
    expect(next.places.size).toBe(0)
  })
  test('far apart: it jumps to the leader', () => {
    expect(followed(605).places.get('office')).toEqual({ at: 601.2 })
  })
  test('its last report is older than the leader: its time is extrapolated at the rate', () => {
    const state = at(600, { rate: 4 })
    // 500 ms at four times the speed are two seconds.
    expect(followed(599, state, 500).places.size).toBe(0)
    expect(followed(599, { ...state, playing: false }, 500).places.size).toBe(0)
    expect(followed(590, state, 500).places.get('office')).toEqual({ at: 601.8 })
  })
  test('after it jumped, its earlier reports are ignored', () => {
    const state = at(600)
    const jumped = followed(605, state)
    const late = { ...time(state, 601.2, 605), clocks: reports(state, { yard: 601.2, office: 605 }) }
    expect(afterEvent(jumped, late, day).places.get('office')).toBe(jumped.places.get('office'))
  })
  test('without video yet, it is left alone', () => {
    const state = at(600, { videos: new Map([['yard', shown]]) })
    expect(followed(605, state).places.size).toBe(0)
  })
  test.each([
    ['joins when its recordings begin', 501, [true, false], ['office']],
    ['played already', 501, [true, true], []],
    ['is new like all others', 501, [], []],
    ['is shown again', 501, [true], ['office']],
    ['does not join if it leads itself', 101, [false, false], []],
  ])('%s', (_, moment, covered, joining) => {
    const next = afterEvent(at(moment, { covered }), { type: 'coverage' }, day)
    expect([...next.places]).toEqual(joining.map((camera) => [camera, { at: moment }]))
    expect(next.covered).toEqual([true, moment > 500])
  })
})

const narrowed = (state: PlaybackState) => afterEvent(state, { type: 'coverage' }, onlyYard)

test('a page that becomes narrow, whose only camera has no recording now, continues with its next one', () => {
  const before = at(1050, { covered: [false, true] })
  expect(narrowed(before)).toMatchObject({ at: 1100, skipped: 50, covered: [false] })
  // It skips to no other day.
  const other = afterEvent(before, { type: 'coverage' }, { ...emptyDay, afterDay: 10_000 })
  expect(other).toMatchObject({ at: 1050, pending: undefined })
  expect(narrowed({ ...before, playing: false })).toMatchObject({ at: 1050, covered: [false] })
  expect(narrowed({ ...before, scrubbing: true })).toMatchObject({ at: 1050, covered: [false] })
  expect(narrowed({ ...before, covered: [true] })).toMatchObject({ at: 1050, covered: [false] })
})

test('Play on a day without recordings continues with the next day, also if that is found only later', () => {
  const searching: Recordings = { ...emptyDay, afterDay: 'searching' }
  const pressed = afterEvent(at(500), { type: 'play', playing: true }, searching)
  expect(pressed).toMatchObject({ at: 500, pending: 500 })
  const found = (state: PlaybackState) => afterEvent(state, { type: 'recordings' }, { ...emptyDay, afterDay: 10_000 })
  expect(found(pressed)).toMatchObject({ at: 10_000, pending: 500 })
  expect(afterEvent(found(pressed), { type: 'recordings' }, nextDay)).toMatchObject({ at: 10_500, pending: undefined })
  // Not if the user has left it since, or pauses.
  const elsewhere = afterEvent(pressed, { type: 'go', at: 600 }, searching)
  expect(found(afterEvent(elsewhere, end(600), { ...searching, spans: [undefined] }))).toMatchObject({ at: 600 })
  expect(found(afterEvent(pressed, { type: 'play', playing: false }, searching))).toMatchObject({ at: 500 })
})

describe('the leader', () => {
  test.each([
    ['is the first camera', at(600), day, 'yard'],
    ['recorded the current time', at(1050), day, 'office'],
    ['is the first camera if none did', at(50), day, 'yard'],
    ['may have recorded it while loading', at(1050), loading, 'office'],
    ['is undefined without cameras', at(50), { ...day, cameras: [], spans: [] }, undefined],
  ])('%s', (_, state, recordings, leader) => {
    expect(leaderOf(state, recordings)).toBe(leader)
  })
  test.each(['ended', 'unsupported', 'broken', 'gone'] as const)('is not a camera whose video is %s', (kind) => {
    const video: RecordingState = kind === 'ended' ? { kind, reason: 'permission' } : { kind }
    expect(leaderOf(at(600, { videos: new Map([['yard', video]]) }), day)).toBe('office')
  })
})

test.each([
  ['its end', 200, day, 1000],
  ['nowhere in a gap', 1050, day, Number.POSITIVE_INFINITY],
  ['nowhere while loading', 1050, { ...day, spans: [undefined, undefined] }, Number.POSITIVE_INFINITY],
  ['nowhere if it was recorded until now', 1500, { ...day, now: 3010 }, Number.POSITIVE_INFINITY],
  ['nowhere if it was recorded until midnight', 1500, { ...day, day: { from: 0, to: 3000 } }, Number.POSITIVE_INFINITY],
])('playback of a recording stops at %s', (_, moment, recordings, bound) => {
  expect(boundOf(at(moment), recordings, 0)).toBe(bound)
})

test('a camera covers a time that it recorded, or that is still loading', () => {
  expect([200, 1050].map((moment) => covers(at(moment), day, 0))).toEqual([true, false])
  expect(covers(at(1050), loading, 1)).toBe(true)
})

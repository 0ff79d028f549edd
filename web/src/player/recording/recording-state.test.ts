import { expect, test } from 'vitest'
import {
  afterPlayerEvent,
  initialPlayer,
  type PlayerEffect,
  type PlayerEvent,
  type PlayerState,
} from './recording-state.ts'

const bounds = { from: 0, to: 100_000 }
/** Recorded from 10,000 to 10,060, with a gap of ten seconds in the middle. */
const pieces = [
  { media: 0, wall: 10_000, seconds: 20 },
  { media: 20, wall: 10_030, seconds: 30 },
]

/** The state after several events, starting from the first. */
const after = (...events: readonly PlayerEvent[]): PlayerState =>
  events.reduce((state, event) => afterPlayerEvent(state, event, bounds).state, initialPlayer)

const go: PlayerEvent = { kind: 'go', at: 10_000 }
const attached: PlayerEvent = { kind: 'attached', turn: 1 }
const ready: PlayerEvent = { kind: 'ready', turn: 1, pieces }
const play: PlayerEvent = { kind: 'play', playing: true }
const moved: PlayerEvent = { kind: 'moved', media: 1 }

const opening = after(play, go)
const opened = after(play, go, attached, ready)
const shown = after(play, go, attached, ready, moved)
const paused = after(go, attached, ready, moved)
const lost = after(play, go, { kind: 'lost', turn: 1 })

/** Short names: the effect, and what it concerns. */
function nameOf(effect: PlayerEffect): string {
  switch (effect.kind) {
    case 'report':
      return effect.state.kind === 'ended' ? `ended: ${effect.state.reason}` : effect.state.kind
    case 'report-time':
      return `time ${effect.at}`
    case 'report-end':
      return `end ${effect.at}`
    case 'open':
      return `open ${effect.range.from} to ${effect.range.to}`
    case 'seek':
      return `seek ${effect.media}`
    case 'plan-retry':
      return `retry after ${effect.failures}`
    case 'check-access':
      return `check access after ${effect.status}`
    default:
      return effect.kind
  }
}

test.each<[what: string, state: PlayerState, event: PlayerEvent, effects: string]>([
  ['a seek opens a playlist around the time', initialPlayer, go, 'keep-still, close, open 9700 to 11800'],
  ['a seek within the playlist', shown, { kind: 'go', at: 10_005 }, 'seek 5, play'],
  ['a seek within the playlist, paused', paused, { kind: 'go', at: 10_005 }, 'seek 5'],
  ['a seek into a gap continues after it', shown, { kind: 'go', at: 10_025 }, 'seek 20, play'],
  ['a seek elsewhere', shown, { kind: 'go', at: 50_000 }, 'keep-still, close, waiting, open 49700 to 51800'],
  ['a seek while a playlist loads', opening, { kind: 'go', at: 10_005 }, 'keep-still, close, open 9705 to 11805'],
  [
    'a seek beyond the bound',
    initialPlayer,
    { kind: 'go', at: 100_400 },
    'keep-still, close, close, wipe-still, nothing, end 100400',
  ],
  ['the playlist is ready', after(play, go, attached), ready, 'play'],
  ['the playlist is ready, paused', after(go, attached), ready, ''],
  ['an empty playlist', after(play, go), { kind: 'ready', turn: 1, pieces: [] }, 'plan-past-end'],
  ['nothing was recorded', after(play, go), { kind: 'past-end', turn: 1 }, 'close, wipe-still, nothing, end 10000'],
  ['the first frame', opened, moved, 'wipe-still, shown, time 10001'],
  ['another frame', shown, { kind: 'moved', media: 2 }, 'time 10002'],
  ['a frame before the playlist is known', opening, moved, ''],
  ['audio', shown, { kind: 'audio', audio: true }, 'shown'],
  ['the same audio', shown, { kind: 'audio', audio: false }, ''],
  ['audio before the first frame', opened, { kind: 'audio', audio: true }, ''],
  ['waiting for data', shown, { kind: 'waiting' }, 'waiting'],
  ['waiting before the first frame', opened, { kind: 'waiting' }, ''],
  ['the playlist was played', shown, { kind: 'played' }, 'keep-still, close, waiting, open 10060.05 to 11860.05'],
  ['play', paused, play, 'play'],
  ['play while a playlist loads', after(go), play, ''],
  ['pause', shown, { kind: 'play', playing: false }, 'pause'],
  ['no connection', opening, { kind: 'lost', turn: 1 }, 'close, lost, retry after 0'],
  [
    'a server error',
    shown,
    { kind: 'problem', turn: 1, problem: { kind: 'refused', status: 503 } },
    'close, lost, retry after 0',
  ],
  ['a retry', lost, { kind: 'retry' }, 'keep-still, close, waiting, open 9700 to 11800'],
  ['online again', lost, { kind: 'online' }, 'keep-still, close, waiting, open 9700 to 11800'],
  ['online again while playing', shown, { kind: 'online' }, ''],
  ['unsupported video', opening, { kind: 'problem', turn: 1, problem: { kind: 'unsupported' } }, 'close, unsupported'],
  ['refused', shown, { kind: 'problem', turn: 1, problem: { kind: 'refused', status: 403 } }, 'check access after 403'],
  [
    '[ROLE-10] refused because the camera was lost',
    shown,
    { kind: 'refused', turn: 1, status: 403, loss: 'permission' },
    'close, wipe-still, unload, ended: permission',
  ],
  ['a deleted recording', shown, { kind: 'refused', turn: 1, status: 404, loss: undefined }, 'close, gone'],
  [
    'no recordings at this time',
    opening,
    { kind: 'refused', turn: 1, status: 404, loss: undefined },
    'close, wipe-still, nothing, end 10000',
  ],
  [
    'refused for another reason',
    shown,
    { kind: 'refused', turn: 1, status: 401, loss: undefined },
    'close, lost, retry after 0',
  ],
  [
    '[ROLE-10] access lost',
    shown,
    { kind: 'access-lost', reason: 'session' },
    'close, wipe-still, unload, ended: session',
  ],
  ['stopped', shown, { kind: 'stopped' }, 'close'],
])('%s', (_what, state, event, effects) => {
  expect(afterPlayerEvent(state, event, bounds).effects.map(nameOf).join(', ')).toBe(effects)
})

test.each<PlayerEvent>([
  attached,
  ready,
  { kind: 'past-end', turn: 1 },
  { kind: 'lost', turn: 1 },
  { kind: 'problem', turn: 1, problem: { kind: 'broken' } },
  { kind: 'refused', turn: 1, status: 403, loss: 'permission' },
])('a late result of an earlier playlist is ignored: $kind', (event) => {
  const elsewhere = after(play, go, { kind: 'go', at: 50_000 })
  expect(afterPlayerEvent(elsewhere, event, bounds)).toEqual({ state: elsewhere, effects: [] })
})

test.each<PlayerEvent>([go, play, { kind: 'access-lost', reason: 'permission' }, { kind: 'online' }])(
  '[ROLE-10] nothing plays after access was lost: $kind',
  (event) => {
    const ended = after(play, go, attached, ready, moved, { kind: 'access-lost', reason: 'permission' })
    expect(afterPlayerEvent(ended, event, bounds).effects).toEqual([])
  },
)

test('playback ends at the bound', () => {
  const { effects } = afterPlayerEvent(shown, { kind: 'moved', media: 25 }, { from: 0, to: 10_035 })
  expect(effects.map(nameOf)).toEqual(['time 10035', 'pause', 'end 10035'])
})

test('at the end of all recordings, the last frame stays', () => {
  const onward = afterPlayerEvent(shown, { kind: 'played' }, bounds).state
  const { effects } = afterPlayerEvent(onward, { kind: 'past-end', turn: onward.turn }, bounds)
  expect(effects.map(nameOf)).toEqual(['close', 'played', 'end 10060.05'])
})

test('each failure in a row waits longer; a playlist that is ready forgets them', () => {
  const again = afterPlayerEvent(lost, { kind: 'retry' }, bounds).state
  expect(afterPlayerEvent(again, { kind: 'lost', turn: again.turn }, bounds).effects.map(nameOf)).toContain(
    'retry after 1',
  )
  expect(afterPlayerEvent(again, { kind: 'ready', turn: again.turn, pieces }, bounds).state.failures).toBe(0)
})

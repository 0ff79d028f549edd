import { expect, test } from 'vitest'
import { streamProblem } from '../media/ffmpeg/reason.ts'
import {
  idle,
  step,
  type CameraEffect,
  type CameraEvent,
  type ChildOutput,
  type SupervisorState,
} from './camera-state.ts'

const facts = { resolution: '1280x720', fps: null, codec: 'avc1.4D401F' }
const set: CameraEvent = { kind: 'source-set' }
const removed: CameraEvent = { kind: 'source-removed' }
const video: CameraEvent = { kind: 'video-arrived', facts }
const audioRefused: CameraEvent = { kind: 'audio-refused', audio: 'copy' }
const aacRefused: CameraEvent = { kind: 'audio-refused', audio: 'aac' }
const silence: CameraEvent = { kind: 'stream-failed', problem: streamProblem('no-data', { seconds: 20 }) }
const unreadable: CameraEvent = { kind: 'stream-failed', problem: streamProblem('unreadable-video') }
const missing: CameraEvent = { kind: 'source-refused', problem: streamProblem('no-such-file') }
const retry: CameraEvent = { kind: 'retry-due' }
const audioUnknown: CameraEvent = { kind: 'audio-unknown' }
const tooShort: CameraEvent = { kind: 'analysis-too-short', audio: 'copy' }
const exited = (code?: 'timed-out', audioFailed = false, more: Partial<ChildOutput> = {}): CameraEvent => ({
  kind: 'child-exited',
  problem: code && streamProblem(code),
  audio: 'copy',
  audioFailed,
  audioUncopyable: false,
  couldFindMore: false,
  ...more,
})
/** Of a quick child, without video or a known reason. */
const foundTooLittle = exited(undefined, false, { couldFindMore: true })
const audioFailed = exited(undefined, true, { couldFindMore: true })
const audioUncopyable = exited(undefined, true, { audioUncopyable: true, couldFindMore: true })
const aacFailed = (couldFindMore = false): CameraEvent => exited(undefined, true, { audio: 'aac', couldFindMore })

/** Milliseconds of video after which an attempt counts as successful. */
const lasting = 5000
/** A number lets that many milliseconds pass. */
type Story = readonly (CameraEvent | number)[]

/** The state after all events, and the effects of the last. */
function after(story: Story): { state: SupervisorState; effects: readonly CameraEffect[] } {
  let now = 0
  let result: { state: SupervisorState; effects: readonly CameraEffect[] } = { state: idle, effects: [] }
  for (const each of story) {
    if (typeof each === 'number') now += each
    else result = step(result.state, each, now, lasting)
  }
  return result
}

const brief = (effect: CameraEffect): string => {
  switch (effect.kind) {
    case 'connect':
      return ['connect', effect.mode.audio, ...(effect.mode.analysis === 'quick' ? [] : [effect.mode.analysis])].join(
        ' ',
      )
    case 'wait-for-retry':
      return `wait ${effect.failures}`
    case 'report-status':
      return `report ${effect.status.problem?.code ?? effect.status.state}`
    default:
      return effect.kind
  }
}

test.each<[what: string, story: Story, phase: SupervisorState['phase'], status: string, effects: string[]]>([
  ['a source is set', [set], 'connecting', 'connecting', ['report connecting', 'publish-status', 'connect copy']],
  ['a source is replaced', [set, set], 'connecting', 'connecting', ['publish-status', 'connect copy']],
  ['no source was set', [removed], 'idle', 'disabled', []],
  ['video arrives', [set, video], 'streaming', 'online', ['report online', 'publish-status']],
  ['more is known of the stream', [set, video, video], 'streaming', 'online', ['publish-status']],
  [
    'the source is removed while online',
    [set, video, removed],
    'idle',
    'disabled',
    ['keep-last-frame', 'report disabled', 'publish-status'],
  ],
  [
    'the source is replaced while online',
    [set, video, set],
    'connecting',
    'connecting',
    ['keep-last-frame', 'report connecting', 'publish-status', 'connect copy'],
  ],
  [
    'the source cannot be opened',
    [set, missing],
    'waiting',
    'no-such-file',
    ['report no-such-file', 'publish-status', 'wait 1'],
  ],
  ['the same happens again', [set, missing, retry, missing], 'waiting', 'no-such-file', ['publish-status', 'wait 2']],
  ['a retry is due', [set, missing, retry], 'connecting', 'no-such-file', ['connect copy']],
  ['a retry is due for a replaced source', [set, missing, set, retry], 'connecting', 'connecting', []],
  [
    'the child is silent: offline immediately',
    [set, video, silence],
    'failed',
    'no-data',
    ['keep-last-frame', 'report no-data', 'publish-status', 'stop-child'],
  ],
  ['another failure follows: the first reason counts', [set, silence, unreadable], 'failed', 'no-data', []],
  ['video arrives after a failure', [set, silence, video], 'failed', 'no-data', []],
  [
    'the child that failed has exited',
    [set, silence, exited('timed-out')],
    'waiting',
    'no-data',
    ['publish-status', 'wait 1'],
  ],
  [
    'the child exits with a reason',
    [set, exited('timed-out')],
    'waiting',
    'timed-out',
    ['report timed-out', 'publish-status', 'wait 1'],
  ],
  [
    'the child exits without video or a reason',
    [set, exited()],
    'waiting',
    'unreadable-source',
    ['report unreadable-source', 'publish-status', 'wait 1'],
  ],
  [
    'the child exits after video',
    [set, video, exited()],
    'waiting',
    'stream-ended',
    ['keep-last-frame', 'report stream-ended', 'publish-status', 'wait 1'],
  ],
  ['the audio is refused', [set, audioRefused], 'changing-mode', 'connecting', ['stop-child']],
  ['the audio is refused while online', [set, video, audioRefused], 'changing-mode', 'online', ['stop-child']],
  [
    'the child without usable audio has exited',
    [set, audioRefused, exited()],
    'connecting',
    'connecting',
    ['log-mode', 'connect aac'],
  ],
  [
    'it has exited while online: the next stream begins without a frame',
    [set, video, audioRefused, exited()],
    'connecting',
    'online',
    ['log-mode', 'keep-last-frame', 'connect aac'],
  ],
  [
    'the next audio mode fails too',
    [set, audioRefused, exited(), aacFailed()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none'],
  ],
  [
    'without audio, the audio is not to blame',
    [set, audioRefused, exited(), aacRefused, exited(), exited('timed-out', true, { audio: 'none' })],
    'waiting',
    'timed-out',
    ['report timed-out', 'publish-status', 'wait 1'],
  ],
  [
    'a quick child found no video, whatever it says: it is analyzed thoroughly',
    [set, foundTooLittle],
    'connecting',
    'connecting',
    ['log-mode', 'connect copy thorough'],
  ],
  [
    'a quick child found no video, and its audio seems to have failed: the audio is not to blame yet',
    [set, audioFailed],
    'connecting',
    'connecting',
    ['log-mode', 'connect copy thorough'],
  ],
  [
    'a thorough analysis found no video either',
    [set, foundTooLittle, exited()],
    'waiting',
    'unreadable-source',
    ['report unreadable-source', 'publish-status', 'wait 1'],
  ],
  [
    'a quick child without audio found no video',
    [
      set,
      audioRefused,
      exited(),
      aacRefused,
      exited(),
      exited(undefined, true, { audio: 'none', couldFindMore: true }),
    ],
    'connecting',
    'connecting',
    ['log-mode', 'connect none thorough'],
  ],
  [
    'a quick child had video: nothing more has to be found',
    [set, video, foundTooLittle],
    'waiting',
    'stream-ended',
    ['keep-last-frame', 'report stream-ended', 'publish-status', 'wait 1'],
  ],
  [
    'a quick child was silent: the next one isn’t quick',
    [set, silence, exited(), retry],
    'connecting',
    'no-data',
    ['connect copy thorough'],
  ],
  [
    'a thorough child was silent too: the next one is quick again',
    [set, silence, exited(), retry, silence, exited(), retry],
    'connecting',
    'no-data',
    ['connect copy'],
  ],
  [
    'the audio can’t be copied, however long it is analyzed',
    [set, audioUncopyable],
    'connecting',
    'connecting',
    ['log-mode', 'connect aac'],
  ],
  [
    'the audio that can’t be copied fails: it isn’t left out before a thorough analysis',
    [set, audioUncopyable, aacFailed(true)],
    'connecting',
    'connecting',
    ['log-mode', 'connect aac thorough'],
  ],
  [
    'the child transcoded audio that was to be copied: the mode after the one it used is next',
    [set, aacFailed()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none'],
  ],
  [
    'the audio of such a child is refused',
    [set, aacRefused, exited()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none'],
  ],
  ['the analysis was too short while online', [set, video, tooShort], 'changing-mode', 'online', ['stop-child']],
  [
    'the child that found too little while online has exited',
    [set, video, tooShort, tooShort, exited()],
    'connecting',
    'online',
    ['log-mode', 'keep-last-frame', 'connect copy thorough'],
  ],
  [
    'audio that fails after a thorough analysis too is left out, and its video is found as before',
    [set, audioFailed, exited(undefined, true), aacFailed()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none thorough'],
  ],
  [
    'the audio is unknown after a thorough analysis, so that its child would wait for it',
    [set, tooShort, exited(), audioUnknown, exited()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none'],
  ],
  [
    'without the unknown audio, the video needs a thorough analysis too',
    [set, tooShort, exited(), audioUnknown, exited(), { kind: 'analysis-too-short', audio: 'none' }, exited()],
    'connecting',
    'connecting',
    ['log-mode', 'connect none thorough'],
  ],
  [
    'the audio fails after a thorough analysis',
    [set, audioFailed, audioRefused, exited()],
    'connecting',
    'connecting',
    ['log-mode', 'connect aac thorough'],
  ],
  [
    'a failed stream isn’t an audio problem',
    [set, audioRefused, silence, exited(undefined, true)],
    'waiting',
    'no-data',
    ['publish-status', 'wait 1'],
  ],
])('%s', (_what, story, phase, status, effects) => {
  const { state, effects: made } = after(story)
  expect(state.phase).toBe(phase)
  expect(state.status.problem?.code ?? state.status.state).toBe(status)
  expect(made.map(brief)).toEqual(effects)
})

const withoutAudio: Story = [set, audioRefused, exited(), aacRefused, exited()]

test.each<[what: string, story: Story, failures: number, audio: string, analysis?: string]>([
  ['each failure counts', [set, missing, retry, missing, retry, missing], 3, 'copy'],
  ['brief video is a failure', [set, missing, retry, video, lasting, exited()], 2, 'copy'],
  ['lasting video isn’t one', [set, missing, retry, video, lasting + 1, exited()], 1, 'copy'],
  [
    'video that lasted until the child exited isn’t one',
    [set, missing, retry, video, 4900, silence, 200, exited()],
    1,
    'copy',
  ],
  ['the audio mode that works is kept', [set, audioRefused, exited(), video, lasting + 1, exited()], 1, 'aac'],
  [
    'no audio is kept while there is no lasting video',
    [...withoutAudio, exited(), retry, exited(undefined, true, { audio: 'none' })],
    2,
    'none',
  ],
  ['audio is tried again after lasting video without', [...withoutAudio, video, lasting + 1, exited()], 1, 'copy'],
  ['another source starts from the beginning', [...withoutAudio, missing, set, missing], 1, 'copy'],
  [
    'a thorough analysis that was needed is kept',
    [set, audioFailed, video, lasting + 1, exited()],
    1,
    'copy',
    'thorough',
  ],
  ['it is kept after brief video too', [set, audioFailed, video, exited()], 1, 'copy', 'thorough'],
  [
    'a silent child that had video leaves it as it was',
    [set, audioFailed, video, silence, exited()],
    1,
    'copy',
    'thorough',
  ],
  ['one that found no video either is not', [set, audioFailed, exited()], 1, 'copy'],
  [
    'nor is it once the camera can’t be opened',
    [set, audioFailed, video, lasting + 1, exited(), retry, missing],
    2,
    'copy',
  ],
])('%s', (_what, story, failures, audio, analysis = 'quick') => {
  const { state } = after(story)
  expect(state).toMatchObject({ phase: 'waiting', retry: { failures, mode: { audio, analysis } } })
})

test('in each phase, each event has a next step that shows a reason exactly while offline', () => {
  const events: CameraEvent[] = [
    set,
    removed,
    video,
    audioRefused,
    tooShort,
    audioUnknown,
    silence,
    unreadable,
    missing,
    retry,
    exited(),
    exited(undefined, true),
    foundTooLittle,
    audioUncopyable,
    aacFailed(true),
  ]
  const seen = new Map<string, SupervisorState>([[JSON.stringify(idle), idle]])
  for (const state of seen.values()) {
    if ('retry' in state && state.retry.failures > 2) continue
    for (const event of events) {
      const next = step(state, event, 0, lasting).state
      seen.set(JSON.stringify(next), next)
      expect(next.status.problem !== undefined).toBe(next.status.state === 'offline')
    }
  }
  expect(new Set([...seen.values()].map(({ phase }) => phase)).size).toBe(6)
})

import { expect, test } from 'vitest'
import { streamProblem } from '../media/ffmpeg/reason.ts'
import {
  motionOff,
  statusOf,
  step,
  wasAnalyzed,
  type AnalysisSettings,
  type CameraMotionEffect,
  type CameraMotionEvent,
  type CameraMotionState,
} from './camera-motion-state.ts'

const settings: AnalysisSettings = { sensitivity: 'medium', masks: [], detect_source: null }
const enabledWith = (change: Partial<AnalysisSettings>): CameraMotionEvent => ({
  kind: 'detection-enabled',
  settings: { ...settings, ...change },
})
const enabled = enabledWith({})
const disabled: CameraMotionEvent = { kind: 'detection-disabled' }
const missing: CameraMotionEvent = { kind: 'decoder-missing' }
const ended: CameraMotionEvent = { kind: 'stream-ended' }
const stopped: CameraMotionEvent = { kind: 'stopped' }
const recovered: CameraMotionEvent = { kind: 'decoding-recovered' }
const failed = (code: 'unreadable-video' | 'decoder-slow' = 'unreadable-video'): CameraMotionEvent => ({
  kind: 'decoding-failed',
  problem: streamProblem(code),
})
const box = { x: 0, y: 0, width: 1, height: 1 }

/** A result at a time in seconds. */
const still = (seconds: number, interval?: number): CameraMotionEvent => ({
  kind: 'frame-analyzed',
  result: { at: seconds * 1000, percent: 0, moving: false, box: null, sure: true },
  interval,
})
const unsure: CameraMotionEvent = {
  kind: 'frame-analyzed',
  result: { at: 0, percent: 0, moving: false, box: null, sure: false },
  interval: undefined,
}
const moving: CameraMotionEvent = {
  kind: 'frame-analyzed',
  result: { at: 1000, percent: 12, moving: true, box, sure: true },
  interval: undefined,
}

/** The state after all events, and the effects of the last. */
function after(story: readonly CameraMotionEvent[]): {
  state: CameraMotionState
  effects: readonly CameraMotionEffect[]
} {
  let result: { state: CameraMotionState; effects: readonly CameraMotionEffect[] } = { state: motionOff, effects: [] }
  for (const event of story) result = step(result.state, event)
  return result
}
const brief = (effect: CameraMotionEffect): string => {
  switch (effect.kind) {
    case 'start-source':
      return `start ${effect.source ?? 'key frames'}`
    case 'report-result':
      return `report ${effect.result.percent} %`
    default:
      return effect.kind
  }
}

test.each<[what: string, story: CameraMotionEvent[], status: string, effects: string[]]>([
  ['detection is enabled', [enabled], 'waiting', ['start key frames', 'publish-status']],
  ['it is enabled again', [enabled, enabled], 'waiting', []],
  ['on its own stream', [enabledWith({ detect_source: 'rtsp://a' })], 'waiting', ['start rtsp://a', 'publish-status']],
  ['the sensitivity changes', [enabled, enabledWith({ sensitivity: 'high' })], 'waiting', ['configure-detector']],
  [
    'the source changes',
    [enabled, still(0), enabledWith({ detect_source: 'rtsp://a' })],
    'waiting',
    ['stop-source', 'forget-scene', 'start rtsp://a', 'publish-status'],
  ],
  ['ffmpeg is missing', [missing], 'ffmpeg-missing', ['publish-status']],
  ['it is missing, and detection is disabled', [missing, disabled], 'off', ['publish-status']],
  ['a result while off', [still(0)], 'off', []],
  ['the scene is being learned', [enabled, unsure], 'waiting', ['report 0 %']],
  ['there is a result', [enabled, still(0)], 'active', ['report 0 %', 'publish-status']],
  ['there is another', [enabled, still(0), still(1)], 'active', ['report 0 %']],
  ['the scene is learned again', [enabled, still(0), unsure], 'waiting', ['report 0 %', 'publish-status']],
  ['key frames are rare', [enabled, still(0), still(5, 5)], 'active', ['report 0 %', 'log-rare-key-frames']],
  [
    'that is logged once',
    [enabled, still(0), still(5, 5), disabled, enabled, still(9, 5)],
    'active',
    ['report 0 %', 'publish-status'],
  ],
  ['decoding fails', [enabled, still(0), failed()], 'unreadable-video', ['log-paused', 'publish-status']],
  ['it fails again', [enabled, failed(), failed()], 'unreadable-video', []],
  [
    'it fails for another reason',
    [enabled, failed(), failed('decoder-slow')],
    'decoder-slow',
    ['log-paused', 'publish-status'],
  ],
  [
    'it fails during motion: motion ends',
    [enabled, moving, failed()],
    'unreadable-video',
    ['log-paused', 'rest-detector', 'report 0 %', 'publish-status'],
  ],
  ['decoding works again', [enabled, failed(), recovered], 'waiting', ['log-resumed', 'publish-status']],
  ['it worked all the time', [enabled, still(0), recovered], 'active', []],
  ['the stream ends', [enabled, still(0), ended], 'waiting', ['publish-status']],
  ['it ends during motion', [enabled, moving, ended], 'waiting', ['rest-detector', 'report 0 %', 'publish-status']],
  ['it ends while decoding fails', [enabled, failed(), ended], 'unreadable-video', []],
  [
    'detection is disabled during motion',
    [enabled, moving, disabled],
    'off',
    ['stop-source', 'rest-detector', 'report 0 %', 'forget-scene', 'publish-status'],
  ],
  ['the service stops', [enabled, still(0), stopped], 'off', ['stop-source', 'forget-scene']],
  ['it stops again', [stopped], 'off', []],
])('%s', (_what, story, status, effects) => {
  const { state, effects: made } = after(story)
  const { state: shown, problem } = statusOf(state)
  expect(problem?.code ?? shown).toBe(status)
  expect(made.map(brief)).toEqual(effects)
})

test.each<[what: string, story: CameraMotionEvent[], from: number, to: number, expected: boolean]>([
  ['between two results', [enabled, still(10), still(20)], 10, 20, true],
  ['until a frame would be late', [enabled, still(10)], 10, 25, true],
  ['after that', [enabled, still(10)], 10, 25.001, false],
  ['before the first result', [enabled, still(10), still(20)], 9, 20, false],
  ['over a gap', [enabled, still(10), still(26)], 10, 26, false],
  ['after the gap', [enabled, still(10), still(26)], 26, 27, true],
  ['after the clock was set back', [enabled, still(100), still(10)], 10, 20, true],
  ['while the scene is learned', [enabled, still(10), unsure], 10, 11, false],
  ['once the stream has ended', [enabled, still(10), ended], 10, 11, false],
])('what was analyzed: %s', (_what, story, from, to, expected) => {
  expect(wasAnalyzed(after(story).state, from * 1000, to * 1000)).toBe(expected)
})

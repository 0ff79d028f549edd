import { andThen, unchanged, type Step } from '../../shared/with-web/step.ts'
import { isPlayableAudio, audioTrackOf } from '../ffmpeg/audio.ts'
import { streamProblem, type FixedStreamProblem, type StreamProblem } from '../ffmpeg/reason.ts'
import { parameterSetsIn, type Fragment } from '../mp4/fragment.ts'
import type { InitSegment, Track } from '../mp4/init-segment.ts'
import { noAudioYet, step as align, type AudioAlignerEvent, type AudioAlignerState } from './audio-aligner-state.ts'

/** Codecs that Media Source Extensions can play in some browser. */
const playable = /^(avc|hvc|hev|av01|vp09)/

/** Milliseconds for which the first frames wait for the first audio, so that both begin together. */
const audioGrace = 800

/**
 * Milliseconds without output after which transcoding the audio to AAC is abandoned: until then ffmpeg holds back all
 * frames for it.
 */
const audioTimeout = 10_000

/**
 * `ahead`: seconds by which a time can be later than expected from the least delayed frame so far. After a stall, frames
 * arrive late, and those that the camera dropped are missing: their times aren't later than expected.
 *
 * `still`: milliseconds for which times can stand still. `pause`: the most that one frame counts for that: while the stream
 * or the service is paused, no time can advance. `settling`: milliseconds from the first frame on in which times can jump
 * ahead: some sources begin with an old frame or correct their times then, and would again after each reconnect.
 *
 * `drift`: seconds per second by which a camera's clock can be slow, ten times what a bad one is: what was expected from
 * the least delayed frame is corrected by as much.
 *
 * The recorder handles what is tolerated.
 */
const maxJump = { ahead: 10, still: 3000, pause: 1000, settling: 15_000, drift: 0.0005 }

/** Seconds. If a time goes back, ffmpeg makes it one tick later than the last one, and so on until it is later anyway. */
const smallestStep = 0.002

type AudioOutput =
  /** Nothing has come from it. */
  | { readonly state: 'unknown' }
  /** The source has no audio, or it was not requested. */
  | { readonly state: 'none' }
  /** Audio is announced, and may never come. */
  | { readonly state: 'announced'; readonly init: InitSegment; readonly track: Track }
  | {
      readonly state: 'arriving'
      readonly init: InitSegment
      readonly track: Track
      readonly aligner: AudioAlignerState
    }

interface Video {
  readonly init: InitSegment
  readonly track: Track
  /** When the first frame arrived, milliseconds of the steady clock. */
  readonly firstAt: number | undefined
  /** Those that the last key frame contained, if any did. */
  readonly parameterSets: Buffer | undefined
  readonly pace: Pace | undefined
}

interface Pace {
  /** Of the last frame, seconds of the stream. */
  readonly time: number
  /** Maximum of time minus arrival of all frames, seconds: that of the least delayed one. Arrival is less the drift. */
  readonly lead: number
  /** When it arrived, milliseconds of the steady clock. */
  readonly at: number
  /** For how many milliseconds times have stood still while frames arrived. */
  readonly still: number
}

interface Opening {
  readonly state: 'opening'
  readonly audio: AudioOutput
}
interface Collecting {
  readonly state: 'collecting'
  readonly audio: AudioOutput
  readonly video: Video
  readonly frames: readonly Fragment[]
}
interface Live {
  readonly state: 'live'
  readonly audio: AudioOutput
  readonly video: Video
  /** Sent to viewers last: of the video output, or of the audio output, which describes both. */
  readonly init: InitSegment
}
export type LiveOutputState =
  /** The video has not been described. */
  | Opening
  /** The first frames wait for audio. */
  | Collecting
  /** Each frame is passed on. */
  | Live

export type LiveOutputEvent =
  | { readonly kind: 'video-described'; readonly init: InitSegment }
  /** Of the audio output, whose init segment describes the video too. */
  | { readonly kind: 'audio-described'; readonly init: InitSegment }
  | { readonly kind: 'frame-arrived'; readonly frame: Fragment }
  | { readonly kind: 'audio-arrived'; readonly audio: Fragment }

export type LiveOutputEffect =
  | { readonly kind: 'begin'; readonly init: InitSegment }
  | { readonly kind: 'push'; readonly fragment: Fragment }
  /** From a time in ticks of the track, in whole frames. */
  | { readonly kind: 'push-silence'; readonly track: Track; readonly from: number; readonly frames: number }
  /** A frame and its audio were passed on: what is known of the stream may have changed. */
  | { readonly kind: 'report-stream'; readonly track: Track; readonly key: boolean }
  /** The stream is unusable. */
  | { readonly kind: 'fail'; readonly problem: StreamProblem }
  /** The audio is unusable in the current mode; `reason` is for the log. */
  | { readonly kind: 'refuse-audio'; readonly reason: string }

export type LiveOutputStep = Step<LiveOutputState, LiveOutputEffect>

export const openingWith = (audio: 'requested' | 'none'): LiveOutputState => ({
  state: 'opening',
  audio: { state: audio === 'none' ? 'none' : 'unknown' },
})

/**
 * One step of joining the audio of a stream to its video.
 *
 * @param now milliseconds of the steady clock
 */
export function step(before: LiveOutputState, event: LiveOutputEvent, now: number): LiveOutputStep {
  switch (event.kind) {
    case 'video-described':
      return videoDescribed(before, event.init, now)
    case 'audio-described':
      return audioDescribed(before, event.init, now)
    case 'frame-arrived':
      return before.state === 'opening' ? unchanged(before) : frameArrived(before, event.frame, now)
    case 'audio-arrived':
      return audioArrived(before, event.audio, now)
  }
}

const fail = (state: LiveOutputState, code: FixedStreamProblem): LiveOutputStep => ({
  state,
  effects: [{ kind: 'fail', problem: streamProblem(code) }],
})
const refuseAudio = (state: LiveOutputState, reason: string): LiveOutputStep => ({
  state,
  effects: [{ kind: 'refuse-audio', reason }],
})

function videoDescribed(before: LiveOutputState, init: InitSegment, now: number): LiveOutputStep {
  if (before.state !== 'opening') return fail(before, 'video-format-changed')
  const track = init.tracks.find(({ kind }) => kind === 'video')
  if (!track) return fail(before, 'no-video')
  if (!playable.test(track.codec)) return fail(before, 'unplayable-video')
  const video: Video = { init, track, firstAt: undefined, parameterSets: undefined, pace: undefined }
  const collecting: Collecting = { state: 'collecting', audio: before.audio, video, frames: [] }
  return before.audio.state === 'none' ? begin(collecting, init, now) : unchanged(collecting)
}

function audioDescribed(before: LiveOutputState, init: InitSegment, now: number): LiveOutputStep {
  const track = audioTrackOf(init)
  if (!track) {
    const state: LiveOutputState = { ...before, audio: { state: 'none' } }
    return state.state === 'collecting' ? begin(state, state.video.init, now) : unchanged(state)
  }
  if (!isPlayableAudio(track)) return refuseAudio(before, 'Browsers do not play this audio.')
  return unchanged({ ...before, audio: { state: 'announced', init, track } })
}

function frameArrived(before: Collecting | Live, frame: Fragment, now: number): LiveOutputStep {
  const { track, firstAt = now, parameterSets } = before.video
  const inside = frame.key ? parameterSetsIn(frame, track.codec) : Buffer.alloc(0)
  // The first frames can differ from the init segment; only a change during the stream counts.
  if (parameterSets && inside.length > 0 && !parameterSets.equals(inside)) return fail(before, 'video-format-changed')
  const pace = paceWith(before.video.pace, frame.time, now, firstAt)
  // A new connection begins with the new times.
  if (!pace) return fail(before, 'wrong-timestamps')
  const video = { ...before.video, firstAt, pace, parameterSets: inside.length > 0 ? inside : parameterSets }
  const current: Collecting | Live = { ...before, video }
  if (current.audio.state === 'unknown' && now - firstAt > audioTimeout) return refuseAudio(current, 'No audio came.')
  if (current.state === 'live') return show(current, frame, now)
  const collecting = { ...current, frames: [...current.frames, frame] }
  const isTimeUp = current.audio.state === 'none' || now - firstAt > audioGrace
  return isTimeUp ? begin(collecting, video.init, now) : unchanged(collecting)
}

/** @returns undefined if the times jump or stand still, as they do after the camera's clock was set */
function paceWith(last: Pace | undefined, time: number, now: number, firstAt: number): Pace | undefined {
  const lead = time - (now / 1000) * (1 - maxJump.drift)
  if (!last) return { time, lead, at: now, still: 0 }
  if (lead - last.lead > maxJump.ahead && now - firstAt > maxJump.settling) return undefined
  const still = time - last.time >= smallestStep ? 0 : last.still + Math.min(now - last.at, maxJump.pause)
  return still > maxJump.still ? undefined : { time, lead: Math.max(lead, last.lead), at: now, still }
}

function audioArrived(before: LiveOutputState, fragment: Fragment, now: number): LiveOutputStep {
  const { audio } = before
  if (before.state === 'opening' || audio.state === 'unknown' || audio.state === 'none') return unchanged(before)
  const { state: arriving, effects } = alignAudio(audio, { kind: 'audio-arrived', fragment }, now)
  const current = { ...before, audio: arriving }
  const begun: LiveOutputStep =
    current.state === 'collecting' && current.frames.length > 0 ? begin(current, audio.init, now) : unchanged(current)
  return andThen(begun, (state) => ({
    state,
    effects: state.state === 'live' && state.init === audio.init ? effects : [],
  }))
}

/** Begins with the frames that were collected. */
function begin({ audio, video, frames }: Collecting, init: InitSegment, now: number): LiveOutputStep {
  const live: Step<Live, LiveOutputEffect> = {
    state: { state: 'live', audio, video, init },
    effects: [{ kind: 'begin', init }],
  }
  return frames.reduce((shown, frame) => andThen(shown, (state) => show(state, frame, now)), live)
}

function show(before: Live, frame: Fragment, now: number): Step<Live, LiveOutputEffect> {
  const { audio } = before
  // Late audio is added at a key frame, where a player can start again anyway.
  const joins = frame.key && audio.state === 'arriving' && before.init !== audio.init
  const current = joins ? { ...before, init: audio.init } : before
  const again: LiveOutputEffect[] = joins ? [{ kind: 'begin', init: audio.init }] : []
  const shown: Step<Live, LiveOutputEffect> = {
    state: current,
    effects: [...again, { kind: 'push', fragment: frame }],
  }
  const report: LiveOutputEffect = { kind: 'report-stream', track: before.video.track, key: frame.key }
  return andThen(
    andThen(shown, (state) => keepAudioUp(state, frame.time + frame.duration, now)),
    (state) => ({ state, effects: [report] }),
  )
}

/** Audio that is missing up to a time in seconds is replaced by silence. */
function keepAudioUp(before: Live, until: number, now: number): Step<Live, LiveOutputEffect> {
  const { audio, init } = before
  if (audio.state !== 'arriving' || init !== audio.init) return unchanged(before)
  const { state, effects } = alignAudio(audio, { kind: 'video-arrived', until }, now)
  return { state: { ...before, audio: state }, effects }
}

type WithAudio = Extract<AudioOutput, { init: InitSegment }>

function alignAudio(
  before: WithAudio,
  event: AudioAlignerEvent,
  now: number,
): Step<Extract<AudioOutput, { state: 'arriving' }>, LiveOutputEffect> {
  const { init, track } = before
  const aligned = align(before.state === 'arriving' ? before.aligner : noAudioYet, event, now, track.timescale)
  return {
    state: { state: 'arriving', init, track, aligner: aligned.state },
    effects: aligned.effects.map((effect): LiveOutputEffect =>
      effect.kind === 'pass-audio'
        ? { kind: 'push', fragment: effect.fragment }
        : { kind: 'push-silence', track, from: effect.from, frames: effect.frames },
    ),
  }
}

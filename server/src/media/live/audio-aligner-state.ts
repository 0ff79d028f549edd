import { unchanged, type Step } from '../../shared/with-web/step.ts'
import type { Fragment } from '../mp4/fragment.ts'
import { frameTicks } from '../mp4/silent-audio.ts'

/** All in seconds. */
const limits = {
  /** Without audio for this long, the audio counts as lost. */
  timeout: 1,
  /** Audio this far ahead of the video has lost its clock. */
  ahead: 5,
  /** Longest gap in the audio that players skip. */
  gap: 0.05,
  /** A longer gap is a clock that was set. */
  jump: 10,
}

/** `video`: seconds up to which video has arrived. */
export type AudioAlignerState =
  /** No audio has been passed on yet. */
  | { readonly state: 'waiting'; readonly video: number }
  | {
      readonly state: 'aligned'
      readonly video: number
      /** Ticks up to which audio has been passed on. */
      readonly end: number
      /** When audio last arrived, milliseconds of the steady clock. */
      readonly heardAt: number
    }

export type AudioAlignerEvent =
  | { readonly kind: 'audio-arrived'; readonly fragment: Fragment }
  /** Video has arrived up to a time in seconds. */
  | { readonly kind: 'video-arrived'; readonly until: number }

export type AudioAlignerEffect =
  | { readonly kind: 'pass-audio'; readonly fragment: Fragment }
  /** Silence from a time in ticks, in whole frames. */
  | { readonly kind: 'pass-silence'; readonly from: number; readonly frames: number }

export type AudioAlignerStep = Step<AudioAlignerState, AudioAlignerEffect>
type Aligned = Extract<AudioAlignerState, { state: 'aligned' }>

export const noAudioYet: AudioAlignerState = { state: 'waiting', video: 0 }

/**
 * One step of the alignment of a stream's audio, without gaps and in order.
 *
 * A player shows no video without audio. So silence replaces audio that stops while the video continues; audio that
 * returns continues at its own time.
 *
 * @param now milliseconds of the steady clock
 * @param timescale ticks per second
 */
export function step(
  before: AudioAlignerState,
  event: AudioAlignerEvent,
  now: number,
  timescale: number,
): AudioAlignerStep {
  if (event.kind === 'audio-arrived') return audioArrived(before, event.fragment, now, timescale)
  const current = { ...before, video: event.until }
  if (current.state === 'waiting' || now - current.heardAt < limits.timeout * 1000) return unchanged(current)
  return fillTo(current, Math.round(event.until * timescale), timescale)
}

function audioArrived(before: AudioAlignerState, fragment: Fragment, now: number, timescale: number): AudioAlignerStep {
  const updated = before.state === 'aligned' ? { ...before, heardAt: now } : before
  if (updated.video > 0 && fragment.time > updated.video + limits.ahead) return unchanged(updated)
  const start = Math.round(fragment.time * timescale)
  const current: Aligned =
    updated.state === 'aligned' ? updated : { state: 'aligned', video: updated.video, end: start, heardAt: now }
  // Late audio, already replaced by silence; or audio that goes back in time, which no player follows.
  if (start < current.end - frameTicks / 2) return unchanged(current)
  const hasGap = start - current.end > Math.round(limits.gap * timescale)
  const { effects } = hasGap ? fillTo(current, start, timescale) : unchanged<Aligned, AudioAlignerEffect>(current)
  return {
    state: { ...current, end: start + Math.round(fragment.duration * timescale) },
    effects: [...effects, { kind: 'pass-audio', fragment }],
  }
}

/** Silence up to a time in ticks, in whole frames: rather too short than too long. */
function fillTo(before: Aligned, to: number, timescale: number): Step<Aligned, AudioAlignerEffect> {
  const frames = Math.floor((to - before.end) / frameTicks)
  if (frames <= 0) return unchanged(before)
  if (to - before.end > Math.round(limits.jump * timescale)) return unchanged({ ...before, end: to })
  return {
    state: { ...before, end: before.end + frames * frameTicks },
    effects: [{ kind: 'pass-silence', from: before.end, frames }],
  }
}

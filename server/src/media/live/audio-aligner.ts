import type { Fragment } from '../mp4/fragment.ts'
import type { Track } from '../mp4/init-segment.ts'
import { noAudioYet, step, type AudioAlignerEvent } from './audio-aligner-state.ts'
import { silence } from '../mp4/silent-audio.ts'

export interface AudioAligner {
  /** Handles an audio fragment. @returns the fragments to pass on */
  take(fragment: Fragment, now: number): Fragment[]
  /** Video has arrived up to this time. @returns silence that replaces missing audio */
  keepUp(until: number, now: number): Fragment[]
}

/**
 * Keeps the audio of a stream in order and without gaps.
 *
 * A player shows no video without audio. So silence replaces audio that stops while the video continues; audio that
 * returns continues at its own time.
 *
 * The decisions are in `audio-aligner-state.ts`.
 *
 * @param now of all methods: milliseconds of a clock that only goes forward
 */
export function createAudioAligner(track: Track): AudioAligner {
  let state = noAudioYet
  const dispatch = (event: AudioAlignerEvent, now: number): Fragment[] => {
    const { state: next, effects } = step(state, event, now, track.timescale)
    state = next
    return effects.map((effect) =>
      effect.kind === 'pass-audio' ? effect.fragment : silence(track, effect.from, effect.frames),
    )
  }
  return {
    take: (fragment, now) => dispatch({ kind: 'audio-arrived', fragment }, now),
    keepUp: (until, now) => dispatch({ kind: 'video-arrived', until }, now),
  }
}

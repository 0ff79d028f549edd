import type { Fragment, Track } from '../mp4/fmp4.ts'
import { frameTicks, silence } from '../mp4/silent-audio.ts'

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

export interface AudioAligner {
  /** Handles an audio fragment. @returns the fragments to pass on */
  take(fragment: Fragment, now: number): Fragment[]
  /** Video has arrived up to this time. @returns silence that replaces missing audio */
  keepUp(pictures: number, now: number): Fragment[]
}

/**
 * Keeps the audio of a stream in order and without gaps.
 *
 * A player shows no video without audio. So silence replaces audio that stops while the video continues; audio that
 * returns continues at its own time.
 *
 * @param now of all methods: milliseconds of a clock that only goes forward
 */
export function createAudioAligner(track: Track): AudioAligner {
  /** Ticks up to which audio has been passed on; undefined before the first fragment. */
  let end: number | undefined
  let heardAt: number | undefined
  /** Seconds. */
  let pictures = 0
  const ticks = (seconds: number): number => Math.round(seconds * track.timescale)

  /** Silence up to a time in ticks, in whole frames: rather too short than too long. */
  const fillTo = (to: number): Fragment[] => {
    if (end === undefined) return []
    const count = Math.floor((to - end) / frameTicks)
    if (count <= 0) return []
    if (to - end > ticks(limits.jump)) {
      end = to
      return []
    }
    const filled = silence(track, end, count)
    end += count * frameTicks
    return [filled]
  }

  return {
    take(fragment, now) {
      const start = ticks(fragment.time)
      heardAt = now
      if (pictures > 0 && fragment.time > pictures + limits.ahead) return []
      end ??= start
      // Late audio, already replaced by silence; or audio that goes back in time, which no player follows.
      if (start < end - frameTicks / 2) return []
      const before = start - end > ticks(limits.gap) ? fillTo(start) : []
      end = start + ticks(fragment.duration)
      return [...before, fragment]
    },
    keepUp(time, now) {
      pictures = time
      heardAt ??= now
      if (now - heardAt < limits.timeout * 1000) return []
      return fillTo(ticks(time))
    },
  }
}

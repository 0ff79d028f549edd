import type { Fragment, Track } from './fmp4.ts'
import { frameTicks, silence } from './silent-audio.ts'

/** All in seconds. */
const limits = {
  /** Without any sound for so long, it counts as gone. */
  timeout: 1,
  /** Sound as far ahead of the picture as this has lost its clock. */
  ahead: 5,
  /** A gap in the sound that players pass over. */
  gap: 0.05,
  /** A longer one is no gap, but a clock that was set. */
  jump: 10,
}

export interface AudioAligner {
  /** Sound came. @returns what to pass on */
  take(fragment: Fragment, now: number): Fragment[]
  /** Pictures are there up to this time. @returns silence that keeps step, where the sound does not */
  keepUp(pictures: number, now: number): Fragment[]
}

/**
 * Keeps the sound of a stream without gaps and in order.
 *
 * A player shows no picture for which it has no sound. So where the sound stops while the picture goes on, silence
 * takes its place; when it comes back it goes on where it belongs.
 *
 * @param now of all methods: milliseconds of a clock that only goes forward
 */
export function createAudioAligner(track: Track): AudioAligner {
  /** Ticks up to which the sound has been passed on; undefined before the first. */
  let end: number | undefined
  let heardAt: number | undefined
  /** Seconds. */
  let pictures = 0
  const ticks = (seconds: number): number => Math.round(seconds * track.timescale)

  /** Silence up to a time in ticks, in whole frames: a little less rather than more. */
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
      // It was late, and silence stands there now; or it goes back in time, which no player follows.
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

/** Seconds and numbers of frames. */
const limits = {
  /** Minimum duration of motion. If frames are further apart than `rare`, one strong frame is enough. */
  begin: 0.35,
  rare: 1.4,
  /** Duration and number of frames without motion that end it. */
  end: 2,
  stillFrames: 2,
} as const

export interface Hysteresis {
  readonly moving: boolean
  /** @param seconds since the previous frame. @param over the highest threshold passed */
  next(seconds: number, over: 'strong' | 'begin' | 'go-on' | 'none'): boolean
  reset(): void
}

/** Motion begins once it has lasted, and ends once it has stopped for a while: one walk is one motion. */
export function createHysteresis(): Hysteresis {
  let moving = false
  /** Since the first of consecutive frames with motion; undefined if the last frame had none. */
  let lasted: number | undefined
  let still = { seconds: 0, frames: 0 }
  return {
    get moving() {
      return moving
    },
    next(seconds, over) {
      if (!moving) {
        const begins = over === 'begin' || over === 'strong'
        if (over === 'none') lasted = undefined
        else if (lasted !== undefined) lasted += seconds
        else if (begins) lasted = 0
        moving = begins && ((over === 'strong' && seconds > limits.rare) || (lasted ?? 0) >= limits.begin)
        still = { seconds: 0, frames: 0 }
        return moving
      }
      still =
        over === 'none' ? { seconds: still.seconds + seconds, frames: still.frames + 1 } : { seconds: 0, frames: 0 }
      if (still.seconds >= limits.end && still.frames >= limits.stillFrames) {
        moving = false
        lasted = undefined
      }
      return moving
    },
    reset() {
      moving = false
      lasted = undefined
    },
  }
}

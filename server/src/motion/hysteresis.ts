/** Seconds and pictures. */
const limits = {
  /** What moves has to be there for so long. Where pictures come more rarely than `rare`, a strong one is enough. */
  begin: 0.35,
  rare: 1.4,
  /** Nothing may move for so long, and in so many pictures. */
  end: 2,
  stillPictures: 2,
} as const

export interface Hysteresis {
  readonly moving: boolean
  /** @param seconds since the picture before. @param over which of the thresholds it passes */
  next(seconds: number, over: 'strong' | 'begin' | 'go-on' | 'none'): boolean
  reset(): void
}

/** Motion begins when it has lasted, and ends when it has been over for a while: one walk is one motion. */
export function createHysteresis(): Hysteresis {
  let moving = false
  /** Since the first of the pictures in a row that move; undefined where the last did not. */
  let lasted: number | undefined
  let still = { seconds: 0, pictures: 0 }
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
        still = { seconds: 0, pictures: 0 }
        return moving
      }
      still =
        over === 'none'
          ? { seconds: still.seconds + seconds, pictures: still.pictures + 1 }
          : { seconds: 0, pictures: 0 }
      if (still.seconds >= limits.end && still.pictures >= limits.stillPictures) {
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

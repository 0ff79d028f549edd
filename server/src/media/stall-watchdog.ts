/** Waits for what has to come again and again. */
export interface StallWatchdog {
  /** It came. */
  reset(): void
  /** Nobody waits any more. */
  end(): void
}

/** Turns of ours without anything, after which patience ends. */
const turns = 20

/**
 * Tells once where nothing came for so many milliseconds, as far as we were there to see it.
 *
 * A machine that stands still, or serves others, stops us together with those we wait for, and what they sent lies
 * unread when we go on. So silence is counted in short turns, between which all that lies there is read: one that took
 * long counts no more than any other.
 */
export function createStallWatchdog(milliseconds: number, onSilence: () => void): StallWatchdog {
  let left = turns
  const turn = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(turn)
    onSilence()
  }, milliseconds / turns)
  return {
    reset: () => void (left = turns),
    end: () => clearInterval(turn),
  }
}

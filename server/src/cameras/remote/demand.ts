import type { StopTimer, Timers } from '../../shared/time/clock.ts'

/** Whether anyone needs something that is opened for the first who does, and closed some time after the last. */
export interface Demand {
  /** @returns a function that gives it up */
  take(): () => void
  readonly isOpen: boolean
}

export interface DemandDeps {
  /** Milliseconds for which it stays open after the last. */
  readonly keep: number
  readonly open: () => void
  readonly close: () => void
  readonly clock: Timers
}

export function createDemand({ keep, open, close, clock }: DemandDeps): Demand {
  let count = 0
  let stopKeeping: StopTimer | undefined
  const release = (): void => {
    count--
    if (count > 0) return
    stopKeeping = clock.after(keep, () => {
      stopKeeping = undefined
      close()
    })
  }
  return {
    take() {
      const wasOpen = count > 0 || stopKeeping !== undefined
      stopKeeping?.()
      stopKeeping = undefined
      count++
      if (!wasOpen) open()
      let isGivenUp = false
      return () => {
        if (!isGivenUp) release()
        isGivenUp = true
      }
    },
    get isOpen() {
      return count > 0 || stopKeeping !== undefined
    },
  }
}

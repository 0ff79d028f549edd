import type { Clock, Timers } from './time/clock.ts'
import type { Log } from './log.ts'

/** What a part of the service that acts on its own needs: time, and its named logger. One without timers takes a `Clock` alone. */
export interface Runtime {
  readonly clock: Clock & Timers
  readonly log: Log
}

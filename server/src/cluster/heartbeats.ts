import type { StopTimer } from '../shared/time/clock.ts'
import { StartError } from '../shared/errors.ts'
import { throttle } from '../shared/rate/throttle.ts'
import type { Runtime } from '../shared/runtime.ts'

export interface HeartbeatsDeps extends Runtime {
  /** Reports this instance, and reads all instances and leases. */
  readonly beat: () => Promise<void>
  /** Milliseconds until the next one, after one that succeeded. */
  readonly untilNext: () => number
}

/** Repeats a heartbeat, one at a time. */
export interface Heartbeats {
  /** Sends the first one. @throws StartError that it throws; after any other failure it's sent again */
  start(): Promise<void>
  /** Sends one now, or when the one under way has ended. */
  now(): void
  /**
   * As {@link now}, but at most once in a while, and never before the retry of one that failed: anyone who can connect to
   * the database can send news, and a database in trouble must not be asked more often by every instance.
   */
  soon(): void
  stop(): void
}

/** Milliseconds. `retry`: well below the time for which a lease is valid. */
const times = { betweenNews: 100, retry: 500 }

export function createHeartbeats({ beat, untilNext, clock, log }: HeartbeatsDeps): Heartbeats {
  let underway = false
  let again = false
  let failing = false
  let stopped = false
  let stopTimer: StopTimer | undefined

  const run = async (isFirst = false): Promise<void> => {
    underway = true
    again = false
    let wait: number = times.retry
    try {
      await beat()
      if (failing) log.info({}, 'instance reported again')
      failing = false
      wait = again ? 0 : untilNext()
    } catch (err) {
      if (isFirst && err instanceof StartError) throw err
      if (!failing) log.warn({ err }, 'failed to report instance; retrying')
      failing = true
    } finally {
      underway = false
    }
    runIn(wait)
  }
  const runIn = (wait: number): void => {
    stopTimer?.()
    if (!stopped) stopTimer = clock.after(wait, () => void run())
  }
  const now = (): void => {
    if (underway) again = true
    else runIn(0)
  }
  const soon = throttle(
    () => {
      // A retry under way may have read what was true before the news.
      if (underway || !failing) now()
    },
    times.betweenNews,
    clock,
  )

  return {
    start: () => run(true),
    now,
    soon,
    stop() {
      stopped = true
      stopTimer?.()
      soon.stop()
    },
  }
}

import type { Clock, StopTimer, Timers } from '../../src/shared/time/clock.ts'
import { wait } from './wait.ts'

/** A clock that a test moves. */
export interface TestClock extends Clock, Timers {
  /**
   * Moves the time forward. Each timer that becomes due runs at its own time, in the order of their times. After each,
   * pending promises and input continue before the next one runs.
   */
  advance(milliseconds: number): Promise<void>
  /**
   * Moves the time forward as on a machine that was asleep until ten seconds before the end: each timer that became due
   * in the meantime runs once, late. Then as `advance`. An hour takes as long as ten seconds, where `advance` runs the
   * service's checks of each quarter of a second.
   */
  skip(milliseconds: number): Promise<void>
  /** Changes the wall time only, like a user who sets the clock of the machine. */
  setWallTime(now: number): void
  /** Number of timers that are still set. */
  pending(): number
}

interface Timer {
  due: number
  /** Milliseconds; undefined: runs once. */
  readonly interval: number | undefined
  readonly work: () => void
}

export interface TestClockOptions {
  /** Wall time at the start, Unix milliseconds. */
  readonly now?: number
  /** The time also passes by itself, as fast as real time. Otherwise it stands still. */
  readonly runs?: boolean
}

/** The end of a skipped time, in milliseconds: longer than most of the service's timers. */
const awake = 10_000

export function createTestClock({ now = Date.UTC(2026, 0, 1, 12), runs = false }: TestClockOptions = {}): TestClock {
  const startedAt = performance.now()
  let skipped = 0
  let wallOffset = now
  const timers = new Set<Timer>()
  let wakeUp: NodeJS.Timeout | undefined

  const elapsed = (): number => skipped + (runs ? performance.now() - startedAt : 0)

  /** Of timers that are due at the same time, the one that was set first. */
  const earliest = (): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers) if (!first || timer.due < first.due) first = timer
    return first
  }
  const run = (timer: Timer): void => {
    if (timer.interval === undefined) timers.delete(timer)
    else {
      const next = timer.due + timer.interval
      timer.due = next > elapsed() ? next : elapsed() + timer.interval
    }
    timer.work()
  }
  /** Sets the real timer of a running clock to the timer that is due first. */
  const schedule = (): void => {
    clearTimeout(wakeUp)
    const first = runs ? earliest() : undefined
    if (!first) return
    wakeUp = setTimeout(
      () => {
        // All that are due now; those that they set wait for the next round.
        for (const timer of [...timers].sort((one, other) => one.due - other.due)) {
          if (timer.due <= elapsed() && timers.has(timer)) run(timer)
        }
        schedule()
      },
      Math.max(0, first.due - elapsed()),
    ).unref()
  }
  const start = (milliseconds: number, work: () => void, interval?: number): StopTimer => {
    const timer: Timer = { due: elapsed() + milliseconds, interval, work }
    timers.add(timer)
    schedule()
    return () => {
      if (timers.delete(timer)) schedule()
    }
  }

  const advance: TestClock['advance'] = async (milliseconds) => {
    const until = elapsed() + milliseconds
    await settled()
    for (let next = earliest(); next && next.due <= until; next = earliest()) {
      skipped += Math.max(0, next.due - elapsed())
      run(next)
      await settled()
    }
    skipped += Math.max(0, until - elapsed())
    schedule()
  }

  return {
    now: () => Math.round(wallOffset + elapsed()),
    elapsed,
    after: (milliseconds, work) => start(milliseconds, work),
    every: (milliseconds, work) => start(milliseconds, work, milliseconds),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const stop = start(milliseconds, resolve)
        const end = (): void => {
          stop()
          resolve()
        }
        if (signal?.aborted) end()
        else signal?.addEventListener('abort', end, { once: true })
      }),
    advance,
    async skip(milliseconds) {
      const asleep = Math.max(0, milliseconds - awake)
      await settled()
      skipped += asleep
      await advance(milliseconds - asleep)
    },
    pending: () => timers.size,
    setWallTime: (time) => void (wallOffset = time - elapsed()),
  }
}

/**
 * Moves a clock step by step until a check passes; in between, files and requests get some real time.
 *
 * @param check throws as long as it does not pass
 * @param options `pause`: real milliseconds between two steps; more if other processes have to follow
 */
export async function advanceUntil(
  clock: TestClock,
  check: () => unknown,
  {
    step = 250,
    timeout = 60_000,
    pause = 2,
  }: { readonly step?: number; readonly timeout?: number; readonly pause?: number } = {},
): Promise<void> {
  for (const until = performance.now() + timeout; ;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await clock.advance(step)
    await wait(pause, 'files and sockets do not follow the clock')
  }
}

/** Moves a clock in small steps; in between, files and requests get some real time. */
export async function advanceSlowly(clock: TestClock, milliseconds: number): Promise<void> {
  for (const until = clock.elapsed() + milliseconds; clock.elapsed() < until;) {
    await clock.advance(Math.min(50, Math.max(0, until - clock.elapsed())))
    await wait(2, 'files and sockets do not follow the clock')
  }
}

/** Lets pending promises and input continue. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

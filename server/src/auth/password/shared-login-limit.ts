import { LRUCache } from 'lru-cache'
import { cacheLimit } from '../../shared/cache-limit.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import type { Clock, StopTimer } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { FailedLoginStore } from './failed-login-store.ts'
import { decideLogin, tooManyAttempts, type LoginLimit } from './login-limit.ts'

/**
 * Milliseconds: how often and for how long an attempt polls whether pending checks of other instances have ended, and
 * between two cleanups.
 */
const times = { poll: 50, timeout: 5_000, cleanup: 60_000 }

/** Addresses kept that the database has rejected. */
const max = 50_000

export interface SharedLoginLimitDeps extends Runtime {
  /** The limit of this instance alone, asked first. */
  readonly local: LoginLimit
  readonly store: FailedLoginStore
  /** The current limits; empty if limiting is off. The same array until they change. */
  readonly limits: () => readonly RateLimit[]
}

export interface SharedLoginLimit extends LoginLimit {
  stop(): void
}

/**
 * The addresses that the database has rejected: a flood from one that another instance has rejected asks the database
 * once.
 */
function createRejections(clock: Pick<Clock, 'elapsed'>) {
  const rejected = new LRUCache<string, { readonly until: number; readonly limits: readonly RateLimit[] }>(
    cacheLimit(max),
  )
  return {
    /** @param wait milliseconds for which these limits reject the address */
    add: (key: string, wait: number, limits: readonly RateLimit[]) =>
      void rejected.set(key, { until: clock.elapsed() + wait, limits }),
    /** @throws ServiceError `too-many-attempts` */
    check(key: string, limits: readonly RateLimit[]): void {
      const found = rejected.get(key)
      if (found?.limits !== limits) return
      const wait = found.until - clock.elapsed()
      if (wait > 0) throw tooManyAttempts(wait)
    },
  }
}

/**
 * Limits password guesses by address over all instances (NODE-4). While the database is unavailable, the limit of this
 * instance alone applies.
 */
export function createSharedLoginLimit({ local, store, limits, clock, log }: SharedLoginLimitDeps): SharedLoginLimit {
  const rejections = createRejections(clock)
  const stopping = new AbortController()
  let cleaning: StopTimer | undefined

  const unlessLost = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (err) {
      log.debug({ err }, 'failed logins counted by this instance alone')
      return undefined
    }
  }

  const cleanLater = () => {
    cleaning ??= clock.after(times.cleanup, () => {
      cleaning = undefined
      void unlessLost(store.clean())
    })
  }

  /** @returns the place in the database; undefined: it is unavailable. */
  const reserve = async (key: string, active: readonly RateLimit[]): Promise<number | undefined> => {
    const until = clock.elapsed() + times.timeout
    for (;;) {
      rejections.check(key, active)
      const found = await unlessLost(store.reserve(key, active))
      if (typeof found !== 'object') return found
      const next = decideLogin(found.failures, found.checking, found.now, active)
      if (typeof next === 'object') {
        const wait = next.retryAt - found.now
        rejections.add(key, wait, active)
        throw tooManyAttempts(wait)
      }
      // `go`: the row has changed since the statement began.
      if (clock.elapsed() >= until || stopping.signal.aborted)
        throw new ServiceError('busy', { reason: 'login-queue-full', retryAfter: 5 })
      await clock.sleep(times.poll, stopping.signal)
    }
  }

  return {
    async acquire(address) {
      const permit = await local.acquire(address)
      const active = limits()
      if (active.length === 0) return permit
      const key = addressKey(address)
      let place: number | undefined
      try {
        place = await reserve(key, active)
      } catch (error) {
        permit.release()
        throw error
      }
      cleanLater()
      if (place === undefined) return permit
      const reserved = place
      let failed = false
      return {
        fail() {
          failed = true
          permit.fail()
        },
        // Attempts that wait here go on once the place is free for them.
        release: () => void unlessLost(store.settle(key, reserved, failed)).then(() => permit.release()),
      }
    },
    stop() {
      stopping.abort()
      cleaning?.()
    },
  }
}

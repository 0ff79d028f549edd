import type { Clock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { RateLimit } from '../../shared/rate/rate-limit.ts'
import { retryAfterOf } from '../../shared/rate/retry-after.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import { createFailureCount } from './failure-count.ts'

/** `wait`: the limit is reached only if pending checks fail. `retryAt`: milliseconds of a monotonic clock. */
export type LoginDecision = 'go' | 'wait' | { readonly retryAt: number }

/**
 * Decides whether one more password can be checked. All limits apply, and each pending check counts as a failure, so
 * that concurrent guesses can't exceed a limit (RATE-3).
 *
 * @param failures times of the failures, oldest first, in milliseconds.
 * @param checking the number of pending checks.
 */
export function decideLogin(
  failures: readonly number[],
  checking: number,
  now: number,
  limits: readonly RateLimit[],
): LoginDecision {
  let retryAt = 0
  let wait = false
  for (const { count, seconds } of limits) {
    const window = seconds * 1000
    const counts = (at: number | undefined) => at !== undefined && at > now - window
    const last = failures.at(-count)
    if (counts(last)) retryAt = Math.max(retryAt, (last ?? 0) + window)
    else if (checking >= count || counts(failures.at(checking - count))) wait = true
  }
  if (retryAt > 0) return { retryAt }
  return wait ? 'wait' : 'go'
}

/** @param wait milliseconds until the next attempt is allowed */
export const tooManyAttempts = (wait: number): ServiceError =>
  new ServiceError('too-many-attempts', { retryAfter: retryAfterOf(wait) })

/** Limits password guesses by address. */
export interface LoginLimit {
  /**
   * Waits until the limits of the address allow a password check. Release the permit once the check has ended.
   *
   * @throws ServiceError `too-many-attempts`, `busy`
   */
  readonly acquire: (address: string) => Promise<LoginPermit>
}

/** One password check. Only a wrong password counts as a failure, not a right one or a check that throws. */
export interface LoginPermit {
  /** Counts the check as a failure. */
  readonly fail: () => void
  /** Ends the check, so that a waiting one can start. */
  readonly release: () => void
}

/**
 * Checks within the limits of an address. Only a check without a result counts as a failure, not one that throws.
 *
 * @throws ServiceError `too-many-attempts`, `busy`, or what the check throws
 */
export async function checkLimited<Result>(
  { acquire }: LoginLimit,
  address: string,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const permit = await acquire(address)
  try {
    const result = await check()
    if (result === undefined) permit.fail()
    return result
  } finally {
    permit.release()
  }
}

export interface LoginLimitDeps {
  /** The current limits; empty if limiting is off. */
  readonly limits: () => readonly RateLimit[]
  readonly clock: Clock
  /** Max addresses kept. */
  readonly addresses?: number
  /** Max waiting attempts of one address, and of all addresses. */
  readonly waitingOfOne?: number
  readonly waitingOfAll?: number
}

interface Attempts {
  checking: number
  readonly waiting: PromiseWithResolvers<void>[]
}

export function createLoginLimit({
  limits,
  clock,
  addresses,
  waitingOfOne = 500,
  waitingOfAll = 5000,
}: LoginLimitDeps): LoginLimit {
  const failures = createFailureCount({ limits, clock, ...(addresses !== undefined && { addresses }) })
  // Not bounded: there is at most one entry per open request.
  const underway = new Map<string, Attempts>()
  let waiting = 0

  const decide = (key: string, checking: number): LoginDecision =>
    decideLogin(failures.of(key), checking, clock.elapsed(), limits())

  const tooMany = (retryAt: number): ServiceError => tooManyAttempts(retryAt - clock.elapsed())

  const enter = (key: string, attempts: Attempts): Promise<void> | undefined => {
    const next = decide(key, attempts.checking)
    if (typeof next === 'object') throw tooMany(next.retryAt)
    if (next === 'go') {
      attempts.checking += 1
      return undefined
    }
    if (attempts.waiting.length >= waitingOfOne || waiting >= waitingOfAll) {
      throw new ServiceError('busy', {
        reason: 'login-queue-full',
        retryAfter: 5,
      })
    }
    waiting += 1
    const allowed = Promise.withResolvers<void>()
    attempts.waiting.push(allowed)
    return allowed.promise
  }

  const leave = (key: string, attempts: Attempts): void => {
    attempts.checking -= 1
    for (;;) {
      const [next] = attempts.waiting
      const decided = decide(key, attempts.checking)
      if (!next || decided === 'wait') break
      attempts.waiting.shift()
      waiting -= 1
      if (decided === 'go') {
        attempts.checking += 1
        next.resolve()
      } else next.reject(tooMany(decided.retryAt))
    }
    // None waits without a check that is underway.
    if (attempts.checking === 0) underway.delete(key)
  }

  return {
    async acquire(address) {
      const key = addressKey(address)
      const attempts = underway.get(key) ?? { checking: 0, waiting: [] }
      const allowed = enter(key, attempts)
      underway.set(key, attempts)
      await allowed
      return { fail: () => failures.add(key), release: () => leave(key, attempts) }
    },
  }
}

/**
 * The same limits for the secrets and codes of links, with its own count: a page elsewhere can send a browser to
 * links that it made up, which must not keep its user from signing in.
 */
export const limitOfLinks = ({ acquire }: LoginLimit): LoginLimit => ({
  acquire: (address) => acquire(`link ${addressKey(address)}`),
})

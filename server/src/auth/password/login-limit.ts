import type { Clock } from '../../shared/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { RateLimit } from '../../shared/rate-limit.ts'
import { addressKey } from '../../shared/address-key.ts'
import { createFailureCount } from './failure-count.ts'

/** `wait`: only others that are still being checked stand in the way. Times are milliseconds that never jump. */
export type LoginDecision = 'go' | 'wait' | { readonly retryAt: number }

/**
 * May one more password be checked? All limits hold together, and each one that is still being checked
 * counts as if it had failed, so that guesses sent at once cannot pass (RATE-3).
 *
 * @param failures when the failures happened, oldest first.
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

/** Slows down who guesses passwords, by address. */
export interface LoginLimit {
  /**
   * Runs a password check when the address may have one. Only a wrong one counts: a right one, and one that
   * threw before it was found out, gives its place back.
   *
   * @throws ServiceError `too-many-attempts`, `busy`
   */
  readonly attempt: (address: string, check: () => Promise<boolean>) => Promise<boolean>
}

export interface LoginLimitDeps {
  /** The limits in force; none where the limit is off. */
  readonly limits: () => readonly RateLimit[]
  readonly clock: Clock
  /** Addresses remembered. */
  readonly addresses?: number
  /** Attempts of one address, and of all, that may wait for others. */
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
  // Never evicted; as many as there are requests.
  const underway = new Map<string, Attempts>()
  let waiting = 0

  const turn = (key: string, checking: number): LoginDecision =>
    decideLogin(failures.of(key), checking, clock.elapsed(), limits())

  const tooMany = (retryAt: number): ServiceError =>
    new ServiceError('too-many-attempts', 'Too many failed logins. Try again later.', {
      retryAfter: Math.max(1, Math.ceil((retryAt - clock.elapsed()) / 1000)),
    })

  const enter = (key: string, attempts: Attempts): Promise<void> | undefined => {
    const next = turn(key, attempts.checking)
    if (typeof next === 'object') throw tooMany(next.retryAt)
    if (next === 'go') {
      attempts.checking += 1
      return undefined
    }
    if (attempts.waiting.length >= waitingOfOne || waiting >= waitingOfAll) {
      throw new ServiceError('busy', 'Too many are signing in. Try again.', {
        reason: 'many-sign-ins',
        retryAfter: 5,
      })
    }
    waiting += 1
    const turned = Promise.withResolvers<void>()
    attempts.waiting.push(turned)
    return turned.promise
  }

  const leave = (key: string, attempts: Attempts): void => {
    attempts.checking -= 1
    for (;;) {
      const [next] = attempts.waiting
      const decided = turn(key, attempts.checking)
      if (!next || decided === 'wait') break
      attempts.waiting.shift()
      waiting -= 1
      if (decided === 'go') {
        attempts.checking += 1
        next.resolve()
      } else next.reject(tooMany(decided.retryAt))
    }
    if (attempts.checking === 0 && attempts.waiting.length === 0) underway.delete(key)
  }

  return {
    async attempt(address, check) {
      const key = addressKey(address)
      const attempts = underway.get(key) ?? { checking: 0, waiting: [] }
      const turned = enter(key, attempts)
      underway.set(key, attempts)
      await turned
      try {
        const right = await check()
        if (!right) failures.note(key)
        return right
      } finally {
        leave(key, attempts)
      }
    },
  }
}

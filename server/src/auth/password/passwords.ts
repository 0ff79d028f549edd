import { availableParallelism } from 'node:os'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Random } from '../../shared/random.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import { createHashQueue } from '../../users/password/hash-queue.ts'
import type { HashingProcess, HashingProcessDeps } from '../../users/password/hashing-process.ts'
import { checkPassword, hashPassword } from '../../users/password/password.ts'
import { nameKey } from '../../users/user-name.ts'
import { isActive, type User } from '../../users/user.ts'
import type { KnownAddresses } from '../session/known-addresses.ts'
import { checkLimited, type LoginLimit } from './login-limit.ts'

/** Checks passwords within the limit on failed logins, and hashes new ones, all in one queue. */
export interface Passwords {
  /**
   * @returns undefined if the name or the password is wrong, or the user can't sign in; only what is wrong counts as a
   *   failed login (RATE-2)
   * @throws ServiceError `too-many-attempts`, `busy`, `unavailable`
   */
  userWith(name: string, password: string, address: string): Promise<User | undefined>
  /**
   * Whether this is the password of a signed-in user. A wrong password counts as a failed login (RATE-2).
   *
   * @throws ServiceError `too-many-attempts`, `busy`, `unavailable`
   */
  isPasswordOf(user: User, password: string, address: string): Promise<boolean>
  /** Of a user who is allowed to set a password. @throws ServiceError `busy`, `unavailable` */
  hash(password: string): Promise<string>
  stop(): Promise<void>
}

export interface PasswordsDeps {
  readonly store: Pick<AccountStore, 'userByKey' | 'replaceHash'>
  readonly limit: LoginLimit
  readonly knownAddresses: Pick<KnownAddresses, 'has'>
  readonly createHashing: (deps: Pick<HashingProcessDeps, 'concurrency' | 'log'>) => HashingProcess
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: User) => boolean
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly log: Log
}

/** Concurrency is the number of cores (RATE-7). */
export function createPasswords(deps: PasswordsDeps): Passwords {
  const { store, limit, knownAddresses, createHashing, isAccepted, clock, random, log } = deps
  const concurrency = availableParallelism()
  const queue = createHashQueue({ concurrency })
  const { derive, stop } = createHashing({ concurrency, log })
  const hash = (password: string) => queue.run('trusted', () => hashPassword(password, random, derive))

  /** The user, and whether the hash needs more iterations; undefined if the name or the password is wrong. */
  const find = async (name: string, password: string, address: string) => {
    const key = nameKey(name)
    return checkLimited(limit, address, () =>
      queue.run(knownAddresses.has(address) ? 'trusted' : 'unknown', async () => {
        // Only now, so that a flood of logins causes no lookups.
        const user = key === undefined ? undefined : await store.userByKey(key)
        const result = await checkPassword(password, user?.provider ? undefined : user?.passwordHash, derive)
        return result === 'wrong' || !user ? undefined : { user, isWeak: result === 'weak' }
      }),
    )
  }

  /** USER-3: replaces a hash that has too few iterations, in the background, while the password is known. */
  const rehash = async ({ id, passwordHash }: User, password: string) => {
    try {
      await store.replaceHash(id, passwordHash, await hash(password))
    } catch (cause) {
      log.debug({ err: cause }, 'failed to upgrade password hash')
    }
  }

  return {
    hash,
    async userWith(name, password, address) {
      const found = await find(name, password, address)
      // Only after the password: a response that comes sooner would show that the user exists.
      if (!found || !isActive(found.user, clock.now()) || !isAccepted(found.user)) return undefined
      // Now, because a second factor comes with another request, without the password.
      if (found.isWeak) void rehash(found.user, password)
      return found.user
    },
    async isPasswordOf({ passwordHash }, password, address) {
      const right = await checkLimited(limit, address, async () => {
        const result = await queue.run('trusted', () => checkPassword(password, passwordHash, derive))
        return result === 'wrong' ? undefined : result
      })
      return right !== undefined
    },
    stop,
  }
}

import { availableParallelism } from 'node:os'
import type { Log } from '../../shared/log.ts'
import type { Random } from '../../shared/random.ts'
import { createHashQueue, type HashOrigin } from './hash-queue.ts'
import type { HashingProcess, HashingProcessDeps } from './hashing-process.ts'
import { checkPassword, hashPassword, type PasswordCheck } from './password.ts'

/** Hashes and checks passwords, in one queue. */
export interface Passwords {
  /**
   * @param stored called when it is this check's turn, so that a flood of logins causes no lookups; undefined if the
   *   user does not exist
   * @param origin whose check it is: others wait behind `trusted` ones
   * @throws ServiceError `busy`, `unavailable`
   */
  check(password: string, stored: () => Promise<string | undefined>, origin: HashOrigin): Promise<PasswordCheck>
  /** Of a user who is allowed to set a password, so it is `trusted`. @throws ServiceError `busy`, `unavailable` */
  hash(password: string): Promise<string>
  stop(): Promise<void>
}

export interface PasswordsDeps {
  readonly createHashing: (deps: Pick<HashingProcessDeps, 'concurrency' | 'log'>) => HashingProcess
  readonly random: Random
  readonly log: Log
}

/** Concurrency is the number of cores (RATE-7). */
export function createPasswords({ createHashing, random, log }: PasswordsDeps): Passwords {
  const concurrency = availableParallelism()
  const queue = createHashQueue({ concurrency })
  const { derive, stop } = createHashing({ concurrency, log })
  return {
    check: (password, stored, origin) => queue.run(origin, async () => checkPassword(password, await stored(), derive)),
    hash: (password) => queue.run('trusted', () => hashPassword(password, random, derive)),
    stop,
  }
}

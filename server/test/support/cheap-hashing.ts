import { createHmac } from 'node:crypto'
import type { HashingProcess } from '../../src/users/password/hashing-process.ts'

/**
 * PBKDF2 takes a fifth of a second per password, which is its purpose. A test that is not about that needs one round of
 * HMAC, which is what it consists of: a password and the same with a NUL after it have the same hash there, too.
 */
export const createHashingProcess = (): HashingProcess => ({
  derive: ({ password, salt, iterations }) =>
    Promise.resolve(createHmac('sha256', password).update(`${iterations} ${salt}`).digest()),
  stop: () => Promise.resolve(),
})

import { createHash } from 'node:crypto'
import type { HashingProcess } from '../src/users/password/hashing-process.ts'

/** PBKDF2 takes a fifth of a second per password, which is its purpose. A test that is not about that needs no such hash. */
export const createHashingProcess = (): HashingProcess => ({
  derive: ({ password, salt, iterations }) =>
    Promise.resolve(createHash('sha256').update(`${iterations} ${salt} ${password}`).digest()),
  stop: () => Promise.resolve(),
})

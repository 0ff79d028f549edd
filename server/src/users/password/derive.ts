import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

/** Bytes that are derived. */
export const derivedLength = 32

const pbkdf2Async = promisify(pbkdf2)

/** What {@link derive} is given. The bytes of `salt` are those of its text. */
export interface Derivation {
  readonly password: string
  readonly salt: string
  readonly iterations: number
}

/** PBKDF2-SHA256: {@link derivedLength} bytes. */
export type Derive = (derivation: Derivation) => Promise<Buffer>

/** On the thread pool of this process, which in the service is the hashing process (`hashing-process.ts`). */
export const derive: Derive = ({ password, salt, iterations }) =>
  pbkdf2Async(password, salt, iterations, derivedLength, 'sha256')

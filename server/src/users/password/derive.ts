import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

/** Bytes of a derived key. */
export const derivedLength = 32

const pbkdf2Async = promisify(pbkdf2)

/** The input of {@link derive}. `salt` is used as UTF-8 text. */
export interface Derivation {
  readonly password: string
  readonly salt: string
  readonly iterations: number
}

/** PBKDF2-SHA256: {@link derivedLength} bytes. */
export type Derive = (derivation: Derivation) => Promise<Buffer>

/** Derives on this process's thread pool. In the service, that is the hashing process (`hashing-process.ts`). */
export const derive: Derive = ({ password, salt, iterations }) =>
  pbkdf2Async(password, salt, iterations, derivedLength, 'sha256')

import { randomBytes } from 'node:crypto'

/** Randomness is a dependency, so that tests can control it. */
export interface Random {
  /** `length` bytes from the operating system's cryptographic source. */
  bytes(length: number): Buffer
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) }

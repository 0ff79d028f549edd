import { randomBytes } from 'node:crypto'

/** Chance is a part that is handed in. */
export interface Random {
  /** `length` bytes from the operating system's cryptographic source. */
  bytes(length: number): Buffer
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) }

import type { Readable } from 'node:stream'

/**
 * Why the object storage didn't do what it was asked. Never says where the storage is: clients see it.
 *
 * - `unreachable`: no connection, or it broke
 * - `timeout`: no response in time
 * - `denied`: the credentials don't allow it
 * - `credentials`: the storage doesn't know the access key, or the secret is another one
 * - `clock`: its clock and this machine's differ too much
 * - `no-bucket`: there is no such bucket
 * - `full`: it has no more space
 * - `busy`: it is overloaded
 * - `redirected`: it refers to another address, which is never followed
 * - `missing`: there is no such object
 * - `damaged`: what it sends isn't what was stored
 * - `unexpected`: anything else
 */
export const storageProblems = [
  'unreachable',
  'timeout',
  'denied',
  'credentials',
  'clock',
  'no-bucket',
  'full',
  'busy',
  'redirected',
  'missing',
  'damaged',
  'unexpected',
] as const
export type StorageProblem = (typeof storageProblems)[number]

/** A failed request to the object storage. Neither it nor its cause contains an address, a bucket or a signature. */
export class ObjectError extends Error {
  override readonly name = 'ObjectError'
  readonly problem: StorageProblem

  /** @param detail for the log: a status, or a code of the storage or of the system */
  constructor(problem: StorageProblem, detail?: string) {
    super(detail === undefined ? problem : `${problem}: ${detail}`)
    this.problem = problem
  }
}

/** What is stored under a key, known beforehand: an object never changes. */
export interface ObjectContents {
  readonly bytes: number
  /** SHA-256, hex. */
  readonly sha256: string
}

export interface StoredObject {
  readonly key: string
  /** Unix milliseconds, by the clock of the storage. */
  readonly modifiedAt: number
}

export interface ObjectStorageStatus {
  readonly state: 'ok' | 'failing'
  readonly problem?: StorageProblem
  /** Unix milliseconds of the first failure since the last success. */
  readonly since?: number
}

/** The object storage. Every request has a time limit, and throws {@link ObjectError}. */
export interface Objects {
  /** Whether an object storage is configured. */
  configured(): boolean
  status(): ObjectStorageStatus
  /** Stores an object, and returns once the storage has confirmed its checksum. @param read opens its contents */
  put(key: string, contents: ObjectContents, read: () => Promise<Readable>, signal?: AbortSignal): Promise<void>
  /** Reads a whole object. @throws ObjectError `damaged` if it isn't what was stored */
  get(key: string, contents: ObjectContents, signal?: AbortSignal): Promise<Buffer>
  /** Does nothing if there is no such object. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** Every object whose key begins with a text, in pages. */
  list(prefix: string, signal?: AbortSignal): AsyncGenerator<readonly StoredObject[]>
}

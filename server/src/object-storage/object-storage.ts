import pLimit from 'p-limit'
import { isDeepStrictEqual } from 'node:util'
import type { Timers } from '../shared/time/clock.ts'
import { ObjectError, type Objects, type ObjectStorageStatus } from '../shared/storage/objects.ts'
import type { Runtime } from '../shared/runtime.ts'
import { s3Client, type S3Client } from './s3-client.ts'
import { s3Settings, type S3Settings, type StorageConfig } from './storage.config.ts'

export interface ObjectStorageDeps extends Runtime {
  readonly settings: () => StorageConfig
}

const isLost = ({ problem }: ObjectError): boolean => problem === 'missing' || problem === 'damaged'

/** Reads that wait for others. More are refused, because a storage that hangs would keep all of their users waiting. */
const maxWaiting = 64

/** Milliseconds that a read waits for others before it is refused. */
const longestWait = 10_000

/** Requests in progress. Reads don't wait for writes: users wait for them. */
const concurrency = { write: 2, read: 8 }

/** The configured object storage; a change of the configuration takes effect with the next request. */
export function createObjectStorage({ settings, clock, log }: ObjectStorageDeps): Objects & { stop(): void } {
  let used: { readonly settings: S3Settings; readonly client: S3Client } | undefined
  let status: ObjectStorageStatus = { state: 'ok' }
  const limits = { write: pLimit(concurrency.write), read: pLimit(concurrency.read) }

  const client = (): S3Client => {
    const next = s3Settings(settings())
    if (!next) throw new ObjectError('unreachable', 'not configured')
    if (!isDeepStrictEqual(next, used?.settings)) {
      used?.client.close()
      used = { settings: next, client: s3Client(next, clock) }
    }
    return used!.client
  }

  const succeeded = (): void => {
    if (status.state === 'failing') log.info({ reason: status.problem }, 'object storage resumed')
    status = { state: 'ok' }
  }
  /** Logs each problem once, until the storage works again. */
  const failed = (error: ObjectError): void => {
    const { problem } = error
    if (status.problem !== problem) log.warn({ err: error }, 'object storage failing')
    status = { state: 'failing', problem, since: status.since ?? clock.now() }
  }
  const tracked = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    try {
      const result = await work()
      succeeded()
      return result
    } catch (error) {
      if (error instanceof ObjectError && !signal?.aborted) {
        // A lost object says nothing of the others.
        if (isLost(error)) succeeded()
        else failed(error)
      }
      throw error
    }
  }

  return {
    configured: () => s3Settings(settings()) !== undefined,
    status: () => status,
    put: (key, contents, read, signal) =>
      limits.write(() => tracked(() => client().put(key, contents, read, signal), signal)),
    async get(key, contents, signal) {
      if (limits.read.pendingCount >= maxWaiting) throw new ObjectError('busy', 'too many reads')
      return waitAtMost(longestWait, clock, (begin) =>
        limits.read(() => {
          begin()
          return tracked(() => client().get(key, contents, signal), signal)
        }),
      )
    },
    remove: (key, signal) => limits.write(() => tracked(() => client().remove(key, signal), signal)),
    async *list(prefix, signal) {
      const pages = client().list(prefix, signal)
      for (;;) {
        const { done, value } = await limits.write(() => tracked(() => pages.next(), signal))
        if (done) return
        yield value
      }
    },
    stop: () => used?.client.close(),
  }
}

/**
 * Does work that waits for its turn.
 *
 * @param work calls `begin` when it's its turn, which throws if that is too late
 * @throws ObjectError `busy` after that time, milliseconds
 */
function waitAtMost<T>(time: number, clock: Timers, work: (begin: () => void) => Promise<T>): Promise<T> {
  const tooLate = new ObjectError('busy', 'too many reads')
  const { promise, reject } = Promise.withResolvers<never>()
  let isLate = false
  const stopTimer = clock.after(time, () => {
    isLate = true
    reject(tooLate)
  })
  const begin = (): void => {
    stopTimer()
    if (isLate) throw tooLate
  }
  return Promise.race([work(begin), promise])
}

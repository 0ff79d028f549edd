import type { Log } from '../shared/log.ts'
import { messageOf } from '../shared/caught-error.ts'

export interface RepeatedFailure {
  failed(error: unknown): void
  succeeded(): void
}

/** Logs a failure that repeats, up to several times a second, once, until it ends or becomes another one. */
export function reportOnce(log: Log, phrase: string): RepeatedFailure {
  let last: string | undefined
  return {
    succeeded: () => void (last = undefined),
    failed(err) {
      const message = messageOf(err)
      if (message !== last) log.error({ err }, phrase)
      last = message
    },
  }
}

/** What is logged each time that a source can't be read. */
export const notRead = 'failed to read config; keeping previous config'

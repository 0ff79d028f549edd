import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'
import { differences, untilRestart } from './difference.ts'
import { keepProxyGuard } from './proxy-guard.ts'
import type { Whole } from './load.ts'

/** Key paths, as `auth.roles.guard`. */
export interface SaveResult {
  readonly applied: readonly string[]
  /** What the file says otherwise than the running service, until it is started again. */
  readonly restart_required: readonly string[]
}

/** Takes a configuration into use. One that throws keeps it from all: the others are told to go back. */
export type ConfigListener = (next: Config, previous: Config) => void | Promise<void>

interface Standing {
  readonly config: Config
  readonly written: Config
  /** Of the file that says so. */
  readonly etag: string
  readonly blank: boolean
}

export interface InForce {
  now(): Standing
  /** Listeners are told in order, and each is waited for. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener): () => void
  /**
   * Takes another configuration into use everywhere, or nowhere.
   *
   * @throws ServiceError `unavailable` where a listener cannot.
   */
  take(loaded: Whole, etag: string): Promise<SaveResult>
  /** A file was made that says nothing. */
  madeBlank(etag: string): void
}

/** The configuration in force. What needs a restart stays as it was at the start. */
export function createInForce(started: Whole, etag: string, log: Log): InForce {
  let standing: Standing = { config: started.config, written: started.written, etag, blank: started.blank }
  const listeners = new Set<ConfigListener>()

  async function takeBack(told: readonly ConfigListener[], next: Config, previous: Config): Promise<void> {
    for (const listener of told) {
      try {
        await listener(previous, next)
      } catch (error) {
        log.error({ error }, 'The configuration before could not be taken back into use everywhere')
      }
    }
  }

  return {
    now: () => standing,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async take(loaded, newEtag) {
      const before = standing
      const config = keepProxyGuard(before.config, untilRestart(started.config, loaded.config))
      const written = untilRestart(started.written, loaded.written)
      const applied = differences(before.config, config)
      standing = { config, written, etag: newEtag, blank: loaded.blank }
      const told: ConfigListener[] = []
      try {
        for (const listener of applied.length > 0 ? listeners : []) {
          told.unshift(listener)
          await listener(config, before.config)
        }
      } catch (cause) {
        standing = before
        await takeBack(told, config, before.config)
        const detail = 'The configuration could not be applied; the one before stays in force. The log says why.'
        throw new ServiceError('unavailable', detail, { reason: 'config-not-applied', cause })
      }
      const waiting = differences(config, loaded.config)
      return { applied: applied.map(({ field }) => field), restart_required: waiting.map(({ field }) => field) }
    },
    madeBlank(newEtag) {
      standing = { ...standing, etag: newEtag, blank: true }
    },
  }
}

import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'
import { diffConfig, untilRestart } from './diff-config.ts'
import { keepProxyGuard } from './proxy-guard.ts'
import type { ValidConfig } from './load.ts'

/** Key paths, as `auth.roles.guard`. */
export interface SaveResult {
  readonly applied: readonly string[]
  /** What the file says otherwise than the running service, until it is started again. */
  readonly restart_required: readonly string[]
}

/** Takes a configuration into use. One that throws keeps it from all: the others are told to go back. */
export type ConfigListener = (next: Config, previous: Config) => void | Promise<void>

interface ConfigProblems {
  readonly config: Config
  readonly written: Config
  /** Of the file that says so. */
  readonly etag: string
  readonly blank: boolean
}

export interface ActiveConfig {
  now(): ConfigProblems
  /** Listeners are told in order, and each is waited for. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener): () => void
  /**
   * Takes another configuration into use everywhere, or nowhere.
   *
   * @throws ServiceError `unavailable` where a listener cannot.
   */
  take(loaded: ValidConfig, etag: string): Promise<SaveResult>
  /** A file was made that says nothing. */
  madeBlank(etag: string): void
}

/** The configuration in force. What needs a restart stays as it was at the start. */
export function createActiveConfig(started: ValidConfig, etag: string, log: Log): ActiveConfig {
  let problems: ConfigProblems = { config: started.config, written: started.written, etag, blank: started.blank }
  const listeners = new Set<ConfigListener>()

  async function rollBack(notified: readonly ConfigListener[], next: Config, previous: Config): Promise<void> {
    for (const listener of notified) {
      try {
        await listener(previous, next)
      } catch (error) {
        log.error({ error }, 'The configuration before could not be taken back into use everywhere')
      }
    }
  }

  return {
    now: () => problems,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async take(loaded, newEtag) {
      const before = problems
      const config = keepProxyGuard(before.config, untilRestart(started.config, loaded.config))
      const written = untilRestart(started.written, loaded.written)
      const applied = diffConfig(before.config, config)
      problems = { config, written, etag: newEtag, blank: loaded.blank }
      const notified: ConfigListener[] = []
      try {
        for (const listener of applied.length > 0 ? listeners : []) {
          notified.unshift(listener)
          await listener(config, before.config)
        }
      } catch (cause) {
        problems = before
        await rollBack(notified, config, before.config)
        const detail = 'The configuration could not be applied; the one before stays in force. The log says why.'
        throw new ServiceError('unavailable', detail, { reason: 'config-not-applied', cause })
      }
      const waiting = diffConfig(config, loaded.config)
      return { applied: applied.map(({ field }) => field), restart_required: waiting.map(({ field }) => field) }
    },
    madeBlank(newEtag) {
      problems = { ...problems, etag: newEtag, blank: true }
    },
  }
}

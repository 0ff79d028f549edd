import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'
import { diffConfig, untilRestart } from './diff-config.ts'
import { keepProxyGuard } from './proxy-guard.ts'
import type { ValidConfig } from './load.ts'

/** Key paths, such as `auth.roles.guard`. */
export interface SaveResult {
  readonly applied: readonly string[]
  /** Changed keys that take effect only at the next start. */
  readonly restart_required: readonly string[]
}

/** Applies a configuration. If one listener throws, the new configuration is rolled back in all of them. */
export type ConfigListener = (next: Config, previous: Config) => void | Promise<void>

interface ConfigProblems {
  readonly config: Config
  readonly written: Config
  /** ETag of the active file. */
  readonly etag: string
  readonly blank: boolean
}

export interface ActiveConfig {
  now(): ConfigProblems
  /** Listeners run in order, each awaited. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener): () => void
  /**
   * Applies another configuration to every listener, or to none.
   *
   * @throws ServiceError `unavailable` if a listener fails.
   */
  take(loaded: ValidConfig, etag: string): Promise<SaveResult>
  /** Records that a file without keys was created. */
  madeBlank(etag: string): void
}

/** The active configuration. Keys that need a restart keep their value from the start. */
export function createActiveConfig(started: ValidConfig, etag: string, log: Log): ActiveConfig {
  let problems: ConfigProblems = { config: started.config, written: started.written, etag, blank: started.blank }
  const listeners = new Set<ConfigListener>()

  async function rollBack(notified: readonly ConfigListener[], next: Config, previous: Config): Promise<void> {
    for (const listener of notified) {
      try {
        await listener(previous, next)
      } catch (error) {
        log.error({ err: error }, 'config rollback failed')
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
        const detail = "Couldn't apply the configuration; the previous one stays active. See the log for the reason."
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

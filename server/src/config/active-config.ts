import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { diffConfig, untilRestart } from './diff-config.ts'
import type { ConfigFormat, ValidConfig } from './load.ts'
import type { ConfigReasons } from './reasons.ts'

/** Key paths, such as `auth.roles.guard`. */
export interface SaveResult {
  readonly applied: readonly string[]
  /** Changed keys that take effect only at the next start. */
  readonly restart_required: readonly string[]
}

/** Applies a configuration. If one listener throws, the new configuration is rolled back in all of them. */
export type ConfigListener<C> = (next: C, previous: C) => void | Promise<void>

interface CurrentConfig<C> {
  readonly config: C
  readonly written: C
  /** ETag of the active text. */
  readonly etag: string
  readonly empty: boolean
}

export interface ActiveConfig<C> {
  now(): CurrentConfig<C>
  /** Listeners run in order, each awaited. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener<C>): () => void
  /**
   * Applies another configuration to every listener, or to none.
   *
   * @throws ServiceError `unavailable` if a listener fails.
   */
  apply(loaded: ValidConfig<C>, etag: string): Promise<SaveResult>
  /** Records that a text without keys was created. */
  madeEmpty(etag: string): void
}

/** The active configuration. Keys that need a restart keep their value from the start. */
export function createActiveConfig<C>(
  { schema, keep }: Pick<ConfigFormat<C>, 'schema' | 'keep'>,
  started: ValidConfig<C>,
  etag: string,
  log: Log,
): ActiveConfig<C> {
  let current: CurrentConfig<C> = { config: started.config, written: started.written, etag, empty: started.empty }
  const listeners = new Set<ConfigListener<C>>()

  async function rollBack(notified: readonly ConfigListener<C>[], next: C, previous: C): Promise<void> {
    for (const listener of notified) {
      try {
        await listener(previous, next)
      } catch (error) {
        log.error({ err: error }, 'config rollback failed')
      }
    }
  }

  return {
    now: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async apply(loaded, newEtag) {
      const before = current
      const config = keep(before.config, untilRestart(schema, started.config, loaded.config))
      const written = untilRestart(schema, started.written, loaded.written)
      const applied = diffConfig(schema, before.config, config)
      current = { config, written, etag: newEtag, empty: loaded.empty }
      const notified: ConfigListener<C>[] = []
      try {
        for (const listener of applied.length > 0 ? listeners : []) {
          notified.unshift(listener)
          await listener(config, before.config)
        }
      } catch (cause) {
        current = before
        await rollBack(notified, config, before.config)
        throw new ServiceError<ConfigReasons>('unavailable', { reason: 'config-not-applied', cause })
      }
      const waiting = diffConfig(schema, config, loaded.config)
      return { applied: applied.map(({ field }) => field), restart_required: waiting.map(({ field }) => field) }
    },
    madeEmpty(newEtag) {
      current = { ...current, etag: newEtag, empty: true }
    },
  }
}

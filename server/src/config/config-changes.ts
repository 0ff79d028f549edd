import { type Problem, ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { ActiveConfig, SaveResult } from './active-config.ts'
import { logFailure, type ConfigApplier } from './config-applier.ts'
import type { ConfigChange, ConfigSource, StoredText } from './source/config-source.ts'
import { isWhole, type ConfigFormat, type Loaded, type ValidConfig } from './load.ts'
import { configProblem } from './problem-codes.ts'
import type { ConfigReasons } from './reasons.ts'

export interface ConfigChangesDeps<C, Within> {
  readonly format: ConfigFormat<C>
  readonly source: ConfigSource<C, Within>
  readonly active: ActiveConfig<C>
  readonly applier: ConfigApplier<C>
  readonly log: Log
}

/** Changes of the configuration by this service. The caller runs one at a time. */
export interface ConfigChanges<C, Within> {
  /** Stores a text and applies it. */
  replace(
    before: StoredText,
    text: string,
    change: ConfigChange<Within>,
    judge?: (next: C) => Promise<void>,
  ): Promise<SaveResult>
  /** Waits for a change in progress elsewhere and applies it first, so that no change is based on a half-written text. */
  readActive(): Promise<StoredText>
  /** Replaces the text by an edited one. Line endings stay unchanged. */
  edit(found: StoredText, edited: (text: string) => string, change: ConfigChange<Within>): Promise<SaveResult>
  /** Creates the text if it is missing; it contains no keys. */
  createEmpty(text: string): Promise<void>
}

export function createConfigChanges<C, Within>(deps: ConfigChangesDeps<C, Within>): ConfigChanges<C, Within> {
  const { format, source, active, applier, log } = deps

  const replace: ConfigChanges<C, Within>['replace'] = async (before, text, change, judge) => {
    const loaded = requireWhole(format.load(text))
    await judge?.(loaded.config)
    await change.beforeWrite?.()
    const { etag } = await source.replace(before, text, loaded.config, change)
    try {
      return await applier.apply(loaded, etag)
    } catch (error) {
      logFailure(error, log)
      await source.undo(before)
      throw error
    }
  }

  return {
    replace,
    async readActive() {
      const found = await source.read()
      if (found.etag === active.now().etag) return found
      const settled = await source.settled()
      await applier.applyFound(settled)
      if (settled.etag === active.now().etag) return settled
      throw new ServiceError<ConfigReasons>('conflict', { reason: 'config-not-active' })
    },
    async edit(found, edited, change) {
      const text = (found.bytes ?? Buffer.alloc(0)).toString()
      const before = text.replaceAll('\r\n', '\n')
      const after = edited(before)
      if (after === before) return { applied: [], restart_required: [] }
      return replace(found, text === before ? after : after.replaceAll('\n', '\r\n'), change)
    },
    async createEmpty(text) {
      const found = await source.read()
      if (found.bytes !== undefined) return
      const { etag } = await source.replace(found, text, active.now().config, { author: '' })
      applier.madeEmpty(etag)
    },
  }
}

/** @throws ServiceError `invalid-request` with every problem */
function requireWhole<C>(loaded: Loaded<C>): ValidConfig<C> {
  const problems = problemsToSave(loaded)
  if (isWhole(loaded) && problems.length === 0) return loaded
  throw new ServiceError<ConfigReasons>('invalid-request', {
    reason: 'config-problems',
    values: { count: problems.length },
    problems,
  })
}

/** Problems that prevent a save, including a text without keys, such as a truncated file (CONF-4). */
export const problemsToSave = ({ problems, empty }: Loaded<unknown>): readonly Problem[] =>
  empty ? [...problems, noKeys] : problems

const noKeys: Problem = {
  field: '',
  ...configProblem('no-keys'),
}

import { rm } from 'node:fs/promises'
import { type Problem, ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { ActiveConfig, SaveResult } from './active-config.ts'
import { etagOf, type ConfigOnDisk, type OnDisk } from './file-watcher.ts'
import { isWhole, loadBytes, type ConfigFormat, type Loaded, type ValidConfig } from './load.ts'
import { configProblem } from './problem-codes.ts'
import { problemLines } from './problem-collector.ts'
import type { ConfigReasons } from './reasons.ts'
import { cannotReplace, replaceFile } from './replace-file.ts'

export interface ConfigChangesDeps<C> {
  readonly format: ConfigFormat<C>
  /** `config.yml`, absolute. */
  readonly file: string
  /** The name of the file in messages. */
  readonly name: string
  readonly disk: ConfigOnDisk
  readonly active: ActiveConfig<C>
  readonly log: Log
}

/** Changes of `config.yml`, by hand and by the service. The caller runs one at a time. */
export interface ConfigChanges<C> {
  /** Checks a manual edit. Applies it only if it is valid and contains a key. */
  applyManualEdit(found: OnDisk): Promise<void>
  /** Writes a text and applies it: both, or neither. */
  replace(before: OnDisk, text: string, judge?: (next: C) => Promise<void>): Promise<SaveResult>
  /** Waits for a manual edit in progress and applies it first, so that no change is based on a half-written file. */
  readActive(): Promise<OnDisk>
  /** Replaces the text by an edited one. Line endings stay unchanged. */
  edit(found: OnDisk, change: (text: string) => string): Promise<SaveResult>
  /** Records that a file without keys was created. */
  created(text: string): void
}

export function createConfigChanges<C>(deps: ConfigChangesDeps<C>): ConfigChanges<C> {
  const { format, file, name, disk, active, log } = deps
  /** ETag of the last text checked, active or not; the same text is not checked and logged again. */
  let checked: string | undefined = active.now().etag

  async function apply(loaded: ValidConfig<C>, etag: string): Promise<SaveResult> {
    const result = await active.take(loaded, etag)
    logWarnings(loaded, name, log)
    return result
  }

  async function applyManualEdit({ bytes, etag }: OnDisk): Promise<void> {
    const found = bytes && etag
    if (found === checked) return
    checked = found
    if (found === active.now().etag) return
    const loaded = loadBytes(bytes, format)
    if (loaded.problems.length > 0) {
      log.error({ problems: problemLines(name, loaded.problems) }, 'config invalid; keeping previous config')
    } else if (bytes === undefined || (loaded.blank && !active.now().blank)) {
      log.warn({ file }, `config ${bytes ? 'empty' : 'missing'}; keeping previous config`)
    } else if (isWhole(loaded)) {
      try {
        const { applied, restart_required } = await apply(loaded, etag)
        log.info({ applied, restart_required }, 'config reloaded')
      } catch (error) {
        log.error({ err: causeOf(error) }, 'failed to apply config; keeping previous config')
      }
    }
  }

  async function replace(before: OnDisk, text: string, judge?: (next: C) => Promise<void>): Promise<SaveResult> {
    const loaded = requireWhole(format.load(text))
    await judge?.(loaded.config)
    await replaceFile(file, text, { keepAs: `${file}.previous` }).catch(cannotReplace)
    const etag = etagOf(Buffer.from(text))
    try {
      const result = await apply(loaded, etag)
      checked = etag
      return result
    } catch (error) {
      const restored = before.bytes === undefined ? rm(file, { force: true }) : replaceFile(file, before.bytes)
      await restored.catch(cannotReplace)
      log.error({ err: causeOf(error) }, 'failed to apply config; previous file restored')
      throw error
    }
  }

  async function readActive(): Promise<OnDisk> {
    const found = await disk.read()
    if (found.etag === active.now().etag) return found
    const settled = await disk.settled()
    await applyManualEdit(settled)
    if (settled.etag === active.now().etag) return settled
    throw new ServiceError<ConfigReasons>('conflict', { reason: 'config-not-active' })
  }

  return {
    applyManualEdit,
    replace,
    readActive,
    async edit(found, change) {
      const text = (found.bytes ?? Buffer.alloc(0)).toString()
      const before = text.replaceAll('\r\n', '\n')
      const after = change(before)
      if (after === before) return { applied: [], restart_required: [] }
      return replace(found, text === before ? after : after.replaceAll('\n', '\r\n'))
    },
    created(text) {
      checked = etagOf(Buffer.from(text))
      active.madeBlank(checked)
    },
  }
}

export function logWarnings({ warnings }: Loaded<unknown>, name: string, log: Log): void {
  if (warnings.length === 0) return
  log.warn({ warnings: problemLines(name, warnings) }, 'config has warnings')
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

const causeOf = (error: unknown): unknown => (error instanceof ServiceError ? error.cause : error)

/** Problems that prevent a save, including a text without keys, such as a truncated file (CONF-4). */
export const problemsToSave = ({ problems, blank }: Loaded<unknown>): readonly Problem[] =>
  blank ? [...problems, noKeys] : problems

const noKeys: Problem = {
  field: '',
  ...configProblem('no-keys'),
}

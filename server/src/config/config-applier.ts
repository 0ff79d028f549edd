import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { ActiveConfig, SaveResult } from './active-config.ts'
import type { StoredText } from './source/config-source.ts'
import { isWhole, loadBytes, type ConfigFormat, type Loaded, type ValidConfig } from './load.ts'
import { problemLines } from './problem-collector.ts'
import { reportOnce } from './report-once.ts'

export interface ConfigApplierDeps<C> {
  readonly format: ConfigFormat<C>
  /** Name of the text in messages. */
  readonly name: string
  readonly active: ActiveConfig<C>
  /** ETag of the current text at the start, if an earlier one is active because it is invalid. */
  readonly invalid: string | undefined
  readonly log: Log
}

/** Applies texts. The caller runs one at a time. */
export interface ConfigApplier<C> {
  /** Applies a text that was stored by this service. @throws ServiceError `unavailable` if a listener fails */
  apply(loaded: ValidConfig<C>, etag: string): Promise<SaveResult>
  /**
   * Checks a text that was stored elsewhere. Applies it only if it is valid and contains a key.
   *
   * @returns false if applying it failed
   */
  applyFound(found: StoredText): Promise<boolean>
  /** The same, of a text that may be active already, but is to be read again. */
  applyAgain(found: StoredText): Promise<boolean>
  /** Records that a text without keys was created. */
  madeEmpty(etag: string): void
  /** Whether the current text is not the active one, because it is invalid or could not be applied. */
  isOutdated(): boolean
}

export function createConfigApplier<C>({ format, name, active, invalid, log }: ConfigApplierDeps<C>): ConfigApplier<C> {
  /** ETag of the last text checked, active or not; the same text is not checked and logged again. */
  let checked: string | undefined = invalid ?? active.now().etag
  let outdated = invalid !== undefined
  const report = reportOnce(log, notApplied)

  async function apply(loaded: ValidConfig<C>, etag: string): Promise<SaveResult> {
    outdated = true
    checked = undefined
    const result = await active.apply(loaded, etag)
    checked = etag
    outdated = false
    logWarnings(loaded, name, log)
    return result
  }

  async function applyAgain({ bytes, etag }: StoredText): Promise<boolean> {
    const loaded = loadBytes(bytes, format)
    checked = bytes && etag
    outdated = true
    if (loaded.problems.length > 0) {
      log.error({ problems: problemLines(name, loaded.problems) }, 'config invalid; keeping previous config')
    } else if (bytes === undefined || (loaded.empty && !active.now().empty)) {
      log.warn(
        { file: name },
        bytes ? 'config empty; keeping previous config' : 'config missing; keeping previous config',
      )
    } else if (isWhole(loaded)) {
      try {
        const { applied, restart_required } = await apply(loaded, etag)
        report.succeeded()
        log.info({ applied, restart_required }, 'config reloaded')
      } catch (error) {
        report.failed(reasonOf(error))
        return false
      }
    }
    return true
  }

  return {
    apply,
    applyAgain,
    async applyFound(found) {
      if ((found.bytes && found.etag) === checked) return true
      if (found.etag !== active.now().etag) return applyAgain(found)
      checked = found.etag
      outdated = false
      return true
    },
    madeEmpty(etag) {
      checked = etag
      active.madeEmpty(etag)
    },
    isOutdated: () => outdated,
  }
}

export function logWarnings({ warnings }: Loaded<unknown>, name: string, log: Log): void {
  if (warnings.length === 0) return
  log.warn({ warnings: problemLines(name, warnings) }, 'config has warnings')
}

const notApplied = 'failed to apply config; keeping previous config'

export const logFailure = (error: unknown, log: Log): void => log.error({ err: reasonOf(error) }, notApplied)

const reasonOf = (error: unknown): unknown => (error instanceof ServiceError ? error.cause : error)

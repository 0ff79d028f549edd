import pLimit from 'p-limit'
import { type Problem, ServiceError, StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { firstConfig } from './source/first-config.ts'
import { createConfigApplier, logWarnings } from './config-applier.ts'
import { createConfigChanges, problemsToSave, type ConfigChanges } from './config-changes.ts'
import type { ConfigChange, ConfigSource, StoredText } from './source/config-source.ts'
import { createActiveConfig, type ActiveConfig, type ConfigListener, type SaveResult } from './active-config.ts'
import { isWhole, loadBytes, type ConfigFormat } from './load.ts'
import { problemLines } from './problem-collector.ts'
import type { ConfigReasons } from './reasons.ts'
import { notRead, reportOnce } from './report-once.ts'
import { messageOf, systemCodeOf } from '../shared/caught-error.ts'
import { startStatus } from '../shared/files/start-status.ts'

export interface ConfigStoreDeps<C, Within> {
  readonly format: ConfigFormat<C>
  readonly source: ConfigSource<C, Within>
  readonly log: Log
}

/** A change of the configuration that someone requests. */
export interface RequestedChange<Within = never> extends ConfigChange<Within> {
  /**
   * Decides again whether it is allowed, once those before it are made: they can take seconds.
   *
   * @throws ServiceError if it isn't anymore
   */
  readonly authorizeAgain: () => Promise<void>
}

/** The configuration: the text in its source, and what of it is active. */
export interface ConfigStore<C, Within = never> {
  /** State of the text when it was opened. `empty`: no keys, so everything has its default. */
  readonly atStart: 'missing' | 'empty' | 'present'
  /** The active configuration. Keys that need a restart keep their value from the start. */
  current(): C
  /** The active configuration with unresolved placeholders. */
  written(): C
  /** Listeners run in order, each awaited. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener<C>): () => void
  /** Creates the text if it does not exist. */
  writeFirst(): Promise<void>
  /** Starts watching the source, and applies changes made elsewhere. */
  watch(): void
  /**
   * Applies the text again, because what it is combined with has changed; the last one that was read if it can't be read.
   *
   * @returns false if that failed, and has to be done again
   */
  reapply(): Promise<boolean>
  /** Whether the stored text is not the active one, because it is invalid or could not be applied. */
  isOutdated(): boolean
  /**
   * Whether the text that was found last is the current one, as far as is known of all but the last few seconds. Otherwise
   * no one is let in by the active configuration: it may have been changed elsewhere.
   */
  isCurrent(): boolean
  raw(): Promise<{ readonly text: string; readonly etag: string }>
  check(text: string): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] }
  /**
   * Stores the text and applies it.
   *
   * @param judge checks the configuration before the write, and throws to reject it
   * @throws ServiceError `precondition-required`, `precondition-failed`, `invalid-request` with every problem, or `unavailable`.
   */
  save(
    text: string,
    ifMatch: string | undefined,
    change: RequestedChange<Within>,
    judge?: (next: C) => Promise<void>,
  ): Promise<SaveResult>
  /**
   * Edits the text and applies it. Line endings stay unchanged.
   *
   * @param edited throws to reject the edit; `written` is the active configuration with unresolved placeholders
   * @param ifMatch ETag of the version that was read
   * @throws ServiceError as {@link save}, and `conflict` if the text differs from the active configuration.
   */
  edit(
    edited: (text: string, written: C) => string,
    ifMatch: string | undefined,
    change: RequestedChange<Within>,
  ): Promise<Edited<C>>
  /** ETag of the active configuration. */
  version(): string
  /** As {@link edit}, of whatever version is active: `edited` itself checks that it applies to it. */
  editActive(edited: (text: string, active: C) => string, change: RequestedChange<Within>): Promise<SaveResult>
  stop(): Promise<void>
}

/** Result of an edit, with the configuration as in {@link ConfigStore.written}. */
export interface Edited<C> {
  readonly written: C
  readonly etag: string
}

/**
 * Opens the configuration of a source, once nothing is writing it. A missing text counts as all defaults; the caller
 * decides whether that is allowed. If the current text is invalid, an earlier one of the source is active.
 *
 * @throws StartError listing every problem of the current text, if there is no valid one
 */
export async function openConfigStore<C, Within>({
  format,
  source,
  log,
}: ConfigStoreDeps<C, Within>): Promise<ConfigStore<C, Within>> {
  const { name } = source
  const { found, opened, invalid } = await firstValid(source, format, log)
  logWarnings(opened, name, log)
  const active = createActiveConfig(format, opened, found.etag, log)
  const applier = createConfigApplier({ format, name, active, invalid, log })
  const changes = createConfigChanges({ format, source, active, applier, log })
  const serialized = pLimit(1)
  let stopWatching: (() => Promise<void>) | undefined

  return {
    atStart: found.bytes === undefined ? 'missing' : opened.empty ? 'empty' : 'present',
    current: () => active.now().config,
    written: () => active.now().written,
    subscribe: (listener) => active.subscribe(listener),
    isOutdated: () => applier.isOutdated(),
    isCurrent: () => source.isCurrent(),
    version: () => active.now().etag,
    writeFirst: () => serialized(() => changes.createEmpty(firstConfig(format.schema))),
    watch() {
      const report = reportOnce(log, notRead)
      stopWatching = source.watch({
        found: (read, onActive) =>
          serialized(async () => {
            const text = await read()
            report.succeeded()
            if (!text) return true
            const isApplied = await applier.applyFound(text)
            if (!applier.isOutdated()) onActive?.()
            return isApplied
          }),
        failed: report.failed,
      })
    },
    reapply: () => serialized(async () => applier.applyAgain(await source.latest())),
    async raw() {
      const { bytes, etag } = await source.read()
      return { text: (bytes ?? Buffer.alloc(0)).toString(), etag }
    },
    check(text) {
      const loaded = format.load(text)
      return { problems: problemsToSave(loaded), warnings: loaded.warnings }
    },
    ...edits({ source, active, changes }, serialized),
    async stop() {
      await stopWatching?.()
      await serialized(async () => {})
    },
  }
}

interface Editable<C, Within> {
  readonly source: ConfigSource<C, Within>
  readonly active: ActiveConfig<C>
  readonly changes: ConfigChanges<C, Within>
}

/** Attempts of an edit that applies to whatever version is active, while others change it. */
const attempts = 5

function edits<C, Within>(
  { source, active, changes }: Editable<C, Within>,
  serialized: <T>(work: () => Promise<T>) => Promise<T>,
): Pick<ConfigStore<C, Within>, 'save' | 'edit' | 'editActive'> {
  return {
    save: (text, ifMatch, change, judge) =>
      serialized(async () => {
        const match = given(ifMatch)
        const found = await source.read()
        await change.authorizeAgain()
        requireMatch(found, match)
        return changes.replace(found, text, change, judge)
      }),
    edit: (edited, ifMatch, change) =>
      serialized(async () => {
        const match = given(ifMatch)
        const found = await changes.readActive()
        await change.authorizeAgain()
        requireMatch(found, match)
        await changes.edit(found, (text) => edited(text, active.now().written), change)
        const { written, etag } = active.now()
        return { written, etag }
      }),
    editActive: (edited, change) =>
      serialized(async () => {
        for (let attempt = 1; ; attempt += 1) {
          const found = await changes.readActive()
          await change.authorizeAgain()
          try {
            return await changes.edit(found, (text) => edited(text, active.now().config), change)
          } catch (error) {
            if (attempt >= attempts || !isConfigChanged(error)) throw error
          }
        }
      }),
  }
}

/** The current text, or the latest valid one. */
async function firstValid<C, Within>(source: ConfigSource<C, Within>, format: ConfigFormat<C>, log: Log) {
  const failed = (cause: unknown): never => {
    throw startFailure(source.name, cause)
  }
  const found = await source.settled().catch(failed)
  const opened = loadBytes(found.bytes, format)
  if (isWhole(opened)) return { found, opened, invalid: undefined }
  const problems = problemLines(source.name, opened.problems)
  const earlier = await latestValid(source.earlier(), format).catch(failed)
  if (!earlier) throw new StartError(`${source.name} is not valid:\n${problems.join('\n')}`)
  log.error({ problems }, 'config invalid; using the latest valid version')
  return { ...earlier, invalid: found.etag }
}

async function latestValid<C>(texts: AsyncIterable<StoredText>, format: ConfigFormat<C>) {
  for await (const found of texts) {
    const opened = loadBytes(found.bytes, format)
    if (isWhole(opened)) return { found, opened }
  }
  return undefined
}

/** A start without the database can succeed later; without a file, that depends on why. */
function startFailure(name: string, cause: unknown): StartError {
  const failure = cause instanceof ServiceError ? cause.cause : cause
  const isAway = cause instanceof ServiceError && cause.reason === 'database-unavailable'
  const detail = isAway ? messageOf(failure) : (systemCodeOf(failure) ?? messageOf(cause))
  return new StartError(`Couldn't read ${name}: ${detail}`, { status: isAway ? 1 : startStatus(failure), cause })
}

function requireMatch({ etag }: StoredText, ifMatch: string): void {
  const named = ifMatch.split(',').map((each) => each.trim())
  if (named.includes('*') || named.includes(etag)) return
  throw configChanged()
}

/** The text was changed since it was read. */
const configChanged = (): ServiceError =>
  new ServiceError<ConfigReasons>('precondition-failed', { reason: 'config-changed' })

const isConfigChanged = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'precondition-failed' && error.reason === 'config-changed'

function given(ifMatch: string | undefined): string {
  if (ifMatch !== undefined) return ifMatch
  throw new ServiceError('precondition-required')
}

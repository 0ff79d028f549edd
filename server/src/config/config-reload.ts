import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import pLimit from 'p-limit'
import { type Problem, ServiceError, StartError } from '../shared/errors.ts'
import { removeDrafts } from '../shared/atomic-write.ts'
import type { Log } from '../shared/log.ts'
import type { Runtime } from '../shared/runtime.ts'
import { watchConfigFile, type OnDisk } from './file-watcher.ts'
import { firstConfig } from './first-config.ts'
import { createConfigChanges, logWarnings, problemsToSave } from './config-changes.ts'
import { createActiveConfig, type ConfigListener, type SaveResult } from './active-config.ts'
import { isWhole, loadBytes, type ConfigFormat } from './load.ts'
import { replaceFile } from './replace-file.ts'
import { problemLines } from './problem-collector.ts'
import type { ConfigReasons } from './reasons.ts'

export interface ConfigFileDeps<C> extends Runtime {
  readonly format: ConfigFormat<C>
  /** `config.yml`, absolute. */
  readonly file: string
  /** Milliseconds a file must stay unchanged before it is read. */
  readonly settle?: number
  /** Polling interval, milliseconds. */
  readonly poll?: number
}

export interface ConfigFile<C> {
  /** State of the file when it was opened. `blank`: no keys, so everything has its default. */
  readonly atStart: 'missing' | 'blank' | 'present'
  /** The active configuration. Keys that need a restart keep their value from the start. */
  current(): C
  /** The active configuration with unresolved placeholders. */
  written(): C
  /** Listeners run in order, each awaited. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener<C>): () => void
  /** Creates `config.yml` if it does not exist. */
  writeFirst(): Promise<void>
  /** Starts watching the file, and applies manual edits. */
  watch(): void
  raw(): Promise<{ readonly text: string; readonly etag: string }>
  check(text: string): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] }
  /**
   * Writes the file and applies it: both, or neither.
   *
   * @param judge checks the configuration before the write, and throws to reject it
   * @throws ServiceError `precondition-required`, `precondition-failed`, `invalid-request` with every problem, or `unavailable`.
   */
  save(text: string, ifMatch: string | undefined, judge?: (next: C) => Promise<void>): Promise<SaveResult>
  /**
   * Edits the text of the file and applies it: both, or neither. Line endings stay unchanged.
   *
   * @param change throws to reject the edit; `written` is the active configuration with unresolved placeholders
   * @param ifMatch ETag of the version that was read
   * @throws ServiceError as {@link save}, and `conflict` if the file differs from the active configuration.
   */
  edit(change: (text: string, written: C) => string, ifMatch: string | undefined): Promise<Edited<C>>
  /** ETag of the active configuration. */
  version(): string
  /** As {@link edit}, of whatever version is active: `change` itself checks that it applies to it. */
  editActive(change: (text: string, active: C) => string): Promise<SaveResult>
  stop(): Promise<void>
}

/** Result of an edit, with the configuration as in {@link ConfigFile.written}. */
export interface Edited<C> {
  readonly written: C
  readonly etag: string
}

/**
 * Opens `config.yml`. Waits until a file that is being written is complete. A missing file counts as all defaults;
 * the caller decides whether that is allowed.
 *
 * @throws StartError listing every problem.
 */
export async function openConfigFile<C>(deps: ConfigFileDeps<C>): Promise<ConfigFile<C>> {
  const { format, file, log, clock, settle = 1000, poll = 250 } = deps
  const name = basename(file)
  await removeDrafts(file)
  const disk = watchConfigFile({ file, clock, settle })
  const first = await disk.settled().catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`Couldn't read ${file}: ${cause.code ?? cause.message}`, { cause })
  })
  const opened = loadBytes(first.bytes, format)
  if (!isWhole(opened)) throw new StartError(`${name} is not valid:\n${problemLines(name, opened.problems).join('\n')}`)
  logWarnings(opened, name, log)

  const active = createActiveConfig(format, opened, first.etag, log)
  const changes = createConfigChanges({ format, file, name, disk, active, log })
  const serialized = pLimit(1)
  let stopWatching: (() => Promise<void>) | undefined

  return {
    atStart: first.bytes === undefined ? 'missing' : opened.blank ? 'blank' : 'present',
    current: () => active.now().config,
    written: () => active.now().written,
    subscribe: (listener) => active.subscribe(listener),
    writeFirst: () =>
      serialized(async () => {
        if ((await disk.read()).bytes !== undefined) return
        await mkdir(dirname(file), { recursive: true })
        const text = firstConfig(format.schema)
        await replaceFile(file, text)
        changes.created(text)
      }),
    watch() {
      const report = reportOnce(log)
      stopWatching = disk.watch({
        poll,
        found: (read) =>
          serialized(async () => {
            const found = await read()
            report.succeeded()
            if (found) await changes.applyManualEdit(found)
          }),
        failed: report.failed,
      })
    },
    async raw() {
      const { bytes, etag } = await disk.read()
      return { text: (bytes ?? Buffer.alloc(0)).toString(), etag }
    },
    check(text) {
      const loaded = format.load(text)
      return { problems: problemsToSave(loaded), warnings: loaded.warnings }
    },
    save(text, ifMatch, judge) {
      return serialized(async () => {
        const match = given(ifMatch)
        const found = await disk.read()
        requireMatch(found, match)
        return changes.replace(found, text, judge)
      })
    },
    edit: (change, ifMatch) =>
      serialized(async () => {
        const match = given(ifMatch)
        const found = await changes.readActive()
        requireMatch(found, match)
        await changes.edit(found, (text) => change(text, active.now().written))
        const { written, etag } = active.now()
        return { written, etag }
      }),
    version: () => active.now().etag,
    editActive: (change) =>
      serialized(async () => changes.edit(await changes.readActive(), (text) => change(text, active.now().config))),
    async stop() {
      await stopWatching?.()
      await serialized(async () => {})
    },
  }
}

function requireMatch({ etag }: OnDisk, ifMatch: string): void {
  const named = ifMatch.split(',').map((each) => each.trim())
  if (named.includes('*') || named.includes(etag)) return
  throw new ServiceError<ConfigReasons>('precondition-failed', { reason: 'config-changed' })
}

function given(ifMatch: string | undefined): string {
  if (ifMatch !== undefined) return ifMatch
  throw new ServiceError('precondition-required')
}

/** Logs a failure that repeats several times a second once, until it ends or becomes another one. */
function reportOnce(log: Log) {
  let last: string | undefined
  return {
    succeeded: () => void (last = undefined),
    failed(error: unknown) {
      const { message } = error as Error
      if (message !== last) log.error({ err: error }, 'failed to read config; keeping previous config')
      last = message
    },
  }
}

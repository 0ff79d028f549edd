import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Clock } from '../shared/clock.ts'
import { ServiceError, StartError, type Problem } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { createSemaphore } from '../shared/semaphore.ts'
import { removeDrafts } from '../shared/atomic-write.ts'
import type { Config } from './config.ts'
import { watchConfigFile, etagOf, type OnDisk } from './file-watcher.ts'
import { withRole } from './edit-roles.ts'
import { firstConfig } from './first-config.ts'
import { createActiveConfig, type ConfigListener, type SaveResult } from './active-config.ts'
import { isWhole, loadBytes, loadConfig, type Loaded, type LoadDeps, type ValidConfig } from './load.ts'
import { cannotReplace, replaceFile } from './replace-file.ts'
import { problemLines } from './problem-collector.ts'

export interface ConfigFileDeps extends LoadDeps {
  /** `config.yml`, absolute. */
  readonly file: string
  readonly log: Log
  readonly clock: Clock
  /** Milliseconds a file has to stand unchanged before it is read. */
  readonly settle?: number
  /** Milliseconds between two looks at the file. */
  readonly poll?: number
}

export interface ConfigFile {
  /** What was found when the file was opened. `blank`: it gave no key, so everything has its default. */
  readonly atStart: 'missing' | 'blank' | 'present'
  /** In force. What needs a restart is as it was at the start. */
  current(): Config
  /** The same, with its placeholders as they are written. */
  written(): Config
  /** Listeners are told in order, and each is waited for. @returns a function that ends the subscription. */
  subscribe(listener: ConfigListener): () => void
  /** Makes the first `config.yml`, where there is none. */
  writeFirst(): Promise<void>
  /** Looks at the file from now on, and applies what is changed by hand. */
  watch(): void
  raw(): Promise<{ readonly text: string; readonly etag: string }>
  check(text: string): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] }
  /**
   * Writes the file and applies it: both, or neither.
   *
   * @param judge sees the configuration before anything is written, and throws where it may not be
   * @throws ServiceError `precondition-required`, `changed-meanwhile`, `invalid` with every problem, or `unavailable`.
   */
  save(text: string, ifMatch: string | undefined, judge?: (next: Config) => Promise<void>): Promise<SaveResult>
  /**
   * Changes the text of the file, and applies it: both, or neither. Line ends stay as they are.
   *
   * @param change throws where it refuses; `written` is the active configuration, its placeholders as they are written.
   * @param ifMatch the ETag of the version that was read
   * @throws ServiceError as {@link save}, and `conflict` where the file is not the active configuration.
   */
  edit(change: (text: string, written: Config) => string, ifMatch: string | undefined): Promise<Edited>
  /** ETag of the active configuration. */
  version(): string
  /**
   * @param expected the cameras that the role is known to have, in any order; `absent`: there is no such role yet
   * @throws ServiceError `changed-meanwhile` where it is otherwise by now
   */
  setRole(name: string, cameras: readonly string[], expected?: readonly string[] | 'absent'): Promise<SaveResult>
  removeRole(name: string): Promise<SaveResult>
  stop(): Promise<void>
}

/** The configuration that an edit led to, as {@link ConfigFile.written}. */
export interface Edited {
  readonly written: Config
  readonly etag: string
}

/**
 * Opens `config.yml`. A file that is being written is waited for; one that is missing counts as all defaults, and
 * whoever opens it decides whether that may be.
 *
 * @throws StartError that lists every problem.
 */
export async function openConfigFile(deps: ConfigFileDeps): Promise<ConfigFile> {
  const { file, log, clock, settle = 1000, poll = 250 } = deps
  const name = basename(file)
  await removeDrafts(file)
  const disk = watchConfigFile({ file, clock, settle })
  const first = await disk.settled().catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read: ${cause.code ?? cause.message}`, { cause })
  })
  const opened = loadBytes(first.bytes, deps)
  if (!isWhole(opened)) throw new StartError(`${name} is not valid:\n${problemLines(name, opened.problems).join('\n')}`)
  warn(opened)

  const active = createActiveConfig(opened, first.etag, log)
  const serialized = createSemaphore(1)
  /** The text last found and judged, in force or not; the same one is not judged, and logged, again. */
  let judged: string | undefined = first.etag
  let stopWatching: (() => Promise<void>) | undefined

  function warn({ warnings }: Loaded): void {
    if (warnings.length === 0) return
    log.warn({ warnings: problemLines(name, warnings) }, `${name} says what is probably not meant`)
  }

  async function apply(loaded: ValidConfig, etag: string): Promise<SaveResult> {
    const result = await active.take(loaded, etag)
    warn(loaded)
    return result
  }

  /** Judges what was changed by hand; only what is valid, and says something, is applied. */
  async function judge({ bytes, etag }: OnDisk): Promise<void> {
    const found = bytes && etag
    if (found === judged) return
    judged = found
    if (found === active.now().etag) return
    const stays = 'the configuration before stays in force'
    const loaded = loadBytes(bytes, deps)
    if (loaded.problems.length > 0) {
      log.error({ problems: problemLines(name, loaded.problems) }, `${name} is not valid; ${stays}`)
    } else if (bytes === undefined || (loaded.blank && !active.now().blank)) {
      log.warn({}, `${name} is ${bytes ? 'empty' : 'missing'}; ${stays}`)
    } else if (isWhole(loaded)) {
      try {
        const { applied, restart_required } = await apply(loaded, etag)
        log.info({ applied, restart_required }, `${name} was changed by hand, and applied`)
      } catch (error) {
        log.error(
          { error: error instanceof ServiceError ? error.cause : error },
          `${name} could not be applied; ${stays}`,
        )
      }
    }
  }

  async function replace(before: OnDisk, text: string, judge?: (next: Config) => Promise<void>): Promise<SaveResult> {
    const loaded = loadConfig(text, deps)
    const problems = problemsToSave(loaded)
    if (!isWhole(loaded) || problems.length > 0) {
      throw new ServiceError('invalid', `The configuration has problems: ${problems.length}.`, {
        reason: 'config-problems',
        values: { count: problems.length },
        problems,
      })
    }
    await judge?.(loaded.config)
    await replaceFile(file, text, { keepAs: `${file}.previous` }).catch(cannotReplace)
    const etag = etagOf(Buffer.from(text))
    try {
      const result = await apply(loaded, etag)
      judged = etag
      return result
    } catch (error) {
      await (before.bytes === undefined ? rm(file, { force: true }) : replaceFile(file, before.bytes)).catch(
        cannotReplace,
      )
      log.error(
        { error: error instanceof ServiceError ? error.cause : error },
        `${name} could not be applied, and was put back`,
      )
      throw error
    }
  }

  /** A change by hand that is under way is waited for and applied first, so that nothing half-written is built upon. */
  async function readActive(): Promise<OnDisk> {
    const found = await disk.read()
    if (found.etag === active.now().etag) return found
    const settled = await disk.settled()
    await judge(settled)
    if (settled.etag === active.now().etag) return settled
    const detail = `${name} was changed by hand and is not in force, as it is not valid or empty: mend it first.`
    throw new ServiceError('conflict', detail, { reason: 'config-not-in-force' })
  }

  async function edit(found: OnDisk, change: (text: string) => string): Promise<SaveResult> {
    const text = (found.bytes ?? Buffer.alloc(0)).toString()
    const before = text.replaceAll('\r\n', '\n')
    const after = change(before)
    if (after === before) return { applied: [], restart_required: [] }
    return replace(found, text === before ? after : after.replaceAll('\n', '\r\n'))
  }

  function requireMatch({ etag }: OnDisk, ifMatch: string): void {
    const named = ifMatch.split(',').map((each) => each.trim())
    if (named.includes('*') || named.includes(etag)) return
    const message = `${name} was changed since you read it. Read it again.`
    throw new ServiceError('changed-meanwhile', message, { reason: 'config-changed' })
  }

  const changeRole = (
    role: string,
    cameras: readonly string[] | undefined,
    expected?: readonly string[] | 'absent',
  ): Promise<SaveResult> =>
    serialized(async () => {
      const found = await readActive()
      refuseOtherRole(expected, active.now().config.auth.roles.get(role))
      return edit(found, (text) => withRole(text, role, cameras))
    })

  return {
    atStart: first.bytes === undefined ? 'missing' : opened.blank ? 'blank' : 'present',
    current: () => active.now().config,
    written: () => active.now().written,
    subscribe: (listener) => active.subscribe(listener),
    writeFirst: () =>
      serialized(async () => {
        if ((await disk.read()).bytes !== undefined) return
        await mkdir(dirname(file), { recursive: true })
        const text = firstConfig()
        await replaceFile(file, text)
        judged = etagOf(Buffer.from(text))
        active.madeBlank(judged)
      }),
    watch() {
      stopWatching = disk.watch({
        poll,
        found: (read) =>
          serialized(async () => {
            const found = await read()
            if (found) await judge(found)
          }),
        failed: (error) => log.error({ error }, `${name} cannot be read`),
      })
    },
    async raw() {
      const { bytes, etag } = await disk.read()
      return { text: (bytes ?? Buffer.alloc(0)).toString(), etag }
    },
    check(text) {
      const loaded = loadConfig(text, deps)
      return { problems: problemsToSave(loaded), warnings: loaded.warnings }
    },
    save(text, ifMatch, judge) {
      return serialized(async () => {
        const match = given(ifMatch)
        const found = await disk.read()
        requireMatch(found, match)
        return replace(found, text, judge)
      })
    },
    edit: (change, ifMatch) =>
      serialized(async () => {
        const match = given(ifMatch)
        const found = await readActive()
        requireMatch(found, match)
        await edit(found, (text) => change(text, active.now().written))
        const { written, etag } = active.now()
        return { written, etag }
      }),
    version: () => active.now().etag,
    setRole: changeRole,
    removeRole: (role) => changeRole(role, undefined),
    async stop() {
      await stopWatching?.()
      await serialized(async () => {})
    },
  }
}

function given(ifMatch: string | undefined): string {
  if (ifMatch !== undefined) return ifMatch
  throw new ServiceError('precondition-required', 'Send If-Match with the ETag of the version you changed.')
}

function refuseOtherRole(expected: readonly string[] | 'absent' | undefined, now: readonly string[] | undefined): void {
  if (expected === undefined) return
  if (expected === 'absent') {
    if (now === undefined) return
    const message = 'A role with this name exists already.'
    throw new ServiceError('changed-meanwhile', message, { reason: 'role-name-taken' })
  }
  if (sameCameras(expected, now)) return
  throw new ServiceError('changed-meanwhile', 'The role was changed meanwhile. Read it again.', {
    reason: 'role-changed',
  })
}

const sameCameras = (expected: readonly string[], now: readonly string[] | undefined): boolean =>
  now !== undefined && [...new Set(expected)].sort().join() === [...new Set(now)].sort().join()

/** What keeps a text from being saved: its problems, or that it gives no key, as a file that was cut off (CONF-4). */
const problemsToSave = ({ problems, blank }: Loaded): readonly Problem[] => (blank ? [...problems, noKeys] : problems)

const noKeys: Problem = {
  field: '',
  code: 'no-keys',
  message: 'it contains no key; a configuration needs at least one, for example `auth: {}`',
}

import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../shared/clock.ts'
import { ServiceError, StartError, type Problem } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'
import { differences, untilRestart } from './difference.ts'
import { withRole } from './edit-roles.ts'
import { firstConfig } from './first-config.ts'
import { loadConfig, type Loaded, type LoadParts } from './load.ts'
import type { ConfigProblem } from './problems.ts'
import { removeLeftovers, replaceFile } from './replace-file.ts'

export interface ConfigFileParts extends LoadParts {
  /** `config.yml`, absolute. */
  readonly file: string
  readonly log: Log
  readonly clock: Clock
  /** Milliseconds a file has to stand unchanged before it is read. */
  readonly settle?: number
  /** Milliseconds between two looks at the file. */
  readonly poll?: number
}

/** Key paths, as `auth.roles.guard`. */
export interface SaveResult {
  readonly applied: readonly string[]
  /** What the file says otherwise than the running service, until it is started again. */
  readonly restart_required: readonly string[]
}

/** Takes a configuration into use. One that throws keeps it from all: the others are told to go back. */
export type ConfigListener = (next: Config, previous: Config) => void | Promise<void>

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
   * @throws ServiceError `precondition-required`, `changed-meanwhile`, `invalid` with every problem, or `unavailable`.
   */
  save(text: string, ifMatch: string | undefined): Promise<SaveResult>
  /**
   * @param expected the cameras that the role is known to have, in any order
   * @throws ServiceError `changed-meanwhile` where it has others by now, or is gone
   */
  setRole(name: string, cameras: readonly string[], expected?: readonly string[]): Promise<SaveResult>
  removeRole(name: string): Promise<SaveResult>
  stop(): Promise<void>
}

/** What lies on the disk; without a file, as an empty one. */
interface OnDisk {
  readonly bytes: Buffer | undefined
  readonly etag: string
}

interface InForce {
  readonly config: Config
  readonly written: Config
  readonly etag: string
  readonly blank: boolean
}

/**
 * Opens `config.yml`. A file that is being written is waited for; one that is missing counts as all defaults, and
 * whoever opens it decides whether that may be.
 *
 * @throws StartError that lists every problem.
 */
export async function openConfigFile(parts: ConfigFileParts): Promise<ConfigFile> {
  const { file, log, clock, settle = 1000, poll = 250 } = parts
  const name = basename(file)
  await removeLeftovers(file)
  const first = await settled().catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read: ${cause.code ?? cause.message}`, { cause })
  })
  const opened = loadBytes(first.bytes)
  if (!isWhole(opened)) throw new StartError(`${name} is not valid:\n${problemLines(name, opened.problems).join('\n')}`)
  warn(opened)

  const started = { config: opened.config, written: opened.written }
  let inForce: InForce = { ...started, etag: first.etag, blank: opened.blank }
  const listeners = new Set<ConfigListener>()
  const inTurn = turns()

  /** The text last found and judged, in force or not; the same one is not judged, and logged, again. */
  let judged = first.etag
  let seen = { signature: '', since: 0 }
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  function loadBytes(bytes: Buffer | undefined): Loaded {
    let text
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? Buffer.alloc(0))
    } catch {
      const flaw: ConfigProblem = { code: 'not-utf8', message: 'the file is no text in UTF-8' }
      const problems = [{ field: '', ...flaw, line: 1, column: 1 }]
      return { config: undefined, written: undefined, problems, warnings: [], blank: false }
    }
    return loadConfig(text, parts)
  }

  function warn({ warnings }: Loaded): void {
    if (warnings.length > 0) log.warn({ warnings: problemLines(name, warnings) }, `${name} says what is probably not meant`)
  }

  async function read(): Promise<OnDisk> {
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return { bytes, etag: etagOf(bytes) }
  }

  /** The file once it has stood unchanged for long enough. */
  async function settled(): Promise<OnDisk> {
    for (;;) {
      const before = await signatureOf(file)
      const age = clock.now() - before.changedAt
      // A time in the future says nothing about how long ago it was.
      if (before.signature !== missing && (age < settle || age < 0)) await sleep(age < 0 ? settle : settle - age)
      const disk = await read()
      const after = await signatureOf(file)
      const stood = after.signature === before.signature
      if (stood) return disk
    }
  }

  async function apply(loaded: Whole, etag: string): Promise<SaveResult> {
    const before = inForce
    const config = untilRestart(started.config, loaded.config)
    const written = untilRestart(started.written, loaded.written)
    const applied = differences(before.config, config)
    inForce = { config, written, etag, blank: loaded.blank }
    const told: ConfigListener[] = []
    try {
      for (const listener of applied.length > 0 ? listeners : []) {
        told.unshift(listener)
        await listener(config, before.config)
      }
    } catch (cause) {
      inForce = before
      for (const listener of told) {
        try {
          await listener(before.config, config)
        } catch (error) {
          log.error({ error }, 'The configuration before could not be taken back into use everywhere')
        }
      }
      const detail = 'The configuration could not be applied; the one before stays in force. The log says why.'
      throw new ServiceError('unavailable', detail, { reason: 'config-not-applied', cause })
    }
    warn(loaded)
    const waiting = differences(started.config, loaded.config).filter(({ restart }) => restart)
    return { applied: applied.map(({ field }) => field), restart_required: waiting.map(({ field }) => field) }
  }

  /** Judges what was changed by hand; only what is valid, and says something, is applied. */
  async function judge({ bytes, etag }: OnDisk): Promise<void> {
    const state = bytes ? etag : missing
    if (state === judged) return
    judged = state
    if (state === inForce.etag) return
    const stays = 'the configuration before stays in force'
    const loaded = loadBytes(bytes)
    if (loaded.problems.length > 0) {
      log.error({ problems: problemLines(name, loaded.problems) }, `${name} is not valid; ${stays}`)
    } else if (bytes === undefined || (loaded.blank && !inForce.blank)) {
      log.warn({}, `${name} is ${bytes ? 'empty' : 'missing'}; ${stays}`)
    } else if (isWhole(loaded)) {
      try {
        const { applied, restart_required } = await apply(loaded, etag)
        log.info({ applied, restart_required }, `${name} was changed by hand, and applied`)
      } catch (error) {
        log.error({ error: error instanceof ServiceError ? error.cause : error }, `${name} could not be applied; ${stays}`)
      }
    }
  }

  async function look(): Promise<void> {
    const { signature } = await signatureOf(file)
    if (signature !== seen.signature) seen = { signature, since: clock.elapsed() }
    // Only once: what stands there unchanged after that has been judged.
    else if (seen.since >= 0 && clock.elapsed() - seen.since >= settle) {
      await inTurn(async () => {
        const disk = await read()
        if ((await signatureOf(file)).signature !== signature) return
        seen = { signature, since: -1 }
        await judge(disk)
      })
    }
  }

  function lookAgain(): void {
    if (stopped) return
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.error({ error }, `${name} cannot be read`))
        .finally(lookAgain)
    }, poll)
  }

  async function replace(disk: OnDisk, text: string): Promise<SaveResult> {
    const loaded = loadConfig(text, parts)
    if (!isWhole(loaded)) {
      const { problems } = loaded
      throw new ServiceError('invalid', `The configuration has problems: ${problems.length}.`, {
        reason: 'config-problems',
        values: { count: problems.length },
        problems,
      })
    }
    await replaceFile(file, text, { keepAs: `${file}.previous` }).catch(cannotReplace)
    const etag = etagOf(Buffer.from(text))
    try {
      const result = await apply(loaded, etag)
      judged = etag
      return result
    } catch (error) {
      await (disk.bytes === undefined ? rm(file, { force: true }) : replaceFile(file, disk.bytes)).catch(cannotReplace)
      log.error({ error: error instanceof ServiceError ? error.cause : error }, `${name} could not be applied, and was put back`)
      throw error
    }
  }

  /** A change by hand that is under way is waited for and applied first, so that nothing half-written is built upon. */
  const changeRole = (
    role: string,
    cameras: readonly string[] | undefined,
    expected?: readonly string[],
  ): Promise<SaveResult> =>
    inTurn(async () => {
      let disk = await read()
      if (disk.etag !== inForce.etag) {
        disk = await settled()
        await judge(disk)
      }
      if (disk.etag !== inForce.etag) {
        const detail = `${name} was changed by hand and is not in force, as it is not valid or empty: mend it first.`
        throw new ServiceError('conflict', detail, { reason: 'config-not-in-force' })
      }
      if (expected && !sameCameras(expected, inForce.config.auth.roles.get(role))) {
        throw new ServiceError('changed-meanwhile', 'The role was changed meanwhile. Read it again.', {
          reason: 'role-changed',
        })
      }
      const before = (disk.bytes ?? Buffer.alloc(0)).toString()
      const after = withRole(before, role, cameras)
      return after === before ? { applied: [], restart_required: [] } : replace(disk, after)
    })

  return {
    atStart: first.bytes === undefined ? 'missing' : opened.blank ? 'blank' : 'present',
    current: () => inForce.config,
    written: () => inForce.written,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    writeFirst: () =>
      inTurn(async () => {
        if ((await read()).bytes !== undefined) return
        await mkdir(dirname(file), { recursive: true })
        const text = firstConfig()
        await replaceFile(file, text)
        judged = etagOf(Buffer.from(text))
        inForce = { ...inForce, etag: judged, blank: true }
      }),
    watch: lookAgain,
    async raw() {
      const { bytes, etag } = await read()
      return { text: (bytes ?? Buffer.alloc(0)).toString(), etag }
    },
    check(text) {
      const { problems, warnings } = loadConfig(text, parts)
      return { problems, warnings }
    },
    save(text, ifMatch) {
      return inTurn(async () => {
        if (ifMatch === undefined) {
          throw new ServiceError('precondition-required', 'Send If-Match with the ETag of the version you changed.')
        }
        const disk = await read()
        const named = ifMatch.split(',').map((each) => each.trim())
        if (!named.includes('*') && !named.includes(disk.etag)) {
          const message = `${name} was changed since you read it. Read it again.`
          throw new ServiceError('changed-meanwhile', message, { reason: 'config-changed' })
        }
        return replace(disk, text)
      })
    },
    setRole: changeRole,
    removeRole: (role) => changeRole(role, undefined),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await inTurn(async () => {})
    },
  }
}

type Whole = Loaded & { readonly config: Config; readonly written: Config }
const isWhole = (loaded: Loaded): loaded is Whole => loaded.config !== undefined && loaded.written !== undefined

/** `config.yml:3:5 auth.session_length: …`, a line each. */
export const problemLines = (file: string, problems: readonly Problem[]): string[] =>
  problems.map(({ line, column, field, message }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
    return `${place} ${field === '' ? '' : `${field}: `}${message}`
  })

/** A strong validator: the same for the same bytes only. */
const sameCameras = (expected: readonly string[], now: readonly string[] | undefined): boolean =>
  now !== undefined && [...new Set(expected)].sort().join() === [...new Set(now)].sort().join()

const etagOf = (bytes: Buffer | undefined): string =>
  `"${createHash('sha256')
    .update(bytes ?? '')
    .digest('base64url')}"`

const missing = 'missing'

/** What tells one state of the file from another without reading it. */
async function signatureOf(file: string): Promise<{ readonly signature: string; readonly changedAt: number }> {
  try {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await stat(file, { bigint: true })
    return { signature: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: Number(mtimeMs) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { signature: missing, changedAt: 0 }
  }
}

function cannotReplace(cause: NodeJS.ErrnoException): never {
  const full = cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
  const why = full ? 'the disk is full' : 'mount the directory that holds it, writable, and not the file alone'
  const error = cause.code ?? 'unknown error'
  throw new ServiceError('unavailable', `config.yml cannot be replaced (${error}): ${why}.`, {
    reason: full ? 'disk-full' : 'config-not-written',
    values: { error },
    cause,
  })
}

/** One at a time, in the order they came. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'

export interface JwtSecretDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configDir: string
  readonly random: Random
}

export interface JwtSecret {
  readonly secret: string
  /** Where it came from, for people. */
  readonly source: string
}

/** Characters. */
const shortest = 64

/**
 * The first found of SEC-1's places, or a new one. What is there but cannot be used stops the start; the next is not tried.
 *
 * @throws StartError
 */
export function findJwtSecret({ env, configDir, random }: JwtSecretDeps): JwtSecret {
  const credential = join(env['CREDENTIALS_DIRECTORY'] || '/run/secrets', 'SERVICE_JWT_SECRET')
  const options = env['APP_OPTIONS_FILE'] || '/data/options.json'
  const own = join(configDir, '.jwt_secret')
  const places: readonly (readonly [source: string, find: () => string])[] = [
    ['the environment variable SERVICE_JWT_SECRET', () => env['SERVICE_JWT_SECRET'] ?? ''],
    [`the file ${credential}`, () => textOf(credential)],
    [`the option jwt_secret in ${options}`, () => optionIn(options)],
    [`the file ${own}`, () => textOf(own)],
  ]
  for (const [source, find] of places) {
    const secret = find()
    if (secret !== '') return { secret: longEnough(secret, source), source }
  }
  const source = `the file ${own}`
  return { secret: longEnough(generated(own, random), source), source }
}

function longEnough(secret: string, source: string): string {
  const { length } = Array.from(secret)
  if (length >= shortest) return secret
  throw new StartError(`The JWT secret from ${source} has ${length} characters; it needs at least ${shortest}.`)
}

/** Without the white space around it; empty where there is no such file. */
function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim()
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' && !isLink(file)) return ''
    throw new StartError(`The JWT secret cannot be read from the file ${file} (${reason(cause)}).`, { cause })
  }
}

/** A link that leads nowhere is a source that cannot be read, as where a volume is not mounted yet; it is not none. */
const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

function optionIn(file: string): string {
  const text = textOf(file)
  if (text === '') return ''
  const secret = fieldOf(text, file)
  if (secret === undefined || secret === null) return ''
  if (typeof secret === 'string') return secret.trim()
  throw new StartError(`The option jwt_secret in ${file} is not a text.`)
}

function fieldOf(text: string, file: string): unknown {
  try {
    const options: unknown = JSON.parse(text)
    if (typeof options === 'object' && options !== null && !Array.isArray(options)) {
      return new Map<string, unknown>(Object.entries(options)).get('jwt_secret')
    }
  } catch {
    // The parser's message quotes what it read, which may be the secret.
  }
  throw new StartError(`The app options in ${file} are not a JSON object.`)
}

/** SEC-2: whole or not at all, and the same one for two instances that start at once. */
function generated(file: string, random: Random): string {
  const temporary = `${file}.${random.bytes(8).toString('hex')}`
  try {
    write(temporary, random.bytes(64).toString('hex'))
    for (let tries = 0; tries < 5; tries += 1) {
      putWhereNoneIs(temporary, file)
      const secret = textOf(file)
      if (secret !== '') {
        syncFolder(file)
        return secret
      }
      takeEmptyAway(file, `${temporary}.old`)
    }
    throw new Error('another program keeps emptying it')
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`The JWT secret cannot be written to ${file} (${reason(cause)}).`, { cause })
  } finally {
    rmSync(temporary, { force: true })
  }
}

function write(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The new name is on disk only when its directory is: after a power cut everybody would have to sign in again. */
function syncFolder(file: string): void {
  const handle = openSync(dirname(file), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A link is made only where there is no file yet: of two that try, one wins, and both read what it wrote. */
function putWhereNoneIs(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (cause) {
    const code = codeOf(cause) ?? ''
    if (code === 'EEXIST') return
    // Some file systems have no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw cause
    if (textOf(file) === '') renameSync(temporary, file)
  }
}

/** What is taken away may have been filled meanwhile; then it goes back, unless there is another by now. */
function takeEmptyAway(file: string, aside: string): void {
  try {
    renameSync(file, aside)
    if (textOf(aside) !== '') putWhereNoneIs(aside, file)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

const codeOf = (cause: unknown): string | undefined => (cause as { code?: string }).code

const reason = (cause: unknown): string => codeOf(cause) ?? (cause as Error).message

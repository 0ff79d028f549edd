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
import { codeOrMessage, systemCodeOf } from '../../shared/caught-error.ts'
import { isMissing } from '../../shared/files/missing-file.ts'
import { readFailure } from '../../shared/files/read-failure.ts'
import { startStatus } from '../../shared/files/start-status.ts'

export interface JwtSecretDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configDir: string
  readonly random: Random
}

export interface JwtSecret {
  readonly secret: string
  /** The secret's origin, for log messages. */
  readonly source: string
}

/** Min characters of a secret. */
export const minSecretLength = 64

/**
 * Returns the first secret found in SEC-1's places, or generates one. A secret that exists but is unusable stops the
 * start; later places are not tried.
 *
 * @throws StartError
 */
export function findJwtSecret({ env, configDir, random }: JwtSecretDeps): JwtSecret {
  const existing = existingJwtSecret({ env, configDir })
  if (existing) return existing
  const own = jwtSecretFile(configDir)
  const source = `the file ${own}`
  return { secret: longEnough(generated(own, random), source), source }
}

/** Name of the file, in the configuration folder, of a secret that the service generated. */
export const jwtSecretName = '.jwt_secret'
const jwtSecretFile = (configDir: string): string => join(configDir, jwtSecretName)

/** As {@link findJwtSecret}, but generates none. @throws StartError */
export function existingJwtSecret({ env, configDir }: Omit<JwtSecretDeps, 'random'>): JwtSecret | undefined {
  const credential = join(env['CREDENTIALS_DIRECTORY'] || '/run/secrets', 'SERVICE_JWT_SECRET')
  const options = env['APP_OPTIONS_FILE'] || '/data/options.json'
  const own = jwtSecretFile(configDir)
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
  return undefined
}

function longEnough(secret: string, source: string): string {
  const { length } = Array.from(secret)
  if (length >= minSecretLength) return secret
  throw new StartError(`The JWT secret from ${source} has ${length} characters; it needs at least ${minSecretLength}.`)
}

/** The trimmed text of a file; empty if the file does not exist. */
function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim()
  } catch (cause) {
    if (isMissing(cause) && !isLink(file)) return ''
    const message = `Couldn't read the JWT secret from the file ${file} (${readFailure(file, cause)}).`
    throw new StartError(message, { status: startStatus(cause), cause })
  }
}

/** A dangling link counts as unreadable, not as missing: for example, a volume may not be mounted yet. */
const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

function optionIn(file: string): string {
  const text = textOf(file)
  if (text === '') return ''
  const secret = fieldOf(text, file)
  if (secret === undefined || secret === null) return ''
  if (typeof secret === 'string') return secret.trim()
  throw new StartError(`The option jwt_secret in ${file} is not a string.`)
}

function fieldOf(text: string, file: string): unknown {
  try {
    const options: unknown = JSON.parse(text)
    if (typeof options === 'object' && options !== null && !Array.isArray(options)) {
      return new Map<string, unknown>(Object.entries(options)).get('jwt_secret')
    }
  } catch {
    // The parser's message is dropped because it quotes its input, which may contain the secret.
  }
  throw new StartError(`The app options in ${file} are not a JSON object.`)
}

/** SEC-2: writes the secret atomically. Two instances that start at the same time get the same secret. */
function generated(file: string, random: Random): string {
  const temporary = `${file}.${random.bytes(8).toString('hex')}`
  try {
    write(temporary, random.bytes(64).toString('hex'))
    for (let tries = 0; tries < 5; tries += 1) {
      linkIfMissing(temporary, file)
      const secret = textOf(file)
      if (secret !== '') {
        syncFolder(file)
        return secret
      }
      removeIfEmpty(file, `${temporary}.old`)
    }
    throw new Error('another process keeps truncating it')
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(
      `Couldn't write the JWT secret to ${file} (${codeOrMessage(cause)}): make its folder writable or set SERVICE_JWT_SECRET.`,
      { status: startStatus(cause), cause },
    )
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

/** Syncs the folder, so that the file survives a power failure. Otherwise all users would have to sign in again. */
function syncFolder(file: string): void {
  const handle = openSync(dirname(file), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Creates the file only if it is missing: of two instances, one succeeds and both read its secret. */
function linkIfMissing(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (cause) {
    const code = systemCodeOf(cause) ?? ''
    if (code === 'EEXIST') return
    // Some file systems don't support hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw cause
    if (textOf(file) === '') renameSync(temporary, file)
  }
}

/** Removes an empty file. If it was filled in the meantime, it is put back unless a new file exists. */
function removeIfEmpty(file: string, temporary: string): void {
  try {
    renameSync(file, temporary)
    if (textOf(temporary) !== '') linkIfMissing(temporary, file)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
  } finally {
    rmSync(temporary, { force: true })
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOrMessage, systemCodeOf } from '../shared/caught-error.ts'
import { isMissing } from '../shared/files/missing-file.ts'
import { configProblem, type EngineProblem } from './problem-codes.ts'

/** The value of `SERVICE_…`; undefined if not set. @throws UnreadableCredential */
export type Lookup = (name: string) => string | undefined

/** Reads the environment, then the file with that name in `$CREDENTIALS_DIRECTORY`. Empty values are ignored. */
export function credentialLookup(env: Readonly<Record<string, string | undefined>>): Lookup {
  const directory = env['CREDENTIALS_DIRECTORY'] || '/run/secrets'
  return (name) => env[name] || readIfThere(join(directory, name))?.trim() || undefined
}

/** A credential that exists but can't be read. */
class UnreadableCredential extends Error {
  readonly file: string
  /** The system's error code. */
  readonly code: string

  constructor(file: string, cause: unknown) {
    super(`Couldn't read ${file}`, { cause })
    this.file = file
    this.code = codeOrMessage(cause)
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error) || hasNoPlace(error)) return undefined
    throw new UnreadableCredential(file, error)
  }
}

/** Whether no file can have this path: a part of it isn't a folder, or a name is too long. */
const hasNoPlace = (error: unknown): boolean => ['ENOTDIR', 'ENAMETOOLONG'].includes(systemCodeOf(error) ?? '')

/** As if what can't be read were missing. */
export const onlyReadable =
  (lookup: Lookup): Lookup =>
  (name) => {
    try {
      return lookup(name)
    } catch (error) {
      if (error instanceof UnreadableCredential) return undefined
      throw error
    }
  }

export type Filled = { readonly text: string } | { readonly problem: EngineProblem }

/**
 * Placeholder prefix of each key [SEC-5]: no two keys share a name, and none can use `SERVICE_JWT_SECRET`. The service
 * sends `proxy.auth_secret` nowhere, so that one can also use any name that belongs to nothing else.
 */
const prefixes = {
  'camera-source': 'SERVICE_CAM_',
  'proxy.auth_secret': 'SERVICE_PROXY_',
  'auth.oidc.client_secret': 'SERVICE_OIDC_',
  'database.url': 'SERVICE_DATABASE_',
  'storage.s3.secret_access_key': 'SERVICE_S3_',
} as const

/** The keys that accept placeholders. */
export type FilledKey = keyof typeof prefixes

/**
 * Resolves the `{SERVICE_…}` placeholders of a key's text. In the credentials or the query of a URL, a value is
 * percent-encoded, so that a password with `@` or `/` stays intact. A camera's source accepts them only there.
 */
export function resolvePlaceholders(text: string, key: FilledKey, lookup: Lookup): Filled {
  const places = placeholdersIn(text)
  const problem = misuseOf(places, key)
  if (problem) return { problem }
  const found = valuesOf(places, lookup)
  if ('problem' in found) return found
  if (/\{SERVICE_[^}]*\}?/.test(text.replaceAll(pattern, ''))) {
    return { problem: configProblem('incomplete-placeholder') }
  }
  let filled = ''
  let end = 0
  for (const { name, at, inAddress, length } of places) {
    const value = found.values.get(name) ?? ''
    // A lone surrogate cannot be encoded, so no one typed it on purpose.
    filled += text.slice(end, at) + (inAddress ? encodeURIComponent(value.toWellFormed()) : value)
    end = at + length
  }
  return { text: filled + text.slice(end) }
}

function valuesOf(
  places: readonly Placeholder[],
  lookup: Lookup,
): { readonly values: ReadonlyMap<string, string> } | { readonly problem: EngineProblem } {
  const values = new Map<string, string>()
  const missing = new Set<string>()
  try {
    for (const { name } of places) {
      const value = lookup(name)
      if (value === undefined) missing.add(name)
      else values.set(name, value)
    }
  } catch (error) {
    if (!(error instanceof UnreadableCredential)) throw error
    return { problem: configProblem('unreadable-credential', { file: error.file, error: error.code }) }
  }
  if (missing.size === 0) return { values }
  const names = [...missing]
  return { problem: configProblem('unresolved-placeholder', { names }, { names: listed(names) }) }
}

const pattern = /\{(SERVICE_[A-Za-z0-9_]*)\}/g

interface Placeholder {
  readonly name: string
  readonly at: number
  readonly length: number
  /** Whether the placeholder is in the credentials of a URL, or in its query. */
  readonly inAddress: boolean
}

function placeholdersIn(text: string): Placeholder[] {
  const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(text)?.[0] ?? ''
  const credentialsEnd = authority.lastIndexOf('@')
  const queryStart = authority === '' ? -1 : text.split('#', 1).join().indexOf('?')
  return [...text.matchAll(pattern)].map(({ 0: { length }, 1: name = '', index: at }) => ({
    name,
    at,
    length,
    inAddress: at < credentialsEnd || (queryStart >= 0 && at > queryStart),
  }))
}

function misuseOf(places: readonly Placeholder[], key: FilledKey): EngineProblem | undefined {
  const prefix = prefixes[key]
  const names = [...new Set(places.map(({ name }) => name).filter((name) => !isOf(key, name)))]
  if (names.length > 0) {
    return configProblem('placeholder-not-allowed', { names, prefix }, { names: listed(names), prefix })
  }
  if (key !== 'camera-source' || places.every(({ inAddress }) => inAddress)) return undefined
  return configProblem('placeholder-place')
}

function isOf(key: FilledKey, name: string): boolean {
  if (name.startsWith(prefixes[key])) return true
  if (key !== 'proxy.auth_secret' || name === 'SERVICE_JWT_SECRET') return false
  return Object.values(prefixes).every((prefix) => !name.startsWith(prefix))
}

const listed = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(', ')

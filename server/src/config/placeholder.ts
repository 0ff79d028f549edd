import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigProblem } from './problem-codes.ts'

/** The value of `SERVICE_…`; undefined where nothing holds one. */
export type Lookup = (name: string) => string | undefined

/** Looks in the environment, then for a file of that name in `$CREDENTIALS_DIRECTORY`. What is empty does not count. */
export function credentialLookup(env: Readonly<Record<string, string | undefined>>): Lookup {
  const directory = env['CREDENTIALS_DIRECTORY'] || '/run/secrets'
  return (name) => env[name] || readIfThere(join(directory, name))?.trim() || undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

export type Filled = { readonly text: string } | { readonly problem: ConfigProblem }

/** What a key can be filled from [SEC-5]: no two share a name, and none is `SERVICE_JWT_SECRET`. */
const prefixes = {
  'camera-source': 'SERVICE_CAM_',
  'proxy.auth_secret': 'SERVICE_PROXY_',
  'database.url': 'SERVICE_DATABASE_',
} as const

/** The keys that have placeholders. */
export type FilledKey = keyof typeof prefixes

/**
 * Fills the `{SERVICE_…}` placeholders of a key's text. In an address, a value among the credentials or in the query is
 * percent-encoded, so that a password with `@` or `/` stays one. A camera's source is filled there and nowhere else.
 */
export function resolvePlaceholders(text: string, key: FilledKey, lookup: Lookup): Filled {
  const places = placeholdersIn(text)
  const problem = misuseOf(places, key)
  if (problem) return { problem }
  const missing = new Set(places.map(({ name }) => name).filter((name) => lookup(name) === undefined))
  if (missing.size > 0) {
    const names = [...missing]
    const message = `nothing fills ${listed(names)}: set it in the environment, or as a file in $CREDENTIALS_DIRECTORY`
    return { problem: { code: 'nothing-fills', values: { names }, message } }
  }
  if (/\{SERVICE_[^}]*\}?/.test(text.replaceAll(pattern, ''))) {
    const message = 'holds a placeholder that is not whole; allowed: `{SERVICE_…}` of letters, digits and `_`'
    return { problem: { code: 'placeholder-broken', message } }
  }
  let filled = ''
  let end = 0
  for (const { name, at, inAddress, length } of places) {
    const value = lookup(name) ?? ''
    // A lone half of a surrogate pair cannot be encoded; it is nothing that anyone typed.
    filled += text.slice(end, at) + (inAddress ? encodeURIComponent(value.toWellFormed()) : value)
    end = at + length
  }
  return { text: filled + text.slice(end) }
}

const pattern = /\{(SERVICE_[A-Za-z0-9_]*)\}/g

interface Placeholder {
  readonly name: string
  readonly at: number
  readonly length: number
  /** Among the credentials of an address, or in its query. */
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

function misuseOf(places: readonly Placeholder[], key: FilledKey): ConfigProblem | undefined {
  const prefix = prefixes[key]
  const names = [...new Set(places.map(({ name }) => name).filter((name) => !name.startsWith(prefix)))]
  if (names.length > 0) {
    const message = `${listed(names)} can't be used here; allowed: \`{${prefix}…}\``
    return { code: 'placeholder-elsewhere', values: { names, prefix }, message }
  }
  if (key !== 'camera-source' || places.every(({ inAddress }) => inAddress)) return undefined
  const message =
    'has a placeholder outside of the credentials and the query; allowed: `rtsp://user:{SERVICE_CAM_…}@host/path?key={SERVICE_CAM_…}`'
  return { code: 'placeholder-place', message }
}

const listed = (names: readonly string[]): string => names.map((name) => `\`{${name}}\``).join(', ')

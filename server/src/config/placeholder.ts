import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigProblem } from './problems.ts'

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

/**
 * Fills the `{SERVICE_…}` placeholders of a text. In an address, a value among the credentials or in the query is
 * percent-encoded, so that a password with `@` or `/` stays one.
 */
export function fillPlaceholders(text: string, lookup: Lookup): Filled {
  const missing: string[] = []
  const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(text)?.[0] ?? ''
  const credentialsEnd = authority.lastIndexOf('@')
  const queryStart = authority === '' ? -1 : text.indexOf('?')
  const filled = text.replaceAll(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (_whole, name: string, at: number) => {
    const value = lookup(name)
    if (value === undefined) missing.push(name)
    const encoded = at < credentialsEnd || (queryStart >= 0 && at > queryStart)
    // A lone half of a surrogate pair cannot be encoded; it stands for nothing anybody typed.
    return encoded ? encodeURIComponent((value ?? '').toWellFormed()) : (value ?? '')
  })
  if (missing.length > 0) {
    const names = [...new Set(missing)]
    const list = names.map((name) => `\`{${name}}\``).join(', ')
    const message = `nothing fills ${list}: set it in the environment, or as a file in $CREDENTIALS_DIRECTORY`
    return { problem: { code: 'nothing-fills', values: { names }, message } }
  }
  if (/\{SERVICE_[^}]*\}?/.test(text.replaceAll(/\{SERVICE_[A-Za-z0-9_]*\}/g, ''))) {
    const message = 'holds a placeholder that is not whole; allowed: `{SERVICE_…}` of letters, digits and `_`'
    return { problem: { code: 'placeholder-broken', message } }
  }
  return { text: filled }
}

import { trimmed } from '../../shared/header-value.ts'
import type { RequestMeta } from '../../shared/request-meta.ts'

/** The token that a request shows; `unclear` where it shows two that differ. */
export type PresentedToken =
  | { readonly kind: 'none' | 'unclear' }
  | {
      readonly kind: 'token'
      readonly token: string
      /** A browser sent it by itself. */
      readonly ambient: boolean
    }

const none: PresentedToken = { kind: 'none' }
const unclear: PresentedToken = { kind: 'unclear' }

/** TOK-12: a bearer header, where there is one, decides alone; other schemes are somebody else's, and passed over. */
export function evidenceOf(meta: RequestMeta, cookieName: string): PresentedToken {
  const [authorization, ...others] = meta.values('authorization')
  if (authorization !== undefined) {
    if (others.some((other) => other !== authorization)) return unclear
    const token = bearerToken(authorization)
    if (token !== undefined) return { kind: 'token', token, ambient: false }
  }
  let found: string | undefined
  for (const header of meta.values('cookie')) {
    for (const value of cookieValues(header, cookieName)) {
      if (found !== undefined && found !== value) return unclear
      found = value
    }
  }
  return found === undefined ? none : { kind: 'token', token: found, ambient: true }
}

/** Every token in a request, wherever it stands; for logging out (TOK-6). */
export function allTokens(meta: RequestMeta, cookieName: string): string[] {
  const bearers = meta.values('authorization').flatMap((value) => bearerToken(value) ?? [])
  const cookies = meta.values('cookie').flatMap((header) => cookieValues(header, cookieName))
  return [...new Set([...bearers, ...cookies])]
}

/** What follows the scheme, blanks apart; undefined for another scheme. Whatever else is wrong with it makes a bad token. */
const bearerToken = (authorization: string): string | undefined =>
  /^bearer(?![^\s])/i.test(authorization) ? authorization.slice(6).replace(/^ +/, '') : undefined

function cookieValues(header: string, name: string): string[] {
  const values: string[] = []
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && trimmed(pair.slice(0, equals)) === name) values.push(trimmed(pair.slice(equals + 1)))
  }
  return values
}

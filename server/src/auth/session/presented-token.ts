import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { cookieValues } from '../cookie/cookie-values.ts'

/** The token in a request, unless it has two different cookies or two different `Authorization` headers. */
export type PresentedToken =
  | { readonly kind: 'none' | 'two-cookies' | 'two-authorizations' }
  | {
      readonly kind: 'token'
      readonly token: string
      /** Whether the token was in the cookie, which browsers send automatically. */
      readonly ambient: boolean
    }

const none: PresentedToken = { kind: 'none' }
const twoCookies: PresentedToken = { kind: 'two-cookies' }
const twoAuthorizations: PresentedToken = { kind: 'two-authorizations' }

/** TOK-12: a bearer token takes precedence over the cookie. Other authorization schemes are ignored. */
export function presentedToken(meta: RequestMeta, cookieName: string): PresentedToken {
  const [authorization, ...others] = meta.values('authorization')
  if (authorization !== undefined) {
    if (others.some((other) => other !== authorization)) return twoAuthorizations
    const token = bearerToken(authorization)
    if (token !== undefined) return { kind: 'token', token, ambient: false }
  }
  let found: string | undefined
  for (const value of cookieValues(meta, cookieName)) {
    if (found !== undefined && found !== value) return twoCookies
    found = value
  }
  return found === undefined ? none : { kind: 'token', token: found, ambient: true }
}

/** All tokens in a request's headers and cookies, for logout (TOK-6). */
export function allTokens(meta: RequestMeta, cookieName: string): string[] {
  const bearers = meta.values('authorization').flatMap((value) => bearerToken(value) ?? [])
  return [...new Set([...bearers, ...cookieValues(meta, cookieName)])]
}

/** The text after the scheme, without leading spaces; undefined for another scheme. Invalid text counts as a bad token. */
const bearerToken = (authorization: string): string | undefined =>
  /^bearer(?![^\s])/i.test(authorization) ? authorization.slice(6).replace(/^ +/, '') : undefined

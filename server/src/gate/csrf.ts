import { onlyValue, type RequestMeta } from '../shared/http/request-meta.ts'

/** The requested host and port, and the other origins that are allowed. */
export interface AllowedOrigins {
  /** Host and port, in the form of a `Host` header. */
  readonly host: string
  /** Whether the browser's connection is known to use TLS; if so, a page loaded over plain HTTP is cross-origin. */
  readonly encrypted: boolean
  /** Full origins such as `https://panel.example`. */
  readonly allowedOrigins: readonly string[]
}

/**
 * TOK-13: whether a request comes from the service's own pages, or not from a browser.
 * Browsers omit both `Sec-Fetch-Site` and `Origin` only for requests that no web page caused.
 */
export function isSameOrigin(meta: RequestMeta, site: () => AllowedOrigins): boolean {
  const fetchSite = meta.values('sec-fetch-site')
  const origins = meta.values('origin')
  if (fetchSite.length === 0 && origins.length === 0) return true
  const from = onlyValue(meta, 'sec-fetch-site')
  if (from === 'same-origin' || from === 'none') return true
  const origin = onlyValue(meta, 'origin')
  if (origin === undefined) return false
  const { host, encrypted, allowedOrigins } = site()
  if (allowedOrigins.includes(origin)) return true
  return sameHostAndPort(origin, host) && (!encrypted || /^https:/i.test(origin))
}

/**
 * Compares host and port, not the scheme: behind a proxy that terminates TLS, the service's own scheme can differ.
 * A missing port is the scheme's default. `null` and invalid origins are cross-origin.
 */
export function sameHostAndPort(origin: string, host: string): boolean {
  const from = URL.parse(origin)
  if (!from || !['http:', 'https:'].includes(from.protocol)) return false
  // Parsed with the origin's scheme, so that a port missing from both is the same port.
  const requested = URL.parse(`${from.protocol}//${host}`)
  return requested !== null && requested.host === from.host && requested.pathname === '/' && requested.username === ''
}

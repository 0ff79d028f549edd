import type { RequestMeta } from '../shared/request-meta.ts'
import { onlyValue } from '../http/request-meta.ts'

/** What is compared: the host and port asked for, and origins that may ask from elsewhere. */
export interface AllowedOrigins {
  /** As in a `Host` header. */
  readonly host: string
  /** Whether the browser's own connection is known to be TLS: then a page that came without is another site. */
  readonly encrypted: boolean
  /** Whole origins, as `https://panel.example`. */
  readonly allowedOrigins: readonly string[]
}

/**
 * TOK-13: whether a request comes from the site's own pages, or from no browser at all.
 * A browser that does not say where a request comes from sends neither header only where it is no web page's doing.
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
 * Compares host and port, not scheme: behind a proxy that ends TLS ours may be another one.
 * A port left out is the scheme's; `null` and unreadable origins are foreign.
 */
export function sameHostAndPort(origin: string, host: string): boolean {
  const from = URL.parse(origin)
  if (!from || host === '' || !/^https?:$/.test(from.protocol)) return false
  // Read with the origin's scheme, so that a port left out of both is the same port.
  const requested = URL.parse(`${from.protocol}//${host}`)
  return requested !== null && requested.host === from.host && requested.pathname === '/' && requested.username === ''
}

import { isIP } from 'node:net'
import { ServiceError } from '../shared/errors.ts'
import { onlyValue } from '../http/request-meta.ts'
import { sameHostAndPort } from './csrf.ts'
import type { RequestContext } from './request-context.ts'
import type { PortGuard } from './server-deps.ts'

/** PORT-6: keeps pages of other sites, open in a user's browser, from using the unauthenticated port. */
export function guardInternalPort(allowedHosts: () => readonly string[]): PortGuard {
  return (context) => {
    const { meta } = context
    const host = onlyValue(meta, 'host') ?? ''
    if (!isAllowedHost(host, allowedHosts())) {
      throw new ServiceError('misdirected', {
        note: 'Allowed hosts on this port: IP addresses, localhost, names without dots, and the names in networking.internal.allowed_hosts.',
      })
    }
    const origins = meta.values('origin')
    const sites = meta.values('sec-fetch-site')
    const foreign =
      origins.some((origin) => !sameHostAndPort(origin, host)) ||
      sites.some((site) => site !== 'same-origin' && site !== 'none')
    if (foreign && !isPlainNavigation(context)) {
      throw new ServiceError('cross-origin')
    }
  }
}

export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  // A Host header contains only a host and a port.
  const url = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) ? URL.parse(`http://${host}`) : null
  if (!url) return false
  const name = url.hostname.replace(/\.$/, '')
  if (isIP(name.replace(/[[\]]/g, '')) !== 0) return true
  return singleLabel.test(name) || allowed.some((other) => other.toLowerCase().replace(/\.$/, '') === name)
}

/** A name without dots. `_` is allowed because container names use it. */
const singleLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** A followed link to one of the service's own pages. The page itself contains no data. */
function isPlainNavigation({ request: { method, headers }, isApi }: RequestContext): boolean {
  return (
    method === 'GET' && !isApi && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  )
}

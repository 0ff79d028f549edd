import { isIP } from 'node:net'
import { ServiceError } from '../shared/errors.ts'
import { onlyValue, type RequestMeta } from '../shared/http/request-meta.ts'
import { sameHostAndPort } from './csrf.ts'
import type { GateReasons } from './reasons.ts'
import type { RequestContext } from './request-context.ts'

/** A port's own check of every request, before it is authenticated. Throws a ServiceError if the request is rejected. */
export type PortGuard = (context: RequestContext) => void

/**
 * The gate: API requests are checked for the proxy secret.
 *
 * @param admit throws a ServiceError if the request is rejected.
 */
export const requireProxySecret =
  (admit: (meta: RequestMeta) => void): PortGuard =>
  (context) => {
    if (isGuarded(context)) admit(context.meta)
  }

/**
 * The gate of an instance that serves no users: of the API, load balancers and monitors get the health check, and no one
 * gets anything else. The pages contain no data, and say why.
 */
export const healthOnly: PortGuard = (context) => {
  if (isGuarded(context)) throw new ServiceError<GateReasons>('not-found', { reason: 'serves-no-users' })
}

const isGuarded = ({ isApi, path }: RequestContext): boolean => isApi && path !== '/api/health'

/** The internal port. PORT-6: keeps pages of other sites, open in a user's browser, from using it. */
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

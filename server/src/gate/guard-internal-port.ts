import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../shared/errors.ts'
import { onlyValue, IncomingRequestMeta } from '../http/request-meta.ts'
import { isApiPath, pathOf } from '../http/path.ts'
import { sameHostAndPort } from './csrf.ts'

/** PORT-6: keeps web pages that a browser shows from talking to the port without a login. */
export function guardInternalPort(allowedHosts: () => readonly string[]): (request: IncomingMessage) => void {
  return (request) => {
    const meta = new IncomingRequestMeta(request)
    const host = onlyValue(meta, 'host') ?? ''
    if (!isHostOfOurs(host, allowedHosts())) {
      throw new ServiceError(
        'misdirected',
        'This port answers only to an IP address, localhost, a name without dots, and names listed in networking.internal.allowed_hosts.',
      )
    }
    const origins = meta.values('origin')
    const sites = meta.values('sec-fetch-site')
    const foreign =
      origins.some((origin) => !sameHostAndPort(origin, host)) ||
      sites.some((site) => site !== 'same-origin' && site !== 'none')
    if (foreign && !isPlainNavigation(request)) {
      throw new ServiceError('foreign-origin', 'A page of another site may not use this port.')
    }
  }
}

export function isHostOfOurs(host: string, allowed: readonly string[]): boolean {
  // Anything but a bare host and port has no business in a Host header.
  const url = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) ? URL.parse(`http://${host}`) : null
  if (!url) return false
  const name = url.hostname.replace(/\.$/, '')
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true
  return singleLabel.test(name) || allowed.some((other) => other.toLowerCase().replace(/\.$/, '') === name)
}

/** As containers are named, with `_` too. */
const singleLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** A link to one of our pages, followed by a person: the page itself holds no data. */
function isPlainNavigation({ method, url = '/', headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    !isApiPath(pathOf(url)) &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}

import type { IncomingMessage } from 'node:http'
import type { RequestMeta } from '../shared/request-meta.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import { isApiPath, pathOf } from '../http/path.ts'

/**
 * Checks API requests to the gate, except the health check, for the proxy secret before they are authenticated.
 *
 * @param admit throws a ServiceError if the request is rejected.
 */
export function requireProxySecret(admit: (meta: RequestMeta) => void): (request: IncomingMessage) => void {
  return (request) => {
    const path = pathOf(request.url ?? '/')
    if (isApiPath(path) && path !== '/api/health') admit(new IncomingRequestMeta(request))
  }
}

import type { IncomingMessage } from 'node:http'
import type { RequestMeta } from '../shared/request-meta.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import { isApiPath, pathOf } from '../http/path.ts'

/**
 * What the gate asks of requests to the API, but for the health, before it asks who sends them.
 *
 * @param admit throws what refuses a request
 */
export function requireProxySecret(admit: (meta: RequestMeta) => void): (request: IncomingMessage) => void {
  return (request) => {
    const path = pathOf(request.url ?? '/')
    if (isApiPath(path) && path !== '/api/health') admit(new IncomingRequestMeta(request))
  }
}

import type { RequestMeta } from '../shared/http/request-meta.ts'
import type { PortGuard } from './server-deps.ts'

/**
 * Checks API requests to the gate, except the health check, for the proxy secret before they are authenticated.
 *
 * @param admit throws a ServiceError if the request is rejected.
 */
export const requireProxySecret =
  (admit: (meta: RequestMeta) => void): PortGuard =>
  ({ isApi, path, meta }) => {
    if (isApi && path !== '/api/health') admit(meta)
  }

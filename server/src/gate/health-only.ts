import { ServiceError } from '../shared/errors.ts'
import type { GateReasons } from './reasons.ts'
import type { PortGuard } from './server-deps.ts'

/**
 * The gate of an instance that serves no users: of the API, load balancers and monitors get the health check, and no one
 * gets anything else. The pages contain no data, and say why.
 */
export const healthOnly: PortGuard = ({ isApi, path }) => {
  if (isApi && path !== '/api/health') throw new ServiceError<GateReasons>('not-found', { reason: 'serves-no-users' })
}

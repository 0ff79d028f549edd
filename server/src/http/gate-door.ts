import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../shared/errors.ts'
import type { Knock } from '../shared/knock.ts'
import { RequestKnock } from './knock.ts'
import { isApiPath, pathOf } from './path.ts'

/** PROXY-2: with a secret agreed with the proxy, the gate's API is for nobody who comes without it. */
export function guardGate(cameThroughProxy: (knock: Knock) => boolean): (request: IncomingMessage) => void {
  return (request) => {
    const path = pathOf(request.url ?? '/')
    if (!isApiPath(path) || path === '/api/health' || cameThroughProxy(new RequestKnock(request))) return
    throw new ServiceError('sign-in', 'This service is reached through its proxy.', { reason: 'proxy-only' })
  }
}

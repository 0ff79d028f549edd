import type { IncomingMessage } from 'node:http'
import type { Knock } from '../shared/knock.ts'
import { RequestKnock } from './knock.ts'
import { isApiPath, pathOf } from './path.ts'

/**
 * What the gate asks of requests to the API, but for the health, before it asks who sends them.
 *
 * @param admit throws what refuses a request
 */
export function guardGate(admit: (knock: Knock) => void): (request: IncomingMessage) => void {
  return (request) => {
    const path = pathOf(request.url ?? '/')
    if (isApiPath(path) && path !== '/api/health') admit(new RequestKnock(request))
  }
}

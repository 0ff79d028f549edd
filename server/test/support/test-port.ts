import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { principalOf, unauthenticated, type Identity } from '../../src/access/identity.ts'
import { createStreamRegistry } from '../../src/gate/stream-registry.ts'
import type { Authentication } from '../../src/http/authentication.ts'
import { route, type RequestSpec, type Route, type RouteSchema } from '../../src/http/route.ts'
import { systemClock } from '../../src/shared/time/clock.ts'
import { bareServer, type BareServerOptions } from './bare-server.ts'
import { silent } from './null-log.ts'
import { unaudited } from './unaudited.ts'

export const named = (
  name: string,
  role: string | undefined,
  authMethod: 'password' | 'proxy' = 'password',
): Identity => ({
  kind: 'authenticated',
  authMethod,
  name,
  key: name,
  userId: null,
  role,
  session: undefined,
})

export const authenticated = (identity: Identity, more: Partial<Authentication> = {}): Authentication => {
  const authentication: Authentication = { identity, reauthenticate: () => authentication, ...more }
  return authentication
}

/** By an API token for the live video of the yard. */
export const withToken = (identity: Identity): Identity => {
  const limits = { cameras: new Set(['yard']), actions: new Set(['live'] as const) }
  return {
    ...principalOf(identity),
    credential: { kind: 'token', id: 't1', name: 'a program', limits, expiresAt: null },
  }
}

export const viewer = authenticated(named('ann', 'viewer'))
export const noOne = authenticated(unauthenticated)

export type Handle = RequestSpec<RouteSchema>['handle']

/** A route for every signed-in caller. */
export const routeTo = (handle: Handle, more: Partial<RequestSpec<RouteSchema>> = {}): Route =>
  route({
    method: ['GET', 'POST'],
    path: '/api/x',
    access: { signedIn: true },
    confirm: { never: 'a test' },
    schema: { summary: '' },
    handle,
    ...more,
  })
export const okRoute = routeTo(() => ({ ok: true }))

export interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'OPTIONS' | 'DELETE' | 'TRACE' | 'QUERY'
  readonly url?: string
  readonly headers?: Record<string, string | string[]>
  readonly payload?: object | string
}

/** A port with one route, which keeps what is written to the audit log and to the log. */
export async function testPort(more: Partial<BareServerOptions> = {}) {
  const entries: unknown[][] = []
  const logged: [level: string, text: string, fields: object][] = []
  const openStreams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  const app = await bareServer({
    routes: [okRoute],
    authentication: viewer,
    headers: { 'x-every': 'response' },
    openStreams,
    audit: {
      ...unaudited,
      record: (...given) => void entries.push(given),
      use: (...given) => {
        entries.push(given)
        return () => void entries.push(['end'])
      },
    },
    log: {
      ...silent,
      warn: (fields: object, text: string) => void logged.push(['warn', text, fields]),
      error: (fields: object, text: string) => void logged.push(['error', text, fields]),
      debug: (fields: object, text: string) => void logged.push(['debug', text, fields]),
    },
    ...more,
  })
  onTestFinished(async () => {
    await app.close()
    openStreams.stop()
  })
  const send = async ({ method = 'GET', url = '/api/x', headers = {}, payload }: Sent = {}) => {
    const response = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    const { statusCode: status, body } = response
    return { status, body, headers: response.headers, code: codeIn(body) }
  }
  return { app, send, entries, logged, openStreams }
}

const codeIn = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as { code?: string }).code
  } catch {
    return undefined
  }
}

/** The number of a server's port, on which it then listens. */
export const portOf = async (app: FastifyInstance): Promise<number> => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

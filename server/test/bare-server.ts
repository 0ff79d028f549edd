import type { FastifyInstance } from 'fastify'
import { unauthenticated } from '../src/access/identity.ts'
import { rolesFrom, type Roles } from '../src/access/role.ts'
import type { Authentication } from '../src/http/authentication.ts'
import { plainListener } from '../src/http/listener.ts'
import { createStreamRegistry, type StreamRegistry } from '../src/gate/stream-registry.ts'
import type { Route } from '../src/http/route.ts'
import { buildServer } from '../src/gate/server.ts'
import { systemClock } from '../src/shared/clock.ts'
import { unaudited } from './unaudited.ts'

export const log = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
const noUser: Authentication = { identity: unauthenticated, reauthenticate: () => noUser }

/** One listener with the routes of a test, and nothing behind it. */
export const bareServer = ({
  routes,
  authentication = noUser,
  openStreams = createStreamRegistry({ clock: systemClock, log, isListening: () => true }),
  guardPort = () => undefined,
  headers = {},
  roles = rolesFrom(new Map()),
}: {
  readonly routes: Route[]
  readonly authentication?: Authentication
  readonly openStreams?: StreamRegistry
  readonly guardPort?: () => void
  readonly headers?: Readonly<Record<string, string>>
  readonly roles?: Roles
}): Promise<FastifyInstance> =>
  buildServer({
    routes,
    authenticate: () => authentication,
    guardPort,
    allowedOrigins: undefined,
    roles: () => roles,
    cameraExists: (name) => name === 'yard',
    isProxied: () => false,
    clientOf: () => ({ address: '', encrypted: false, knownEncrypted: false, host: '', basePath: '/' }),
    basePath: '/',
    cookie: () => ({ name: 'token', sameSite: 'lax' }),
    headers,
    streamsPerUser: undefined,
    openStreams,
    audit: unaudited,
    clock: systemClock,
    log,
    webFiles: async (_request, reply) => reply.send('page'),
    register: async () => undefined,
    listener: plainListener,
  })

import type { FastifyInstance } from 'fastify'
import { unauthenticated } from '../../src/access/identity.ts'
import { fakeRoles } from './fake-roles.ts'
import { type Roles } from '../../src/access/role.ts'
import type { Authentication } from '../../src/http/authentication.ts'
import { plainListener } from '../../src/http/listener.ts'
import { createStreamRegistry } from '../../src/gate/stream-registry.ts'
import type { Route } from '../../src/http/route.ts'
import type { WebFiles } from '../../src/http/web-files.ts'
import { buildServer } from '../../src/gate/server.ts'
import type { ServerDeps } from '../../src/gate/server-deps.ts'
import { systemClock } from '../../src/shared/time/clock.ts'
import { silent } from './null-log.ts'
import { unaudited } from './unaudited.ts'

/** Web files with the same page everywhere. */
export const onePage: WebFiles = {
  register: async () => undefined,
  respond: async (_request, reply) => reply.send('page'),
}

const noUser: Authentication = { identity: unauthenticated, reauthenticate: () => noUser }

/** What a test can replace. */
export interface BareServerOptions extends Partial<Omit<ServerDeps, 'routes' | 'roles'>> {
  readonly routes: readonly Route[]
  readonly authentication?: Authentication
  readonly roles?: Roles
}

/** One listener with the routes of a test, and nothing behind it. */
export const bareServer = ({
  authentication = noUser,
  roles = fakeRoles(new Map()),
  ...replaced
}: BareServerOptions): Promise<FastifyInstance> =>
  buildServer({
    authenticate: () => authentication,
    authenticateLink: () => noUser,
    guardPort: () => undefined,
    allowedOrigins: undefined,
    roles: () => roles,
    cameraExists: (name) => name === 'yard',
    isProxied: () => false,
    clientOf: () => ({ address: '', encrypted: false, knownEncrypted: false, host: '', basePath: '/' }),
    basePath: '/',
    cookie: () => ({ name: 'token', sameSite: 'lax' }),
    headers: {},
    streamsPerUser: undefined,
    openStreams: createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true }),
    audit: unaudited,
    clock: systemClock,
    log: silent,
    webFiles: onePage,
    listener: plainListener(),
    ...replaced,
  })

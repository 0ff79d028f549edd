import type { Roles } from '../access/role.ts'
import type { Authenticated } from '../http/authentication.ts'
import type { Audit } from '../shared/audit/audit.ts'
import type { Client, RequestMeta } from '../shared/http/request-meta.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { WebFiles } from '../http/web-files.ts'
import type { Listener } from '../http/listener.ts'
import type { StreamRegistry } from './stream-registry.ts'
import type { PortGuard } from './port-guards.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from '../http/route.ts'
import type { CookieSettings } from '../auth/session/session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext | undefined
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

/** Authenticates a listener's requests. On the internal port, every caller is admin. */
export type Authenticate = (meta: RequestMeta) => Authenticated

export interface ServerDeps extends Runtime {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Authenticates a request for what a share link shows, on both ports: nothing but the link's cookie counts (LINK-2). */
  readonly authenticateLink: (meta: RequestMeta, link: string) => Authenticated
  /** Whether a proxy, not this service, authenticates the request. */
  readonly isProxied: (meta: RequestMeta) => boolean
  readonly guardPort: PortGuard
  /** TOK-13: origins that can send cross-origin requests; undefined if {@link guardPort} checks the origin. */
  readonly allowedOrigins: (() => readonly string[]) | undefined
  /** The roles by which requests are decided. `grantOf` throws a ServiceError if they aren't known. */
  readonly roles: () => Pick<Roles, 'grantOf'>
  readonly cameraExists: (name: string) => boolean
  readonly clientOf: (meta: RequestMeta) => Client
  /** `http.base_path`, `/` or `/…/`: the only prefix that is removed from request paths, whatever headers say (PATH-3). */
  readonly basePath: string
  readonly cookie: () => CookieSettings
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  readonly openStreams: StreamRegistry
  /** Max open streams per user; undefined: unlimited and not counted. */
  readonly streamsPerUser: (() => number) | undefined
  readonly audit: Audit
  /** Serves paths outside the API: the web UI's pages and their assets. */
  readonly webFiles: WebFiles
  /** Creates the socket server, plain or TLS. */
  readonly listener: Listener
}

/** What routes and their open streams need of these. */
export type RouteDeps = Pick<
  ServerDeps,
  'openStreams' | 'streamsPerUser' | 'roles' | 'cameraExists' | 'cookie' | 'audit' | 'clock' | 'log'
>

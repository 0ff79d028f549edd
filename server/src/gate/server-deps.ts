import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Resource } from '../access/decide.ts'
import type { Roles } from '../access/role.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Audit } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Client, RequestMeta } from '../shared/request-meta.ts'
import type { Log } from '../shared/log.ts'
import type { Listener } from '../http/listener.ts'
import type { StreamRegistry } from './stream-registry.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from '../http/route.ts'
import type { CookieSettings } from '../auth/session/session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: RequestContext | undefined
    /** What the request names, once it has been decided. */
    named: Resource
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

/** How one listener turns a request into an identity. The inside's always answers admin. */
export type Authenticate = (meta: RequestMeta) => Authentication | Promise<Authentication>

export interface ServerDeps {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Whether a proxy, and not this service, says who sends a request. */
  readonly isProxied: (meta: RequestMeta) => boolean
  /** What a listener asks of a request before it asks who it is from; throws what refuses it. */
  readonly admit: (request: IncomingMessage) => void
  /** TOK-13; undefined where {@link admit} sees to it. */
  readonly allowedOrigins: (() => readonly string[]) | undefined
  readonly roles: () => Roles
  readonly cameraExists: (name: string) => boolean
  readonly clientOf: (meta: RequestMeta) => Client
  /** `http.base_path`, `/` or `/…/`: the only one that is taken off request paths, whatever headers say (PATH-3). */
  readonly basePath: string
  readonly cookie: () => CookieSettings
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly openStreams: StreamRegistry
  /** Streams that one user can have open at a time; undefined: any number, uncounted. */
  readonly streamsPerUser: (() => number) | undefined
  readonly audit: Audit
  readonly clock: Pick<Clock, 'elapsed'>
  readonly log: Log
  /** Answers what is no API path: the pages and their assets. */
  readonly webFiles: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Lets the listener send files. */
  readonly register: (app: FastifyInstance) => Promise<void>
  /** Makes the socket server: plain or TLS. */
  readonly listener: Listener
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Named } from '../access/decide.ts'
import type { Roles } from '../access/role.ts'
import type { Standing } from '../access/standing.ts'
import type { Audit } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Client, Knock } from '../shared/knock.ts'
import type { Log } from '../shared/log.ts'
import type { Listener } from './listener.ts'
import type { OpenStreams } from './open-streams.ts'
import type { MetCaller } from './met-caller.ts'
import type { Route } from './route.ts'
import type { CookieSettings } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: MetCaller | undefined
    /** What the request names, once it has been decided. */
    named: Named
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

/** How one listener turns a request into an identity. The inside's always answers admin. */
export type Identify = (knock: Knock) => Standing | Promise<Standing>

export interface ServerParts {
  readonly routes: readonly Route[]
  readonly identify: Identify
  /** Whether a proxy, and not this service, says who sends a request. */
  readonly isProxied: (knock: Knock) => boolean
  /** What a listener asks of a request before it asks who it is from; throws what refuses it. */
  readonly admit: (request: IncomingMessage) => void
  /** TOK-13; undefined where {@link admit} sees to it. */
  readonly allowedOrigins: (() => readonly string[]) | undefined
  readonly roles: () => Roles
  readonly cameraExists: (name: string) => boolean
  readonly clientOf: (knock: Knock) => Client
  /** `http.base_path`, `/` or `/…/`: the only one that is taken off request paths, whatever headers say (PATH-3). */
  readonly basePath: string
  readonly cookie: () => CookieSettings
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly openStreams: OpenStreams
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

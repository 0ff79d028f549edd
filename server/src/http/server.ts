import websocket from '@fastify/websocket'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { TSchema } from 'typebox'
import { decide, type Decision, type Named } from '../access/decide.ts'
import { scopeOf, type CameraScope, type Grant } from '../access/grant.ts'
import { stranger, type Identity } from '../access/identity.ts'
import type { Roles } from '../access/role.ts'
import type { Standing } from '../access/standing.ts'
import type { Audit } from '../shared/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Client, Knock } from '../shared/knock.ts'
import type { Log } from '../shared/log.ts'
import { answerClientError } from './client-error.ts'
import { answerTo } from './errors.ts'
import { RequestKnock } from './knock.ts'
import { mount } from './mount.ts'
import { decideBeforeBody, isDecidedByBody, namedBy, type Asked } from './named.ts'
import type { OpenStreams } from './open-streams.ts'
import { isApiPath, isSafePath, pathOf, withoutBasePath } from './path.ts'
import { matching } from './route-table.ts'
import type { Caller, Route } from './route.ts'
import { isOwnPage } from './same-site.ts'
import { clearedCookies, sessionCookie, type CookieSettings } from './session-cookie.ts'
import { validatorFor, type RequestPart } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
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
  /** What a listener asks of a request before it asks who it is from; throws what refuses it. */
  readonly admit: (request: IncomingMessage) => void
  /** TOK-13; undefined where {@link admit} sees to it. */
  readonly allowedOrigins: (() => readonly string[]) | undefined
  readonly roles: () => Roles
  readonly cameraExists: (name: string) => boolean
  readonly clientOf: (knock: Knock) => Client
  readonly cookie: () => CookieSettings
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly openStreams: OpenStreams
  readonly audit: Audit
  readonly log: Log
  /** Answers what is no API path: the pages and their assets. */
  readonly webFiles: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Lets the listener send files. */
  readonly register: (app: FastifyInstance) => Promise<void>
  /** Makes the socket server: plain or TLS. */
  readonly serverFactory: NonNullable<FastifyServerOptions['serverFactory']>
}

/** Bytes that a request's body may have. */
const bodyLimit = 1024 * 1024

/** Builds one listener: fence, identity, decision, routes. Reads top to bottom as a request flows. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { routes, clientOf, headers, webFiles } = parts
  const app = Fastify({
    serverFactory: parts.serverFactory,
    logger: false,
    bodyLimit,
    forceCloseConnections: true,
    return503OnClosing: true,
    routerOptions: matching,
    rewriteUrl: (request) => {
      const url = request.url ?? '/'
      // Without this, a path that is refused as it was sent could look safe with its first segment gone.
      return isSafePath(url) ? withoutBasePath(url, clientOf(new RequestKnock(request)).basePath) : url
    },
    clientErrorHandler: answerClientError,
    // Before any hook: only a path that nobody can decode comes here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers)
      void sendProblem(isSafePath(request.url) ? error : unsafePath(), reply)
    },
  })

  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.route?.access) throw new Error(`${String(method)} ${url} declares no access`)
  })
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const check = validatorFor(schema, httpPart as RequestPart)
    return (value) => {
      try {
        return { value: check(value) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const route = request.routeOptions.config.route
    if (body === '' || !route?.schema.body) done(null)
    else if (route.text !== undefined)
      done(new ServiceError('unsupported-media-type', `Send the body as ${route.text}.`))
    else void app.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const route = request.routeOptions.config.route
    if (!route?.schema.body) return done(null)
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (route.text !== undefined && type === route.text) return done(null, body)
    if (body === '') return done(null)
    return done(new ServiceError('unsupported-media-type', `Send the body as ${route.text ?? 'application/json'}.`))
  })

  const gatekeeper = createGatekeeper(parts)
  app.decorateRequest('caller')
  app.decorateRequest('named')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    let waiting: Promise<void> | undefined
    try {
      waiting = gatekeeper.meet(request, reply)
    } catch (error) {
      return done(error as Error)
    }
    return waiting ? void waiting.then(() => done(), done) : done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      gatekeeper.decideByBody(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  app.setErrorHandler((error, request, reply) => {
    const { status } = sendProblem(error, reply)
    if (status >= 500)
      parts.log.error({ err: error, route: request.routeOptions.config.route?.path ?? null }, 'a request failed')
    if (status === 403) recordRefusal(parts.audit, request, error as ServiceError)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    if (isApiPath(path) || !['GET', 'HEAD'].includes(request.method)) {
      throw new ServiceError('not-found', 'There is nothing here.')
    }
    return webFiles(request, reply)
  })

  await app.register(websocket, { options: { maxPayload: 64 * 1024, perMessageDeflate: false } })
  await parts.register(app)
  mount(app, parts, routes)
  await app.ready()
  return app
}

/** A class, because one is made for each request, and an object with a getter of its own takes as long as all the rest. */
class MetCaller implements Caller {
  readonly identity: Identity
  readonly standing: Standing
  readonly grant: Grant
  readonly scope: CameraScope
  readonly knock: Knock
  readonly #clientOf: (knock: Knock) => Client
  #client: Client | undefined

  constructor(standing: Standing, grant: Grant, knock: Knock, clientOf: (knock: Knock) => Client) {
    this.identity = standing.identity
    this.standing = standing
    this.grant = grant
    this.scope = scopeOf(grant)
    this.knock = knock
    this.#clientOf = clientOf
  }

  get client(): Client {
    return (this.#client ??= this.#clientOf(this.knock))
  }
}

interface Gatekeeper {
  /** Identity and decision, before the body is read. Throws what refuses the request. */
  meet(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** The rest of the decision, where a body names the camera. */
  decideByBody(request: FastifyRequest): void
}

/** One order for every request: path, the listener's own door, identity, decision. */
function createGatekeeper(parts: ServerParts): Gatekeeper {
  const { identify, admit, allowedOrigins, roles, cameraExists, clientOf, cookie } = parts

  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    knock: Knock,
    standing: Standing,
  ): Promise<void> | undefined => {
    const { route } = request.routeOptions.config
    const { identity } = standing
    const grant = roles().grantOf(identity.kind === 'known' ? identity.role : undefined)
    const caller = new MetCaller(standing, grant, knock, clientOf)
    request.caller = caller
    if (standing.clearCookie) reply.header('set-cookie', clearedCookies(cookie(), caller.client))
    else if (standing.renewed) reply.header('set-cookie', sessionCookie(cookie(), standing.renewed, caller.client))

    // A path that no route has asks for an identity like any other, and is then told that there is nothing.
    const rule = route?.access ?? { signedIn: true as const }
    if (isDecidedByBody(rule)) refuse(decideBeforeBody(rule, identity, grant), caller)
    if (changesState(request) && ('open' in rule ? !showsBearer(knock) : standing.ambient))
      ownPageOrThrow(knock, caller)
    if (isDecidedByBody(rule)) return undefined
    const finish = (named: Named) => {
      request.named = named
      refuse(decide(rule, identity, grant, named), caller)
    }
    // Nobody makes us look anything up before they are somebody.
    if (identity.kind === 'stranger') return finish({}) as undefined
    const named = namedBy(rule, asked(request), cameraExists)
    return named instanceof Promise ? named.then(finish) : (finish(named) as undefined)
  }

  const ownPageOrThrow = (knock: Knock, caller: Caller) => {
    if (allowedOrigins === undefined) return
    const site = () => ({ host: caller.client.host, allowedOrigins: allowedOrigins() })
    if (!isOwnPage(knock, site)) throw new ServiceError('foreign-origin', 'A page of another site may not do this.')
  }

  return {
    meet(request, reply) {
      if (!isSafePath(request.raw.url ?? '') || !isSafePath(request.originalUrl)) {
        throw unsafePath()
      }
      admit(request.raw)
      const { route } = request.routeOptions.config
      if (!route && !isApiPath(pathOf(request.url))) return undefined
      if (isApiPath(pathOf(request.url))) reply.header('cache-control', 'no-store')
      const knock = new RequestKnock(request.raw)
      if (route && 'open' in route.access) return enter(request, reply, knock, nobody)
      const standing = identify(knock)
      return standing instanceof Promise
        ? standing.then((late) => enter(request, reply, knock, late))
        : enter(request, reply, knock, standing)
    },
    decideByBody(request) {
      const rule = request.routeOptions.config.route?.access
      if (!rule || !isDecidedByBody(rule) || !request.caller) return
      const { identity, grant } = request.caller
      const named = namedBy(rule, asked(request), cameraExists)
      if (named instanceof Promise) throw new Error('unreachable: a body names its camera itself')
      request.named = named
      refuse(decide(rule, identity, grant, named), request.caller)
    },
  }
}

const nobody: Standing = { identity: stranger, again: () => nobody }

const asked = (request: FastifyRequest): Asked => ({
  params: request.params as Asked['params'],
  query: request.query as Asked['query'],
  body: request.body,
})

const unsafePath = () => new ServiceError('unsafe-path', 'This path cannot be read in one way only.')

/** No browser adds one by itself, and no page makes it send one to another site. */
const showsBearer = (knock: Knock): boolean => knock.values('authorization').some((value) => /^bearer /i.test(value))

function changesState(request: FastifyRequest): boolean {
  return (
    !['GET', 'HEAD', 'OPTIONS'].includes(request.method) ||
    request.headers.upgrade !== undefined ||
    request.routeOptions.config.route?.ownPagesOnly === true
  )
}

function refuse(decision: Decision, { identity, grant }: Caller): void {
  switch (decision) {
    case 'allow':
      return
    case 'sign-in':
      throw new ServiceError('sign-in', 'Sign in first.')
    case 'forbid':
      throw new ServiceError('forbidden', grant.actions.size > 0 ? 'Your role does not allow this.' : noRole(identity))
    case 'absent':
      throw new ServiceError('not-found', 'There is nothing of that name.')
  }
}

/** PROXY-5: who is somebody and nothing is told why. */
const noRole = (identity: Identity): string =>
  identity.kind === 'known' && identity.source === 'proxy'
    ? 'No role fits you: the proxy that signed you in sends none that exists here, and `proxy.default_role` is not set.'
    : 'Your role does not exist any more. Ask an administrator for another.'

function sendProblem(error: unknown, reply: FastifyReply): { status: number } {
  const { status, body, retryAfter } = answerTo(error)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
  return { status }
}

function recordRefusal(audit: Audit, request: FastifyRequest, error: ServiceError): void {
  const identity: Identity = request.caller?.identity ?? stranger
  const known = identity.kind === 'known'
  audit.record({
    action: 'request',
    result: 'refused',
    user: known ? identity.name : null,
    source: known ? identity.source : null,
    address: request.caller?.client.address ?? request.raw.socket.remoteAddress ?? null,
    target: `${request.method} ${pathOf(request.url)}`,
    detail: error.code,
  })
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { decide, type Decision, type Resource } from '../access/decide.ts'
import { unauthenticated, type Identity } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import type { RequestMeta } from '../shared/request-meta.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import { RequestContext } from './request-context.ts'
import { decideBeforeBody, isDecidedByBody, resolveResource, type RequestInput } from './resource.ts'
import { isApiPath, isSafePath, pathOf } from '../http/path.ts'
import type { Caller, Route } from '../http/route.ts'
import { isSameOrigin } from './csrf.ts'
import type { ServerDeps } from './server-deps.ts'
import { clearedOnTheWay, sessionCookie } from '../auth/session/session-cookie.ts'

export interface Authorizer {
  /** Authenticates the request and decides access before the body is read. Throws a ServiceError if access is denied. */
  authorizeRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** Decides access after the body is read, for routes whose rule {@link isDecidedByBody}. */
  authorizeBody(request: FastifyRequest, rule: AccessRule): Promise<void> | undefined
}

type AuthorizerDeps = Pick<
  ServerDeps,
  'authenticate' | 'isProxied' | 'admit' | 'allowedOrigins' | 'roles' | 'cameraExists' | 'clientOf' | 'cookie'
>

/** Checks every request in the same order: path, the listener's own check, identity, decision. */
export function createAuthorizer(deps: AuthorizerDeps): Authorizer {
  const { authenticate, admit, allowedOrigins, roles, cameraExists, cookie } = deps

  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    route: Route | undefined,
    meta: RequestMeta,
    authentication: Authentication,
  ): Promise<void> | undefined => {
    const { identity } = authentication
    const grant = roles().grantOf(identity.kind === 'known' ? identity.role : undefined)
    const caller = new RequestContext(authentication, grant, meta, deps)
    request.caller = caller
    if (authentication.clearCookie) {
      reply.header('set-cookie', clearedOnTheWay(cookie(), caller.client, pathOf(request.url)))
      // Clears cookies that were set for a whole domain too. Browsers accept this header only over TLS.
      reply.header('clear-site-data', '"cookies"')
    }
    if (authentication.renewed)
      reply.header('set-cookie', sessionCookie(cookie(), authentication.renewed, caller.client))

    // An unknown path requires authentication too; authenticated callers then get 404 (ERR-2).
    const rule = route?.access ?? { signedIn: true as const }
    if (isDecidedByBody(rule)) refuse(decideBeforeBody(rule, identity, grant), caller)
    if (changesState(request, route) && ('open' in rule ? !showsBearer(meta) : authentication.ambient))
      ownPageOrThrow(meta, caller)
    if (isDecidedByBody(rule)) return undefined
    const finish = (named: Resource) => {
      request.named = named
      refuse(decide(rule, identity, grant, named), caller)
      if (named.requested) caller.allowed(grant, named)
    }
    // An unauthenticated request causes no lookup.
    if (identity.kind === 'unauthenticated') return finish({}) as undefined
    const named = resolveResource(rule, requested(request), cameraExists)
    return named instanceof Promise ? named.then(finish) : (finish(named) as undefined)
  }

  const ownPageOrThrow = (meta: RequestMeta, caller: Caller) => {
    if (allowedOrigins === undefined) return
    const site = () => {
      const { host, knownEncrypted } = caller.client
      return { host, encrypted: knownEncrypted, allowedOrigins: allowedOrigins() }
    }
    if (!isSameOrigin(meta, site)) throw new ServiceError('cross-origin', "Cross-origin requests can't do this.")
  }

  return {
    authorizeRequest(request, reply) {
      const { url = '' } = request.raw
      if (!isSafePath(url) || (url !== request.originalUrl && !isSafePath(request.originalUrl))) throw unsafePath()
      admit(request.raw)
      // Fastify creates `routeOptions` on every access, so read it once.
      const { route } = request.routeOptions.config
      const isApi = isApiPath(pathOf(request.url))
      if (!route && !isApi) return undefined
      if (isApi) reply.header('cache-control', 'no-store')
      const meta = new IncomingRequestMeta(request.raw)
      if (route && 'open' in route.access) return enter(request, reply, route, meta, noAuthentication)
      const authentication = authenticate(meta)
      return authentication instanceof Promise
        ? authentication.then((late) => enter(request, reply, route, meta, late))
        : enter(request, reply, route, meta, authentication)
    },
    authorizeBody(request, rule) {
      const { caller } = request
      if (!caller) throw new Error('unreachable: the request was not authenticated')
      const named = resolveResource(rule, requested(request), cameraExists)
      const finish = (found: Resource) => {
        request.named = found
        refuse(decide(rule, caller.identity, caller.grant, found), caller)
        if (found.requested) caller.allowed(caller.grant, found)
      }
      return named instanceof Promise ? named.then(finish) : (finish(named) as undefined)
    },
  }
}

const noAuthentication: Authentication = { identity: unauthenticated, reauthenticate: () => noAuthentication }

const requested = (request: FastifyRequest): RequestInput => ({
  params: request.params as RequestInput['params'],
  query: request.query as RequestInput['query'],
  body: request.body,
})

/** A browser never adds a bearer token by itself, and no page can make it send one to another site. */
const showsBearer = (meta: RequestMeta): boolean =>
  meta.values('authorization').some((value) => /^bearer /i.test(value))

function changesState(request: FastifyRequest, route: Route | undefined): boolean {
  return (
    !['GET', 'HEAD', 'OPTIONS'].includes(request.method) ||
    request.headers.upgrade !== undefined ||
    route?.sameOriginOnly === true
  )
}

function refuse(decision: Decision, { identity, grant }: Caller): void {
  switch (decision) {
    case 'allow':
      return
    case 'unauthenticated':
      throw new ServiceError('unauthenticated', 'Sign in first.')
    case 'forbidden':
      throw grant.actions.size > 0 ? new ServiceError('forbidden', "Your role doesn't allow this.") : noRole(identity)
    case 'not-found':
      throw new ServiceError('not-found', 'Not found.')
  }
}

/** PROXY-5: the error for an authenticated caller without a role says why there is none. */
function noRole(identity: Identity): ServiceError {
  if (identity.kind !== 'known' || identity.source !== 'proxy') {
    const gone = 'Your role was deleted. Ask an admin to assign you another one.'
    return new ServiceError('forbidden', gone, { reason: 'role-deleted' })
  }
  const none =
    "You don't have a role: the proxy that signed you in sent no role that exists here, and `proxy.default_role` is not set."
  return new ServiceError('forbidden', none, { reason: 'no-role-from-proxy' })
}

export const unsafePath = () =>
  new ServiceError(
    'unsafe-path',
    'This path is ambiguous. Send it without dot segments, empty segments, backslashes or encoded slashes.',
  )

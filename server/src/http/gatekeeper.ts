import type { FastifyReply, FastifyRequest } from 'fastify'
import { decide, type Decision, type Named } from '../access/decide.ts'
import { stranger, type Identity } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { Standing } from '../access/standing.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Knock } from '../shared/knock.ts'
import { RequestKnock } from './knock.ts'
import { MetCaller } from './met-caller.ts'
import { decideBeforeBody, isDecidedByBody, namedBy, type Asked } from './named.ts'
import { isApiPath, isSafePath, pathOf } from './path.ts'
import type { Caller, Route } from './route.ts'
import { isOwnPage } from './same-site.ts'
import type { ServerParts } from './server-parts.ts'
import { clearedOnTheWay, sessionCookie } from './session-cookie.ts'

export interface Gatekeeper {
  /** Identity and decision, before the body is read. Throws what refuses the request. */
  meet(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** The rest of the decision, where a body names the camera: of routes whose rule {@link isDecidedByBody}. */
  decideByBody(request: FastifyRequest, rule: AccessRule): Promise<void> | undefined
}

type GatekeeperParts = Pick<
  ServerParts,
  'identify' | 'isProxied' | 'admit' | 'allowedOrigins' | 'roles' | 'cameraExists' | 'clientOf' | 'cookie'
>

/** One order for every request: path, the listener's own door, identity, decision. */
export function createGatekeeper(parts: GatekeeperParts): Gatekeeper {
  const { identify, admit, allowedOrigins, roles, cameraExists, cookie } = parts

  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    route: Route | undefined,
    knock: Knock,
    standing: Standing,
  ): Promise<void> | undefined => {
    const { identity } = standing
    const grant = roles().grantOf(identity.kind === 'known' ? identity.role : undefined)
    const caller = new MetCaller(standing, grant, knock, parts)
    request.caller = caller
    if (standing.clearCookie) {
      reply.header('set-cookie', clearedOnTheWay(cookie(), caller.client, pathOf(request.url)))
      // For one that was set for a whole domain. Browsers heed it only over TLS.
      reply.header('clear-site-data', '"cookies"')
    }
    if (standing.renewed) reply.header('set-cookie', sessionCookie(cookie(), standing.renewed, caller.client))

    // A path that no route has asks for an identity like any other, and is then told that there is nothing.
    const rule = route?.access ?? { signedIn: true as const }
    if (isDecidedByBody(rule)) refuse(decideBeforeBody(rule, identity, grant), caller)
    if (changesState(request, route) && ('open' in rule ? !showsBearer(knock) : standing.ambient))
      ownPageOrThrow(knock, caller)
    if (isDecidedByBody(rule)) return undefined
    const finish = (named: Named) => {
      request.named = named
      refuse(decide(rule, identity, grant, named), caller)
      if (named.asked) caller.allowed(grant, named)
    }
    // Nobody makes us look anything up before they are somebody.
    if (identity.kind === 'stranger') return finish({}) as undefined
    const named = namedBy(rule, asked(request), cameraExists)
    return named instanceof Promise ? named.then(finish) : (finish(named) as undefined)
  }

  const ownPageOrThrow = (knock: Knock, caller: Caller) => {
    if (allowedOrigins === undefined) return
    const site = () => {
      const { host, knownEncrypted } = caller.client
      return { host, encrypted: knownEncrypted, allowedOrigins: allowedOrigins() }
    }
    if (!isOwnPage(knock, site)) throw new ServiceError('foreign-origin', 'A page of another site may not do this.')
  }

  return {
    meet(request, reply) {
      const { url = '' } = request.raw
      if (!isSafePath(url) || (url !== request.originalUrl && !isSafePath(request.originalUrl))) throw unsafePath()
      admit(request.raw)
      // Each look at it makes it anew.
      const { route } = request.routeOptions.config
      const isApi = isApiPath(pathOf(request.url))
      if (!route && !isApi) return undefined
      if (isApi) reply.header('cache-control', 'no-store')
      const knock = new RequestKnock(request.raw)
      if (route && 'open' in route.access) return enter(request, reply, route, knock, nobody)
      const standing = identify(knock)
      return standing instanceof Promise
        ? standing.then((late) => enter(request, reply, route, knock, late))
        : enter(request, reply, route, knock, standing)
    },
    decideByBody(request, rule) {
      const { caller } = request
      if (!caller) throw new Error('unreachable: nobody comes here who was not met')
      const named = namedBy(rule, asked(request), cameraExists)
      const finish = (found: Named) => {
        request.named = found
        refuse(decide(rule, caller.identity, caller.grant, found), caller)
        if (found.asked) caller.allowed(caller.grant, found)
      }
      return named instanceof Promise ? named.then(finish) : (finish(named) as undefined)
    },
  }
}

const nobody: Standing = { identity: stranger, again: () => nobody }

const asked = (request: FastifyRequest): Asked => ({
  params: request.params as Asked['params'],
  query: request.query as Asked['query'],
  body: request.body,
})

/** No browser adds one by itself, and no page makes it send one to another site. */
const showsBearer = (knock: Knock): boolean => knock.values('authorization').some((value) => /^bearer /i.test(value))

function changesState(request: FastifyRequest, route: Route | undefined): boolean {
  return (
    !['GET', 'HEAD', 'OPTIONS'].includes(request.method) ||
    request.headers.upgrade !== undefined ||
    route?.ownPagesOnly === true
  )
}

function refuse(decision: Decision, { identity, grant }: Caller): void {
  switch (decision) {
    case 'allow':
      return
    case 'sign-in':
      throw new ServiceError('sign-in', 'Sign in first.')
    case 'forbid':
      throw grant.actions.size > 0 ? new ServiceError('forbidden', 'Your role does not allow this.') : noRole(identity)
    case 'absent':
      throw new ServiceError('not-found', 'There is nothing of that name.')
  }
}

/** PROXY-5: who is somebody and nothing is told why. */
function noRole(identity: Identity): ServiceError {
  if (identity.kind !== 'known' || identity.source !== 'proxy') {
    const gone = 'Your role does not exist any more. Ask an administrator for another.'
    return new ServiceError('forbidden', gone, { reason: 'role-gone' })
  }
  const none =
    'No role fits you: the proxy that signed you in sends none that exists here, and `proxy.default_role` is not set.'
  return new ServiceError('forbidden', none, { reason: 'no-role-from-proxy' })
}

export const unsafePath = () => new ServiceError('unsafe-path', 'This path cannot be read in one way only.')

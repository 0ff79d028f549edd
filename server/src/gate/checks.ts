import { needsConfirmation } from '../access/confirmation.ts'
import { decide, namesSameOwner, type Decision, type Resource } from '../access/decide.ts'
import { hasRole, type Grant } from '../access/grant.ts'
import { grantOfIdentity } from '../access/identity-grant.ts'
import { credentialOf, type Identity } from '../access/identity.ts'
import { isForLinks, type AccessRule } from '../access/rule.ts'
import { sessionCookie, clearedAlongPath } from '../auth/session/session-cookie.ts'
import type { Authenticated, Authentication } from '../http/authentication.ts'
import { isSafePath } from '../http/path.ts'
import { createBudget } from '../shared/rate/budget.ts'
import { cameraRequestHeader } from '../shared/camera/camera-request.ts'
import { ServiceError } from '../shared/errors.ts'
import { auditRefusedToken } from './audit.ts'
import { challengeFor } from './challenge.ts'
import { isSameOrigin } from './csrf.ts'
import { decisionLifetime, type RequestContext } from './request-context.ts'
import { decideBeforeBody, isDecidedByBody, resolveResource } from './resource.ts'
import { createOwnChangeLimit } from './own-change-limit.ts'
import type { ServerDeps } from './server-deps.ts'
import type { GateReasons } from './reasons.ts'

/** One step on the way to the handler. Throws a ServiceError to reject the request; a promise only if it must wait. */
type Check = (context: RequestContext, port: Port) => Promise<void> | undefined

/** Every request passes these first, those for pages of the web UI and for unknown paths too. */
const admission: readonly Check[] = [rejectCameraRequest, requireOneHost, requireSafePath, guardPort]

/** Requests to routes and to any API path, even an unknown one (ERR-2), pass these as well, before the body is read. */
const access: readonly Check[] = [
  authenticate,
  setCookies,
  requireSameOrigin,
  authorize,
  requireConfirmed,
  limitOwnChanges,
  requireOffered,
]

/** Every request passes this last: a request that no route accepts needs no body. */
const routed: readonly Check[] = [requireMethod]

/** A route whose rule {@link isDecidedByBody} passes this one too, once its body is read. */
const decidedByBody: readonly Check[] = [authorizeResource]

/**
 * A request passes these once its body is read, if that took longer than {@link decisionLifetime}, or if it is to be
 * confirmed: the caller may have lost access (ROLE-10), and what such a request makes, like a token, would outlast that.
 */
const afterLateBody: readonly Check[] = [authenticateAgain, authorizeResource, requireConfirmed]

/** A request whose handler had to wait passes these. It was confirmed in time: the wait was the service's (MFA-4). */
const afterWait: readonly Check[] = [authenticateAgain, authorizeResource]

const pages = [...admission, ...routed]
const all = [...admission, ...access, ...routed]

/** Runs the checks of one port. Each function throws a ServiceError if the request is rejected. */
export interface Checks {
  beforeBody(context: RequestContext): Promise<void> | undefined
  afterBody(context: RequestContext): Promise<void> | undefined
  /** Authorizes again after a long wait: the caller may have lost access (ROLE-10). */
  afterWait(context: RequestContext): Promise<void> | undefined
}

type PortDeps = Pick<
  ServerDeps,
  | 'guardPort'
  | 'authenticate'
  | 'authenticateLink'
  | 'allowedOrigins'
  | 'roles'
  | 'cameraExists'
  | 'cookie'
  | 'audit'
  | 'clock'
  | 'log'
>

interface Port extends PortDeps {
  /** The methods with a route at a request's target. */
  readonly methodsAt: (url: string) => readonly string[]
  /** At most one log line per minute: anyone can send a camera's header any number of times. */
  readonly cameraWarnings: { take(): boolean }
  /** Counts the changes of each user. */
  readonly countOwnChange: (context: RequestContext) => void
}

export function createChecks(deps: PortDeps, methodsAt: Port['methodsAt']): Checks {
  const port: Port = {
    ...deps,
    methodsAt,
    cameraWarnings: createBudget({ max: 1, every: 60_000 }, deps.clock),
    countOwnChange: createOwnChangeLimit(deps.clock),
  }
  return {
    beforeBody: (context) => run(context.route || context.isApi ? all : pages, context, port),
    afterBody(context) {
      const isLate = port.clock.elapsed() - context.authenticatedAt > decisionLifetime
      return isLate || asksForConfirmation(context)
        ? run(afterLateBody, context, port)
        : isDecidedByBody(context.rule)
          ? run(decidedByBody, context, port)
          : undefined
    },
    afterWait: (context) => run(afterWait, context, port),
  }
}

/** Not an async function: most requests wait for nothing, and a promise for each would cost more than the checks. */
function run(checks: readonly Check[], context: RequestContext, port: Port): Promise<void> | undefined {
  for (let at = 0; at < checks.length; at += 1) {
    const waiting = checks[at]?.(context, port)
    if (waiting) return waiting.then(() => run(checks.slice(at + 1), context, port))
  }
  return undefined
}

/** CAM-1: no camera can read from the service through the requests made on its behalf. */
function rejectCameraRequest(context: RequestContext, { log, cameraWarnings }: Port): undefined {
  if (context.request.headers[cameraRequestHeader] === undefined) return
  if (cameraWarnings.take()) log.warn({ address: context.client.address }, 'request rejected: sent by a camera')
  throw new ServiceError('forbidden', { note: "A camera can't use this service." })
}

/** RFC 9112 3.2: two programs could choose different ones of several hosts. */
function requireOneHost({ request, meta }: RequestContext): undefined {
  const hosts = meta.values('host').length
  if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return
  throw new ServiceError('invalid-request', { note: 'Send one Host header.' })
}

/** RFC 9110 15.5.6: a path that has routes, but none for the method. A GET or HEAD can be for a page of the web UI. */
function requireMethod({ route, request, reply }: RequestContext, { methodsAt }: Port): undefined {
  if (route) return
  const allowed = methodsAt(request.url)
  if (allowed.length > 0) {
    reply.header('allow', allowed.join(', '))
    throw new ServiceError('method-not-allowed')
  }
  if (!['GET', 'HEAD'].includes(request.method)) throw new ServiceError('not-found')
}

/** PATH-1. The target as it was sent, with its base path: what is unsafe in it stays so without the base path. */
function requireSafePath({ request }: RequestContext): undefined {
  if (!isSafePath(request.originalUrl)) throw unsafePath()
}

/** The gate checks the proxy secret, the internal port checks `Host` and `Origin`. */
function guardPort(context: RequestContext, port: Port): undefined {
  port.guardPort(context)
}

/** Finds the caller's identity, and the grant of their role. */
function authenticate(context: RequestContext, port: Port): Promise<void> | undefined {
  context.authenticatedAt = port.clock.elapsed()
  return authenticatedBy(authenticationOf(context, port), context, port)
}

/** Authenticates the same credentials again, against the current state. */
function authenticateAgain(context: RequestContext, port: Port): Promise<void> | undefined {
  return authenticatedBy(context.authentication.reauthenticate(), context, port)
}

const authenticatedBy = (found: Authenticated, context: RequestContext, port: Port) =>
  found instanceof Promise
    ? found.then((late) => authenticated(context, late, port))
    : authenticated(context, found, port)

function authenticationOf({ rule, authentication, meta, request }: RequestContext, port: Port) {
  if ('open' in rule) return authentication
  if (!isForLinks(rule)) return port.authenticate(meta)
  return port.authenticateLink(meta, (request.params as { readonly link: string }).link)
}

function authenticated(context: RequestContext, authentication: Authentication, port: Port): undefined {
  const { identity, refusedToken } = authentication
  const grant = grantOfIdentity(port.roles(), identity)
  context.authenticated(authentication, grant)
  if (refusedToken) auditRefusedToken(port, context, refusedToken)
}

/** Sends a renewed session cookie (TOK-5), or clears it (TOK-12). */
function setCookies(context: RequestContext, { cookie }: Port): undefined {
  const { authentication, path, reply } = context
  if (authentication.clearCookie) {
    reply.header('set-cookie', clearedAlongPath(cookie(), context.client, path))
    // Clears cookies that were set for a whole domain too. Browsers accept this header only over TLS.
    if (authentication.clearCookie === 'with-site') reply.header('clear-site-data', '"cookies"')
  }
  if (authentication.renewed)
    reply.header('set-cookie', sessionCookie(cookie(), authentication.renewed, context.client))
}

/** TOK-13: a request that changes state, with credentials that a browser adds automatically. */
function requireSameOrigin(context: RequestContext, { allowedOrigins }: Port): undefined {
  if (allowedOrigins === undefined || !changesState(context)) return
  const { meta, rule, authentication } = context
  if ('open' in rule ? showsBearer(context) : !authentication.ambient) return
  const site = () => {
    const { host, knownEncrypted } = context.client
    return { host, encrypted: knownEncrypted, allowedOrigins: allowedOrigins() }
  }
  if (!isSameOrigin(meta, site)) throw new ServiceError('cross-origin')
}

/** Compares the route's rule with the grant and the resource. If only the body names it, whether any could be allowed. */
function authorize(context: RequestContext, port: Port): Promise<void> | undefined {
  const { rule, identity, grant } = context
  if (isDecidedByBody(rule)) return requireAllowed(decideBeforeBody(rule, identity, grant), context)
  return authorizeResource(context, port)
}

function authorizeResource(context: RequestContext, { cameraExists }: Port): Promise<void> | undefined {
  // An unauthenticated request causes no lookup.
  if (context.identity.kind === 'unauthenticated') return decideFor(context, {})
  const { params, query, body } = context.request
  const resource = resolveResource(
    context.rule,
    { params: params as Values, query: query as Values, body },
    cameraExists,
  )
  return resource instanceof Promise ? resource.then((late) => decideFor(context, late)) : decideFor(context, resource)
}

/** MFA-4: only once the caller is allowed, so that a denial stays a denial. */
function requireConfirmed({ route, authentication }: RequestContext, { clock }: Port): undefined {
  if (needsConfirmation(route?.confirm, authentication.confirmed, clock.now()))
    throw new ServiceError('confirm-required')
}

/** Only once the request is allowed, and confirmed: a change that is asked to be confirmed is sent again. */
function limitOwnChanges(context: RequestContext, port: Port): undefined {
  port.countOwnChange(context)
}

/** Whether the route declares `confirm` (MFA-4). */
const asksForConfirmation = ({ route }: RequestContext): boolean =>
  route?.confirm === true || route?.confirm === 'always'

/** What the route declares about its callers, which its rule can't express. */
function requireOffered(context: RequestContext): undefined {
  context.route?.requireOffered?.(context)
}

type Values = Readonly<Record<string, unknown>>

function decideFor(context: RequestContext, resource: Resource): undefined {
  const { rule, identity, grant } = context
  requireAllowed(decide(rule, identity, grant, resource), context)
  // ROLE-10: since the last decision, the user was deleted, and another one may have the name.
  if (context.resource && !namesSameOwner(context.resource, resource)) throw ownerGone(rule)
  context.authorized(resource)
}

/** As if the user whom a change names, or the owner's resource, had never existed. */
const ownerGone = (rule: AccessRule): ServiceError =>
  'service' in rule ? new ServiceError('not-found', { reason: 'no-such-user' }) : new ServiceError('not-found')

/** A browser never adds a bearer token by itself, and no page can make it send one to another site. */
const showsBearer = ({ meta }: RequestContext): boolean =>
  meta.values('authorization').some((value) => /^bearer /i.test(value))

const changesState = ({ request: { method, headers }, route }: RequestContext): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) || headers.upgrade !== undefined || route?.sameOriginOnly === true

function requireAllowed(decision: Decision, context: RequestContext): undefined {
  switch (decision) {
    case 'allow':
      return
    case 'unauthenticated':
      throw unauthenticated(context)
    case 'forbidden':
      throw hasRole(context.grant) ? notAllowed(context.grant) : noRole(context.identity)
    case 'not-found':
      throw new ServiceError('not-found')
  }
}

/** KEY-3: programs that send a password only when asked for one are asked. */
function unauthenticated({ meta, isProxied, reply }: RequestContext): ServiceError {
  const challenge = isProxied ? undefined : challengeFor(meta)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  return new ServiceError('unauthenticated')
}

/** GRANT-4: reports that the role allows nothing at this time only. */
const notAllowed = ({ suspended }: Grant): ServiceError =>
  suspended === undefined
    ? new ServiceError('forbidden')
    : new ServiceError<GateReasons>('forbidden', { reason: suspendedReasons[suspended] })

const suspendedReasons = {
  hours: 'outside-hours',
  'not-yet': 'role-not-yet-valid',
  over: 'role-expired',
  'enrollment-required': 'enrollment-required',
} as const

/** PROXY-5: the error for an authenticated caller without a role says why there is none. */
function noRole(identity: Identity): ServiceError {
  if (credentialOf(identity)) return new ServiceError('forbidden')
  if (identity.kind !== 'authenticated' || identity.authMethod !== 'proxy') {
    return new ServiceError<GateReasons>('forbidden', { reason: 'role-deleted' })
  }
  return new ServiceError<GateReasons>('forbidden', { reason: 'no-role-from-proxy' })
}

export const unsafePath = () =>
  new ServiceError('unsafe-path', {
    note: 'Send the path without dot segments, empty segments, backslashes or encoded slashes.',
  })

import { LRUCache } from 'lru-cache'
import { decide, type Decision } from '../access/decide.ts'
import { nameForPrograms, type Principal } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { SessionToken, Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import { cacheLimit } from '../shared/cache-limit.ts'
import { trimmed } from '../shared/http/header-value.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import { decideBeforeBody, isDecidedByBody, resolveResource } from './resource.ts'
import { isSafePath, pathOf, withoutBasePath } from '../http/path.ts'
import type { Match } from '../http/route-table.ts'
import type { Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'

export interface ForwardAuthDeps {
  /** Finds the service's own route for a request, in the table that serves requests. */
  readonly find: (method: string, url: string) => Match | undefined
  readonly cameraExists: (name: string) => boolean
  /** `http.base_path`, `/` or `/…/`: the only prefix that is removed, whatever headers say (PATH-3). */
  readonly basePath: string
  /** TOK-4: a new token for a caller with a valid one. */
  readonly refresh: (authentication: Authentication) => SessionToken | undefined
}

/** Headers in which outer proxies pass on the original URL. */
const urlHeaders = ['x-original-url', 'x-original-uri', 'x-forwarded-uri'] as const
const methodHeaders = ['x-original-method', 'x-forwarded-method'] as const

/** A forwarded URL and its method; undefined: the header isn't one. */
interface Original {
  readonly url: string
  readonly method: string | undefined
}

/** The rule of a request's route, and what it is decided by. */
interface Target extends Pick<Match, 'params' | 'query'> {
  readonly rule: AccessRule
}

/** Max cached targets, and max characters of the method and URL of each. */
const maxTargets = 1000
const maxTargetLength = 256

/**
 * PROXY-14: the endpoint for an outer proxy's `auth_request`, `forward_auth` or `forwardAuth`.
 * Responds only with 202, 401 or 403: an outer nginx turns any other status into 500.
 */
export function forwardAuthRoutes({ find, cameraExists, basePath, refresh }: ForwardAuthDeps): Route[] {
  const targets = new LRUCache<string, readonly Target[]>(cacheLimit(maxTargets))

  /** What the original request names. Depends on nothing but its text, so it is cached; each request is decided again. */
  const targetsOf = ({ url, method }: Original): readonly Target[] => {
    if (method === undefined) throw ambiguous()
    const key = `${method} ${url}`
    const known = targets.get(key)
    if (known) return known
    const target = ownTarget(url, basePath)
    if (target === undefined) throw ambiguous()
    const match = find(method, target)
    const found = match ? [{ ...match, rule: match.route.access }] : unknownPath(pathOf(target))
    if (key.length <= maxTargetLength) targets.set(key, found)
    return found
  }

  const decideTarget = (target: Target, { identity, grant }: Caller): Decision | Promise<Decision> => {
    const { rule } = target
    if (isDecidedByBody(rule)) {
      return grant.cameras === 'all' ? decideBeforeBody(rule, identity, grant) : 'forbidden'
    }
    const resource = resolveResource(rule, target, cameraExists)
    return resource instanceof Promise
      ? resource.then((late) => decide(rule, identity, grant, late))
      : decide(rule, identity, grant, resource)
  }

  /** Not an async function: nearly every request is decided synchronously. */
  const requireAllowed = (named: readonly Target[], caller: Caller, from = 0): Promise<void> | undefined => {
    for (let at = from; at < named.length; at += 1) {
      const decision = decideTarget(named[at]!, caller)
      if (decision instanceof Promise) {
        return decision.then((late) => {
          requireNotDenied(late)
          return requireAllowed(named, caller, at + 1)
        })
      }
      requireNotDenied(decision)
    }
    return undefined
  }

  /** One of our paths can be another program's too, on its own port: that one gets a name only if the caller can use it. */
  const accepted = ({ identity, grant, authentication }: Caller) => {
    const session = refresh(authentication)
    const isNamed = decide(otherProgram, identity, grant) === 'allow'
    const headers = isNamed ? identityHeaders(identity as Principal) : noIdentity
    return respond({ status: 202, headers, ...(session && { session }) })
  }

  const handle = (_input: unknown, caller: Caller) => {
    const originals = originalsIn(caller.meta)
    const named = originals.length === 0 ? otherProgramTargets : originals.flatMap(targetsOf)
    const waiting = requireAllowed(named, caller)
    return waiting ? waiting.then(() => accepted(caller)) : accepted(caller)
  }

  return (['/api/auth', '/auth'] as const).map((path) =>
    route({
      method: ['GET', 'POST'],
      path,
      access: { signedIn: true, exceptScreens: true },
      failsClosed: true,
      schema: {
        summary: "Authorize a request for an outer proxy and renew the caller's session.",
        otherResponses: { 202: null },
      },
      handle,
    }),
  )
}

const ambiguous = () =>
  new ServiceError('forbidden', { note: 'The URL or method in the forwarded headers is ambiguous.' })

/** A request for a missing resource is allowed, so that the service itself responds with 404. */
function requireNotDenied(decision: Decision): void {
  if (decision !== 'allow' && decision !== 'not-found') throw new ServiceError('forbidden')
}

/** What a request's headers say about the original one: nothing, or each URL with each method. */
function originalsIn(meta: RequestMeta): readonly Original[] {
  const urls = valuesOf(urlHeaders, meta)
  if (urls.length === 0) return none
  const methods = valuesOf(methodHeaders, meta).map(originalMethod)
  return urls.flatMap((url) => (methods.length > 0 ? methods : ['GET']).map((method) => ({ url, method })))
}

const none: readonly never[] = []

function valuesOf(names: readonly string[], meta: RequestMeta): readonly string[] {
  let all: readonly string[] = none
  for (const name of names) {
    const values = meta.values(name)
    if (values.length > 0) all = all.length > 0 ? [...all, ...values] : values
  }
  return all
}

/** Normalizes a method: empty, HEAD and OPTIONS become GET; undefined if the value is not one method. */
function originalMethod(sent: string): string | undefined {
  const name = trimmed(sent).toUpperCase()
  if (name === '' || name === 'HEAD' || name === 'OPTIONS') return 'GET'
  return /^[A-Z-]+$/.test(name) ? name : undefined
}

/** A full URL whose host is a plain name or IP address, without user info. */
const fullUrl = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(\/.*)/is

/** The path and query of a full URL or a bare path, without the base path; undefined if the path is ambiguous. */
export function ownTarget(requested: string, basePath: string): string | undefined {
  const target = fullUrl.exec(requested)?.[1] ?? requested
  if (!isSafePath(target) || hidesDotSegment(pathOf(target)) || hidesEncoding(pathOf(target))) return undefined
  return withoutBasePath(target, basePath)
}

/** A program that decodes twice reads `%252e%252e` as `..`. */
const hidesEncoding = (path: string): boolean => /%25[\da-f]{2}/i.test(path)

/** Some programs cut a segment at `;`, and then read `/x/..;/y` as `/y` and `/;/y` as `//y`. */
function hidesDotSegment(path: string): boolean {
  const segments = path.split('/').map(decodeURIComponent)
  return segments.some(
    (segment, at) => /^\.{1,2};/.test(segment) || (segment.startsWith(';') && at < segments.length - 1),
  )
}

/** For a path that matches no route. Another program could read one below `/api/` as an existing route. */
function unknownPath(path: string): readonly Target[] {
  const [first, second, camera, ...below] = path
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).split(';', 1)[0])
  if (first !== 'api' || second === undefined) return otherProgramTargets
  if (second === 'cameras' && below.length > 0)
    return [...otherProgramTargets, { rule: { camera: 'any', of: 'path' }, params: { camera }, query: {} }]
  return [...otherProgramTargets, { rule: admins, params: {}, query: {} }]
}

const otherProgram: AccessRule = { otherProgram: true }

const otherProgramTargets: readonly Target[] = [{ rule: otherProgram, params: {}, query: {} }]

/** Satisfied only by admins. */
const admins: AccessRule = { service: 'config.manage', about: 'all-cameras' }

/** Names are UTF-8, with one character per byte, because Node writes headers as Latin-1. */
function identityHeaders(identity: Principal): Record<string, string> {
  const name = nameForPrograms(identity)
  return {
    'remote-user': isAscii(name) ? name : Buffer.from(name, 'utf8').toString('latin1'),
    'remote-role': identity.role ?? '',
  }
}

/** Empty, not missing: for a missing header, some versions of Caddy copy the text of their own placeholder. */
const noIdentity = { 'remote-user': '', 'remote-role': '' }

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

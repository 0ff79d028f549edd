import { decide, type Decision, type Resource } from '../access/decide.ts'
import type { Principal } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { SessionToken, Authentication } from '../http/authentication.ts'
import { ServiceError } from '../shared/errors.ts'
import { trimmed } from '../shared/http/header-value.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import { decideBeforeBody, isDecidedByBody, resolveResource } from './resource.ts'
import { isSafePath, pathOf, withoutBasePath } from '../http/path.ts'
import type { Match } from '../http/route-table.ts'
import { answer, route, type Caller, type Route } from '../http/route.ts'

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

/**
 * PROXY-14: the endpoint for an outer proxy's `auth_request`, `forward_auth` or `forwardAuth`.
 * Responds only with 202, 401 or 403: an outer nginx turns any other status into 500.
 */
export function forwardAuthRoutes({ find, cameraExists, basePath, refresh }: ForwardAuthDeps): Route[] {
  const decideOriginal = async (url: string, method: string, { identity, grant }: Caller): Promise<Decision> => {
    const match = find(method, url)
    if (!match) {
      const { rule, camera } = unknownPath(pathOf(url))
      const named: Resource = { camera: camera !== undefined && cameraExists(camera) ? camera : undefined }
      return decide(rule, identity, grant, named)
    }
    const rule = match.route.access
    if (isDecidedByBody(rule)) {
      return grant.cameras === 'all' ? decideBeforeBody(rule, identity, grant) : 'forbidden'
    }
    return decide(rule, identity, grant, await resolveResource(rule, match, cameraExists))
  }

  const allowOriginal = async (urls: readonly string[], caller: Caller) => {
    const methods = methodHeaders.flatMap((name) => caller.meta.values(name)).map(originalMethod)
    for (const requested of urls) {
      const url = ownTarget(requested, basePath)
      for (const method of methods.length > 0 ? methods : ['GET']) {
        if (url === undefined || method === undefined) {
          throw new ServiceError('forbidden', { note: 'The URL or method in the forwarded headers is ambiguous.' })
        }
        const decision = await decideOriginal(url, method, caller)
        // A request for a missing resource is allowed, so that the service itself responds with 404.
        if (decision !== 'allow' && decision !== 'not-found') throw new ServiceError('forbidden')
      }
    }
  }

  const accepted = ({ identity, authentication }: Caller) => {
    const session = refresh(authentication)
    return answer({ status: 202, headers: identityHeaders(identity as Principal), ...(session && { session }) })
  }

  const handle = (_input: unknown, caller: Caller) => {
    const urls = originalUrls(caller.meta)
    return urls.length === 0 ? accepted(caller) : allowOriginal(urls, caller).then(() => accepted(caller))
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

const originalUrls = (meta: RequestMeta): readonly string[] => urlHeaders.flatMap((name) => meta.values(name))

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

/** The rule for a path that matches no route. Another program could read one below `/api/` as an existing route. */
function unknownPath(path: string): { readonly rule: AccessRule; readonly camera?: string | undefined } {
  const [first, second, camera, ...below] = path
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).split(';', 1)[0])
  if (first !== 'api' || second === undefined) return { rule: { signedIn: true } }
  if (second === 'cameras' && below.length > 0) return { rule: { camera: 'live', of: 'path' }, camera }
  return { rule: admins }
}

/** Satisfied only by admins. */
const admins: AccessRule = { service: 'config.manage' }

/** Names are UTF-8, with one character per byte, because Node writes headers as Latin-1. */
const identityHeaders = ({ name, role }: Principal): Record<string, string> => ({
  'remote-user': Buffer.from(name, 'utf8').toString('latin1'),
  'remote-role': role ?? '',
})

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action, CameraAction } from '../access/action.ts'
import { decideDetails, decideOwn, type Resource } from '../access/decide.ts'
import {
  allows,
  emptyGrant,
  inScope,
  narrowScope,
  sameGrant,
  scopeFor,
  scopeOf,
  type CameraScope,
  type Grant,
  type ScopedCamera,
  type Suspended,
} from '../access/grant.ts'
import { unauthenticated, type Identity, type Owner } from '../access/identity.ts'
import { partsOf, type AccessRule } from '../access/rule.ts'
import { noAuthentication } from '../auth/no-authentication.ts'
import type { Authentication } from '../http/authentication.ts'
import { closeSignal } from '../http/close-signal.ts'
import { isApiPath, pathOf } from '../http/path.ts'
import { IncomingRequestMeta } from '../http/request-meta.ts'
import type { Caller } from '../http/caller.ts'
import type { Input, Route } from '../http/route.ts'
import type { Client, RequestMeta } from '../shared/http/request-meta.ts'

/** Milliseconds for which a decision stays valid while a body is read, or made (ROLE-10 allows a second). */
export const decisionLifetime = 250

export interface CallerDeps {
  readonly clientOf: (meta: RequestMeta) => Client
  readonly isProxied: (meta: RequestMeta) => boolean
  readonly authorizeAgain: (context: RequestContext) => Promise<void> | undefined
}

/**
 * One request on its way through the checks: made once, and handed to each of them, to the handler (as its caller) and
 * to open streams. Until a check sets more, the request is unauthenticated and has no grant.
 *
 * A class for speed: each request creates one, and an object literal with getters is slow to create.
 */
export class RequestContext implements Caller {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly meta: RequestMeta
  /** undefined for an unknown path, and for pages and assets of the web UI. */
  readonly route: Route | undefined
  /** Without the base path and the query. */
  readonly path: string
  readonly isApi: boolean
  authentication: Authentication = noAuthentication
  /** When authentication began, milliseconds by `Clock.elapsed`. */
  authenticatedAt = 0
  identity: Identity = unauthenticated
  grant: Grant = emptyGrant
  scope: CameraScope = emptyScope
  /** What the request names; undefined until the decision that allows it. */
  resource: Resource | undefined
  readonly #deps: CallerDeps
  #client: Client | undefined
  #signal: AbortSignal | undefined
  #notifyGrantChange: (() => void) | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, deps: CallerDeps) {
    this.request = request
    this.reply = reply
    this.meta = new IncomingRequestMeta(request.raw)
    // Fastify creates `routeOptions` on every access, so read it once.
    this.route = request.routeOptions.config.route
    this.path = pathOf(request.url)
    this.isApi = isApiPath(this.path)
    this.#deps = deps
  }

  /** An unknown API path requires authentication too; authenticated callers then get 404 (ERR-2). */
  get rule(): AccessRule {
    return this.route?.access ?? signedIn
  }

  authenticated(authentication: Authentication, grant: Grant): void {
    this.authentication = authentication
    this.identity = authentication.identity
    this.grant = grant
    this.scope = scopeOf(grant)
  }

  /** Sets the resource for which the request was allowed. */
  authorized(resource: Resource): void {
    this.resource = resource
    if (resource.requested) this.#narrow(resource)
  }

  /** Sets the grant with which an open stream was allowed again. */
  reauthorized(grant: Grant, resource: Resource): void {
    const isOther = !sameGrant(this.grant, grant)
    this.grant = grant
    this.#narrow(resource)
    if (isOther) this.#notifyGrantChange?.()
  }

  #narrow(resource: Resource): void {
    this.scope = narrowed(scopeOf(this.grant), resource)
  }

  get camera(): ScopedCamera {
    const camera = this.resource?.camera
    if (camera === undefined) throw new Error('the rule is not one of a camera')
    if (!inScope(this.scope, camera)) throw new Error('the camera is not in the scope')
    return camera
  }

  scopeOfPart(action: CameraAction): CameraScope {
    this.#requirePart(action)
    return narrowed(scopeFor(this.grant, action), this.resource ?? {})
  }

  hasPart(action: CameraAction): boolean {
    this.#requirePart(action)
    return allows(this.grant, action)
  }

  #requirePart(action: CameraAction): void {
    if (!partsOf(this.rule).includes(action)) throw new Error(`the rule does not declare ${action}`)
  }

  async authorizeAgain(): Promise<void> {
    await this.#deps.authorizeAgain(this)
  }

  onGrantChange(notify: () => void): void {
    this.#notifyGrantChange = notify
  }

  get seesDetails(): boolean {
    return decideDetails(this.rule, this.identity, this.grant)
  }

  get owner(): Owner | undefined {
    const owner = this.resource?.owner
    return owner === 'self' ? undefined : owner
  }

  get isOwn(): boolean {
    return this.resource !== undefined && decideOwn(this.rule, this.identity, this.resource)
  }

  get actions(): readonly Action[] {
    return [...this.grant.actions]
  }

  get suspended(): Suspended | undefined {
    return this.grant.suspended
  }

  get history(): number | undefined {
    return this.grant.history
  }

  get client(): Client {
    return (this.#client ??= this.#deps.clientOf(this.meta))
  }

  /** Created on demand: few handlers need it. */
  get signal(): AbortSignal {
    return (this.#signal ??= closeSignal(this.request.raw, this.reply.raw))
  }

  get isProxied(): boolean {
    return this.#deps.isProxied(this.meta)
  }
}

/** A request that the checks have allowed, at its route. */
export type RoutedContext = RequestContext & { readonly route: Route; readonly resource: Resource }

const isRouted = (context: RequestContext | undefined): context is RoutedContext =>
  context?.route !== undefined && context.resource !== undefined

/** @throws Error if the request was not authorized, which no request that reaches a route can be. */
export function contextOf({ context }: FastifyRequest): RoutedContext {
  if (!isRouted(context)) throw new Error('unreachable: the request was not authorized')
  return context
}

/** What a route's handler gets of a request. */
export const inputOf = (request: FastifyRequest): Input<never> => ({
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
  header: (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  },
})

const narrowed = (scope: CameraScope, { requested }: Resource): CameraScope =>
  narrowScope(
    scope,
    requested?.filter((camera) => camera !== undefined),
  )

const emptyScope = scopeOf(emptyGrant)

const signedIn: AccessRule = { signedIn: true }

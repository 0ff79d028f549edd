import { narrowScope, sameGrant, scopeOf, type CameraScope, type Grant } from '../access/grant.ts'
import type { Resource } from '../access/decide.ts'
import type { Identity } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Client, RequestMeta } from '../shared/request-meta.ts'
import type { Caller } from '../http/route.ts'

export interface CallerDeps {
  readonly clientOf: (meta: RequestMeta) => Client
  readonly isProxied: (meta: RequestMeta) => boolean
}

/** A class for speed: each request creates one, and an object literal with getters is slow to create. */
export class RequestContext implements Caller {
  readonly identity: Identity
  readonly authentication: Authentication
  grant: Grant
  scope: CameraScope
  readonly meta: RequestMeta
  readonly #of: CallerDeps
  #client: Client | undefined
  #otherGrant: (() => void) | undefined

  constructor(authentication: Authentication, grant: Grant, meta: RequestMeta, of: CallerDeps) {
    this.identity = authentication.identity
    this.authentication = authentication
    this.grant = grant
    this.scope = scopeOf(grant)
    this.meta = meta
    this.#of = of
  }

  /** Sets the grant that allowed the request: first when it is decided, then each time an open stream is reauthorized. */
  allowed(grant: Grant, { requested }: Resource): void {
    const other = this.#otherGrant !== undefined && !sameGrant(this.grant, grant)
    this.grant = grant
    this.scope = narrowScope(
      scopeOf(grant),
      requested?.filter((camera) => camera !== undefined),
    )
    if (other) this.#otherGrant?.()
  }

  onGrantChange(notify: () => void): void {
    this.#otherGrant = notify
  }

  get client(): Client {
    return (this.#client ??= this.#of.clientOf(this.meta))
  }

  get isProxied(): boolean {
    return this.#of.isProxied(this.meta)
  }
}

import { narrowed, sameGrant, scopeOf, type CameraScope, type Grant } from '../access/grant.ts'
import type { Named } from '../access/decide.ts'
import type { Identity } from '../access/identity.ts'
import type { Standing } from '../access/standing.ts'
import type { Client, Knock } from '../shared/knock.ts'
import type { Caller } from './route.ts'

export interface CallerParts {
  readonly clientOf: (knock: Knock) => Client
  readonly isProxied: (knock: Knock) => boolean
}

/** A class, because one is made for each request, and an object with a getter of its own takes as long as all the rest. */
export class MetCaller implements Caller {
  readonly identity: Identity
  readonly standing: Standing
  grant: Grant
  scope: CameraScope
  readonly knock: Knock
  readonly #of: CallerParts
  #client: Client | undefined
  #otherGrant: (() => void) | undefined

  constructor(standing: Standing, grant: Grant, knock: Knock, of: CallerParts) {
    this.identity = standing.identity
    this.standing = standing
    this.grant = grant
    this.scope = scopeOf(grant)
    this.knock = knock
    this.#of = of
  }

  /** It was allowed, by this grant: at first, and each time that a stream is decided again. */
  allowed(grant: Grant, { asked }: Named): void {
    const other = this.#otherGrant !== undefined && !sameGrant(this.grant, grant)
    this.grant = grant
    this.scope = narrowed(
      scopeOf(grant),
      asked?.filter((camera) => camera !== undefined),
    )
    if (other) this.#otherGrant?.()
  }

  onOtherGrant(tell: () => void): void {
    this.#otherGrant = tell
  }

  get client(): Client {
    return (this.#client ??= this.#of.clientOf(this.knock))
  }

  get isProxied(): boolean {
    return this.#of.isProxied(this.knock)
  }
}

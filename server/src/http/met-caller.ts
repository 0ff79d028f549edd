import { scopeOf, type CameraScope, type Grant } from '../access/grant.ts'
import type { Identity } from '../access/identity.ts'
import type { Standing } from '../access/standing.ts'
import type { Client, Knock } from '../shared/knock.ts'
import type { Caller } from './route.ts'

/** A class, because one is made for each request, and an object with a getter of its own takes as long as all the rest. */
export class MetCaller implements Caller {
  readonly identity: Identity
  readonly standing: Standing
  grant: Grant
  scope: CameraScope
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

  /** A stream was decided again, and may go on by this grant. */
  allowed(grant: Grant): void {
    this.grant = grant
    this.scope = scopeOf(grant)
  }

  get client(): Client {
    return (this.#client ??= this.#clientOf(this.knock))
  }
}

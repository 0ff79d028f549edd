import type { Action, CameraAction } from '../access/action.ts'
import type { CameraScope, Grant, ScopedCamera, Suspended } from '../access/grant.ts'
import { credentialOf, internalAdmin, nameForAdmins, ownerText, type Identity, type Owner } from '../access/identity.ts'
import { nameOfActor, type Actor, type AuditAction, type AuditEntry } from '../shared/audit/audit.ts'
import { addressKey } from '../shared/http/address-key.ts'
import type { Client, RequestMeta } from '../shared/http/request-meta.ts'
import type { Requester } from '../shared/requester.ts'
import type { Authentication } from './authentication.ts'

/** The authorized caller. In an open stream, grant, scope and actions are those of the last reauthorization. */
export interface Caller {
  readonly identity: Identity
  readonly authentication: Authentication
  /** Only for routes of the gate, which decide about other requests. Any other route declares what it needs in its rule. */
  readonly grant: Grant
  readonly scope: CameraScope
  /** The camera by which the request was allowed. @throws Error if the rule is not one of a camera, or its grant was lost */
  readonly camera: ScopedCamera
  /** The scope of one of the rule's `parts`, for a list. @throws Error if the rule doesn't declare it */
  scopeOfPart(action: CameraAction): CameraScope
  /** Whether the response can contain one of the rule's `parts`. @throws Error if the rule doesn't declare it */
  hasPart(action: CameraAction): boolean
  /** Whether the caller has the action of the rule's `details`. */
  readonly seesDetails: boolean
  /** Whom the request names by the rule's `own` or `user`; undefined: no one who exists, or the caller by naming no one. */
  readonly owner: Owner | undefined
  /** Whether the resource of the rule's `own` is the caller's own. */
  readonly isOwn: boolean
  /** The allowed actions, for display. */
  readonly actions: readonly Action[]
  /** Why the caller's role allows nothing now, for display; undefined: it does. */
  readonly suspended: Suspended | undefined
  /** How old the recorded video can be that the caller sees, milliseconds, for display; undefined: any age. */
  readonly history: number | undefined
  readonly client: Client
  /** Whether a proxy, not this service, authenticates the request. Set for open routes too. */
  readonly isProxied: boolean
  /**
   * Decides again whether the request is allowed, by the current state: for a handler that had to wait before it makes a
   * change. @throws ServiceError if it isn't anymore
   */
  authorizeAgain(): Promise<void>
  /**
   * Aborted once the response has been sent or its client has disconnected: for a handler whose work is of no use to
   * anyone then.
   */
  readonly signal: AbortSignal
  /** Registers a listener for an open stream, called when a reauthorization allows it with a different grant. */
  onGrantChange(notify: () => void): void
  /** The request's headers, for the few routes that handle identities: login and logout. */
  readonly meta: RequestMeta
}

type Sender = Pick<Caller, 'identity' | 'client'>

/** The key under which a user's requests are counted; those of unauthenticated and anonymous callers by their address. */
export function userKeyOf({ identity, client }: Sender): string {
  const address = addressKey(client.address)
  if (identity.kind !== 'authenticated') return `address ${address}`
  const owner = ownerText(identity)
  return identity.userId === null && identity.key === internalAdmin.key ? `${owner} ${address}` : owner
}

/**
 * For whom a request waits. What a user's API tokens and share links request counts as the user's, so that more of them
 * give no larger part. Within it, each has an equal part, and within a link's, each address: one viewer delays neither
 * the others nor anyone else. A link with many viewers needs no more, because it shows one camera, and they share its
 * snapshots.
 */
export function requesterOf({ identity, client }: Sender): Requester {
  const user = userKeyOf({ identity, client })
  const credential = credentialOf(identity)
  if (!credential) return [user, `sessions of ${user}`]
  const used = `${credential.kind} ${credential.id}`
  return credential.kind === 'link' ? [user, used, `${used} ${addressKey(client.address)}`] : [user, used]
}

/** The caller in the form of an audit entry. */
export const actorOf = ({ identity, client: { address } }: Sender): Actor => {
  if (identity.kind !== 'authenticated') return { user: null, auth_method: null, address }
  const { authMethod, credential } = identity
  const user = nameForAdmins(identity)
  return credential === undefined
    ? { user, auth_method: authMethod, address }
    : {
        user,
        auth_method: credential.kind,
        credential: { id: credential.id, name: credential.name },
        address,
      }
}

/** The audit entry of what a caller has done. */
export const auditEntry = (
  caller: Pick<Caller, 'identity' | 'client'>,
  action: AuditAction,
  target: string | null,
  detail?: string,
): AuditEntry => ({
  ...actorOf(caller),
  action,
  result: 'success',
  target,
  ...(detail !== undefined && { detail }),
})

/** What a change of the configuration says of the caller: their name in its history, and whether it is still allowed. */
export const changeBy = (caller: Pick<Caller, 'identity' | 'client' | 'authorizeAgain'>) => ({
  author: nameOfActor(actorOf(caller)),
  authorizeAgain: () => caller.authorizeAgain(),
})

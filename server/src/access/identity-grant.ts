import { emptyGrant, enrollmentGrant, hasRole, limitGrant, type Grant, type GrantLimits } from './grant.ts'
import type { Identity } from './identity.ts'
import type { Roles } from './role.ts'

/**
 * What an identity is allowed: the grant of its role, within the limits of its credential. A user who has to set up a
 * second factor is allowed nothing else. A token isn't a sign-in, so its owner's factors don't matter to it.
 *
 * @param at Unix milliseconds; default: now
 */
export function grantOfIdentity(roles: Pick<Roles, 'grantOf'>, identity: Identity, at?: number): Grant {
  if (identity.kind !== 'authenticated') return emptyGrant
  const grant = roles.grantOf(identity.role, at)
  if (identity.credential) return limited(grant, identity.credential.limits)
  return identity.mustEnroll && hasRole(grant) ? enrollmentGrant : grant
}

/** The last limited grant of each credential: a role's grant stays the same object until it changes. */
const last = new WeakMap<GrantLimits, { readonly of: Grant; readonly limited: Grant }>()

function limited(of: Grant, limits: GrantLimits): Grant {
  const before = last.get(limits)
  if (before?.of === of) return before.limited
  const next = { of, limited: limitGrant(of, limits) }
  last.set(limits, next)
  return next.limited
}

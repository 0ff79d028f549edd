import { reaches, type Grant } from './grant.ts'
import { isOwner, type Identity, type Owner } from './identity.ts'
import type { AccessRule } from './rule.ts'

/** `absent`: the caller may see all there is, and there is none of that name. Anyone else is only told `forbid`. */
export type Decision = 'allow' | 'sign-in' | 'forbid' | 'absent'

/** What a request names, looked up: undefined where there is no such thing. */
export interface Named {
  readonly camera?: string | undefined
  /** `self`: the request names nobody, and so the caller. */
  readonly owner?: Owner | 'self' | undefined
}

/** The one decision of the service: may this identity, holding this grant, pass this rule? */
export function decide(rule: AccessRule, identity: Identity, grant: Grant, named: Named = {}): Decision {
  if ('open' in rule) return 'allow'
  if (identity.kind === 'stranger') return 'sign-in'
  // A role always gives some action; none means that no role fits.
  if (grant.actions.size === 0) return 'forbid'
  if ('signedIn' in rule) return 'allow'
  if ('service' in rule) return grant.actions.has(rule.service) ? 'allow' : 'forbid'
  if ('cameras' in rule) return grant.actions.has(rule.cameras) ? 'allow' : 'forbid'
  if ('own' in rule) {
    if (named.owner === 'self') return 'allow'
    if (grant.actions.has(rule.or)) return named.owner === undefined ? 'absent' : 'allow'
    return named.owner !== undefined && isOwner(identity, named.owner) ? 'allow' : 'forbid'
  }
  if (!grant.actions.has(rule.camera)) return 'forbid'
  if (named.camera === undefined) return grant.cameras === 'all' ? 'absent' : 'forbid'
  return reaches(grant, named.camera) ? 'allow' : 'forbid'
}

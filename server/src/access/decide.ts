import type { ServiceAction } from './action.ts'
import { includesCamera, type Grant } from './grant.ts'
import { isOwner, type Identity, type Principal, type Owner } from './identity.ts'
import type { AccessRule } from './rule.ts'

/** `absent`: the caller may see all there is, and there is none of that name. Anyone else is only told `forbid`. */
export type Decision = 'allow' | 'sign-in' | 'forbid' | 'absent'

/** What a request names, looked up: undefined where there is no such thing. */
export interface Resource {
  readonly camera?: string | undefined
  /** `self`: the request names nobody, and so the caller. */
  readonly owner?: Owner | 'self' | undefined
  /** The cameras that a list is asked for, each undefined where there is no such camera; undefined: all. */
  readonly requested?: readonly (string | undefined)[] | undefined
}

/** The one decision of the service: may this identity, holding this grant, pass this rule? */
export function decide(rule: AccessRule, identity: Identity, grant: Grant, named: Resource = {}): Decision {
  if ('open' in rule) return 'allow'
  if (identity.kind === 'stranger') return 'sign-in'
  // A role always gives some action; none means that no role fits.
  if (grant.actions.size === 0) return 'forbid'
  if ('signedIn' in rule) return 'allow'
  if ('service' in rule) return grant.actions.has(rule.service) ? 'allow' : 'forbid'
  if ('cameras' in rule) {
    if (!grant.actions.has(rule.cameras)) return 'forbid'
    return worst((named.requested ?? []).map((camera) => oneCamera(grant, camera)))
  }
  if ('camera' in rule) {
    if (!grant.actions.has(rule.camera)) return 'forbid'
    const camera = oneCamera(grant, named.camera)
    return 'own' in rule && camera === 'allow' ? oneOwner(rule.or, identity, grant, named.owner) : camera
  }
  return oneOwner(rule.or, identity, grant, named.owner)
}

function oneCamera(grant: Grant, camera: string | undefined): Decision {
  if (camera === undefined) return grant.cameras === 'all' ? 'absent' : 'forbid'
  return includesCamera(grant, camera) ? 'allow' : 'forbid'
}

function oneOwner(or: ServiceAction, identity: Principal, grant: Grant, owner: Resource['owner']): Decision {
  if (owner === 'self') return 'allow'
  if (grant.actions.has(or)) return owner === undefined ? 'absent' : 'allow'
  return owner !== undefined && isOwner(identity, owner) ? 'allow' : 'forbid'
}

const worst = (decisions: readonly Decision[]): Decision =>
  decisions.find((decision) => decision === 'forbid') ?? decisions.find((decision) => decision !== 'allow') ?? 'allow'

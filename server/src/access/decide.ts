import type { ServiceAction } from './action.ts'
import { allows, hasRole, includesCamera, type Grant } from './grant.ts'
import { isOwner, type Identity, type Principal, type Owner } from './identity.ts'
import { isForEnrolling, isForLinks, type AccessRule } from './rule.ts'

/** `not-found`: the caller can see all cameras or resources and this one doesn't exist. Every other caller gets `forbidden`. */
export type Decision = 'allow' | 'unauthenticated' | 'forbidden' | 'not-found'

/** The camera and owner a request names. undefined: the named camera or resource doesn't exist. */
export interface Resource {
  readonly camera?: string | undefined
  /** Also the user whom a change names. `self`: the request names no owner and so means the caller. */
  readonly owner?: Owner | 'self' | undefined
  /** The requested cameras of a list, each undefined if the camera doesn't exist; undefined: all cameras. */
  readonly requested?: readonly (string | undefined)[] | undefined
  /** The cameras that an action on the service concerns, each undefined if it doesn't exist; undefined: not known. */
  readonly about?: 'all-cameras' | readonly (string | undefined)[] | undefined
  /** The recorded time that the request is about, Unix milliseconds; undefined: none. */
  readonly time?: number | undefined
}

type ServiceRule = Extract<AccessRule, { service: unknown }>

/** Decides whether an identity with this grant satisfies the rule. Every access check of the service goes through here. */
export function decide(rule: AccessRule, identity: Identity, grant: Grant, named: Resource = {}): Decision {
  if ('open' in rule) return 'allow'
  if (identity.kind === 'unauthenticated') return 'unauthenticated'
  const { credential } = identity
  if (!hasRole(grant) || (credential?.kind === 'link') !== isForLinks(rule)) return 'forbidden'
  if (grant.suspended === 'enrollment-required' && !isForEnrolling(rule)) return 'forbidden'
  if ('signedIn' in rule) return rule.exceptScreens && credential?.kind === 'screen' ? 'forbidden' : 'allow'
  if ('account' in rule) {
    return !credential || (rule.or !== undefined && grant.actions.has(rule.or)) ? 'allow' : 'forbidden'
  }
  if ('otherProgram' in rule) return !credential && grant.suspended === undefined ? 'allow' : 'forbidden'
  if ('service' in rule) return onService(rule, grant, named)
  if ('cameras' in rule) {
    if (!allows(grant, rule.cameras) || isOutOfTime(grant, named)) return 'forbidden'
    return firstProblem((named.requested ?? []).map((camera) => oneCamera(grant, camera)))
  }
  if ('camera' in rule) {
    if (!allows(grant, rule.camera) || isOutOfTime(grant, named)) return 'forbidden'
    const camera = oneCamera(grant, named.camera)
    return 'own' in rule && camera === 'allow' ? oneOwner(rule.or, identity, grant, named.owner) : camera
  }
  return credential ? asManager(rule.or, grant, named.owner) : oneOwner(rule.or, identity, grant, named.owner)
}

/** Decides whether a request that was allowed before still names the same user, or something of the same user. */
export function namesSameOwner({ owner: before }: Resource, { owner: now }: Resource): boolean {
  if (typeof before !== 'object' || typeof now !== 'object') return before === now
  return isOwner(before, now)
}

/** Decides whether the response of an allowed request includes the details of its rule. */
export const decideDetails = (rule: AccessRule, identity: Identity, grant: Grant): boolean =>
  'cameras' in rule &&
  rule.details !== undefined &&
  decide({ service: rule.details, about: 'no-camera' }, identity, grant) === 'allow'

/** Decides whether the resource of an allowed request is the caller's own. */
export const decideOwn = (rule: AccessRule, identity: Identity, { owner }: Resource): boolean =>
  'own' in rule &&
  owner !== undefined &&
  identity.kind === 'authenticated' &&
  (owner === 'self' || isOwner(identity, owner))

/** GRANT-3, LINK-3. Before the camera: whether it exists shows nothing about what was recorded. */
const isOutOfTime = ({ since, until }: Grant, { time }: Resource): boolean =>
  time !== undefined && ((since !== undefined && time < since) || (until !== undefined && time >= until))

function onService({ service, about }: ServiceRule, grant: Grant, named: Resource): Decision {
  if (!grant.actions.has(service)) return 'forbidden'
  if (about === 'no-camera' || grant.cameras === 'all') return 'allow'
  return about !== 'all-cameras' && concernsOnly(grant, named.about) ? 'allow' : 'forbidden'
}

/** Only a caller with all cameras manages what has none, or only removed ones. */
const concernsOnly = (grant: Grant, about: Resource['about']): boolean =>
  typeof about === 'object' &&
  about.length > 0 &&
  about.every((camera) => camera !== undefined && includesCamera(grant, camera))

function oneCamera(grant: Grant, camera: string | undefined): Decision {
  if (camera === undefined) return grant.cameras === 'all' ? 'not-found' : 'forbidden'
  return includesCamera(grant, camera) ? 'allow' : 'forbidden'
}

function oneOwner(or: ServiceAction, identity: Principal, grant: Grant, owner: Resource['owner']): Decision {
  if (owner === 'self') return 'allow'
  if (grant.actions.has(or)) return asManager(or, grant, owner)
  return owner !== undefined && isOwner(identity, owner) ? 'allow' : 'forbidden'
}

/** KEY-4: a token gets no more access to its owner's account than to anyone else's. */
function asManager(or: ServiceAction, grant: Grant, owner: Resource['owner']): Decision {
  if (!grant.actions.has(or)) return 'forbidden'
  return owner === undefined ? 'not-found' : 'allow'
}

/** One grant gives `forbidden` or `not-found` to what it does not allow, never both. */
const firstProblem = (decisions: readonly Decision[]): Decision =>
  decisions.find((decision) => decision !== 'allow') ?? 'allow'

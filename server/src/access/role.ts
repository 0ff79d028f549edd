import { cameraActions, serviceActions, type Action, type CameraAction } from './action.ts'
import { emptyGrant, isValidAt, type Grant, type Suspended, type Validity } from './grant.ts'
import { containsTime, type WallClock, type WeeklyHours } from './hours.ts'

/** A custom role as configured (GRANT-1). */
export interface CustomRole {
  /** Only cameras that exist and that the role grants. */
  readonly cameras: 'all' | readonly string[]
  readonly allow: readonly CameraAction[]
  /** Maximum age of recorded video that the role can see, milliseconds; undefined: any age. */
  readonly history: number | undefined
  /** Empty: always. */
  readonly hours: readonly WeeklyHours[]
  /** Unix milliseconds; undefined: no limit. */
  readonly validFrom: number | undefined
  readonly validUntil: number | undefined
}

/** The existing roles and their grants. An unknown role has the empty grant. */
export interface Roles {
  /** @param at Unix milliseconds; default: now */
  grantOf(role: string | undefined, at?: number): Grant
  /** The cameras of a role, whatever it allows now. */
  coverageOf(role: string): Pick<Grant, 'cameras'>
  exists(role: string): boolean
  /** `admin`, `viewer`, then the custom roles in the order in which the configuration lists them. */
  readonly names: readonly string[]
}

export const builtinRoles = ['admin', 'viewer'] as const

/** What `viewer` has, and a custom role that does not say what it allows. */
export const defaultActions: readonly CameraAction[] = ['live', 'audio', 'history', 'review', 'export', 'download']
const everything: ReadonlySet<Action> = new Set<Action>([...cameraActions, ...serviceActions])

/** What the grants of roles with hours, an end, or a limited history depend on. */
export interface RoleTime {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly wallClock: WallClock
}

/** Builds the grants of all roles once, so that each check is a lookup. */
export function rolesFrom(custom: ReadonlyMap<string, CustomRole>, time: RoleTime): Roles {
  const grants = new Map<string, TimedGrant>([
    ['admin', always({ actions: everything, cameras: 'all' })],
    ['viewer', always({ actions: new Set(defaultActions), cameras: 'all' })],
  ])
  const sets: SharedSets = { actions: shared(), cameras: shared() }
  for (const [name, role] of custom) if (!grants.has(name)) grants.set(name, grantInTime(role, time, sets))
  return {
    coverageOf: (role) => grants.get(role)?.whole ?? emptyGrant,
    grantOf: (role, at) => (role === undefined ? emptyGrant : (grants.get(role)?.grantAt(at) ?? emptyGrant)),
    exists: (role) => grants.has(role),
    names: [...grants.keys()],
  }
}

interface TimedGrant {
  /** The grant without its limits in time. */
  readonly whole: Grant
  /** @param at Unix milliseconds; default: now */
  grantAt(at?: number): Grant
}

/** Sets that all roles with the same list share: many roles differ only in their hours, or in their cameras. */
interface SharedSets {
  readonly actions: (list: readonly CameraAction[]) => ReadonlySet<Action>
  readonly cameras: (list: readonly string[]) => ReadonlySet<string>
}

function shared<T extends string>(): (list: readonly T[]) => ReadonlySet<T> {
  const sets = new Map<string, ReadonlySet<T>>()
  return (list) => {
    const key = JSON.stringify(list)
    const set = sets.get(key) ?? new Set(list)
    sets.set(key, set)
    return set
  }
}

const always = (whole: Grant): TimedGrant => ({ whole, grantAt: () => whole })

/** A role's grant over time, rebuilt only when it may have changed (GRANT-4). */
function grantInTime(role: CustomRole, { now, wallClock }: RoleTime, sets: SharedSets): TimedGrant {
  const { cameras, allow } = role
  const whole: Grant = { actions: sets.actions(allow), cameras: cameras === 'all' ? cameras : sets.cameras(cameras) }
  if (!dependsOnTime(role)) return always(whole)
  let last: Grant | undefined
  return {
    whole,
    grantAt(at = now()) {
      if (!last || !isValidAt(last, at)) last = grantAt(role, whole, at, wallClock)
      return last
    },
  }
}

const dependsOnTime = ({ hours, history, validFrom, validUntil }: CustomRole): boolean =>
  hours.length > 0 || history !== undefined || validFrom !== undefined || validUntil !== undefined

function grantAt(role: CustomRole, whole: Grant, at: number, wallClock: WallClock): Grant {
  const valid = validityAt(role, at)
  const suspended = suspendedAt(role, at, wallClock)
  if (suspended) return { ...emptyGrant, suspended, valid }
  const { history } = role
  // The oldest video at the end of this minute, so that nothing older is ever shown.
  return history === undefined
    ? { ...whole, valid }
    : { ...whole, history, since: minuteOf(at) + minute - history, valid }
}

const minute = 60_000
const minuteOf = (at: number): number => Math.floor(at / minute) * minute

function suspendedAt(role: CustomRole, at: number, wallClock: WallClock): Suspended | undefined {
  const { hours, validFrom, validUntil } = role
  if (validFrom !== undefined && at < validFrom) return 'not-yet'
  if (validUntil !== undefined && at >= validUntil) return 'over'
  return hours.length === 0 || containsTime(hours, wallClock(at)) ? undefined : 'hours'
}

/** Hours begin and end with a minute of the wall clock, whatever daylight-saving time does to it. */
function validityAt(
  { hours, history, validFrom = -Infinity, validUntil = Infinity }: CustomRole,
  at: number,
): Validity {
  const isByMinute = hours.length > 0 || history !== undefined
  const [from, until] = isByMinute ? [minuteOf(at), minuteOf(at) + minute] : [-Infinity, Infinity]
  if (at < validFrom) return { from, until: Math.min(until, validFrom) }
  if (at >= validUntil) return { from: Math.max(from, validUntil), until }
  return { from: Math.max(from, validFrom), until: Math.min(until, validUntil) }
}

/** Pattern of a custom role's name. */
export const roleNamePattern = '^[A-Za-z0-9._]{1,64}$'
const roleName = new RegExp(roleNamePattern)

/** Why a custom role can't have this name; undefined if it can. */
export function roleNameProblem(name: string): keyof RoleNameProblems | undefined {
  const lower = name.toLowerCase()
  if (!roleName.test(name)) return 'invalid-role-name'
  if (!/[A-Za-z0-9]/.test(name)) return 'no-letter'
  if (builtinRoles.some((builtin) => builtin === lower)) return 'built-in-name'
  // Names like `__proto__` could pollute the prototype of a plain object.
  if (['__proto__', 'constructor', 'prototype'].includes(lower)) return 'reserved-word'
  return undefined
}

/** The problem codes. None of the messages has a value. */
export interface RoleNameProblems {
  'invalid-role-name': null
  'no-letter': null
  'built-in-name': null
  'reserved-word': null
}

import { cameraActions, serviceActions, type Action } from './action.ts'
import { emptyGrant, type Grant } from './grant.ts'

/** What a role name gives. A name that no role has gives nothing. */
export interface Roles {
  grantOf(role: string | undefined): Grant
  exists(role: string): boolean
  /** `admin`, `viewer`, then the custom roles in the order in which the configuration lists them. */
  readonly names: readonly string[]
}

export const builtinRoles = ['admin', 'viewer'] as const

/** ROLE-2, ROLE-11: what was recorded is deleted by admins. */
const reading: ReadonlySet<Action> = new Set<Action>(['cameras.watch', 'recordings.watch'])
const everything: ReadonlySet<Action> = new Set<Action>([...cameraActions, ...serviceActions])

/** Builds the grants once, so that asking for one costs a lookup. */
export function rolesFrom(custom: ReadonlyMap<string, readonly string[]>): Roles {
  const grants = new Map<string, Grant>([
    ['admin', { actions: everything, cameras: 'all' }],
    ['viewer', { actions: reading, cameras: 'all' }],
  ])
  for (const [name, cameras] of custom) {
    if (!grants.has(name)) grants.set(name, { actions: reading, cameras: new Set(cameras) })
  }
  return {
    grantOf: (role) => (role === undefined ? emptyGrant : (grants.get(role) ?? emptyGrant)),
    exists: (role) => grants.has(role),
    names: [...grants.keys()],
  }
}

/** Why a custom role may not be called so, for programs and for people; undefined when it may. */
export function roleNameProblem(name: string): RoleNameProblem | undefined {
  const lower = name.toLowerCase()
  if (!/^[A-Za-z0-9._]{1,64}$/.test(name)) {
    return { code: 'role-signs', message: 'is not 1 to 64 of letters, digits, `.` and `_`' }
  }
  if (!/[A-Za-z0-9]/.test(name)) return { code: 'no-letter', message: 'has no letter or digit' }
  if (builtinRoles.some((builtin) => builtin === lower)) {
    return { code: 'built-in-name', message: 'is the name of a built-in role' }
  }
  // `__proto__` and its like are somebody's way into a plain object.
  if (['__proto__', 'constructor', 'prototype'].includes(lower)) {
    return { code: 'reserved-word', message: 'is a reserved word' }
  }
  return undefined
}

/** None of these sentences holds a value. */
export interface RoleNameProblems {
  'role-signs': null
  'no-letter': null
  'built-in-name': null
  'reserved-word': null
}

interface RoleNameProblem {
  readonly code: keyof RoleNameProblems
  readonly message: string
}

import { cameraActions, serviceActions, type Action } from './action.ts'
import { emptyGrant, type Grant } from './grant.ts'

/** The existing roles and their grants. An unknown role has the empty grant. */
export interface Roles {
  grantOf(role: string | undefined): Grant
  exists(role: string): boolean
  /** `admin`, `viewer`, then the custom roles in the order in which the configuration lists them. */
  readonly names: readonly string[]
}

export const builtinRoles = ['admin', 'viewer'] as const

/** ROLE-2, ROLE-11: a role shares and deletes only if it says so. */
const reading: ReadonlySet<Action> = new Set<Action>(['live', 'audio', 'history', 'review', 'export', 'download'])
const everything: ReadonlySet<Action> = new Set<Action>([...cameraActions, ...serviceActions])

/** Builds all grants once, so that each check is a lookup. */
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

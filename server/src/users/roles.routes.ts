import { Type, type Static } from 'typebox'
import { cameraNamePattern } from '../shared/camera-name.ts'
import { builtinRoles, roleNameProblem, type Roles } from '../access/role.ts'
import { answer, route, who, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { type CodedMessage, fieldProblem } from '../shared/coded-message.ts'
import type { AccountStore } from './account-store.ts'
import type { CustomRoles } from './active-roles.ts'
import type { RoleDeletion } from './role-deletion.ts'
import type { RoleSettings } from './role-settings.ts'
import type { UserReasons } from './reasons.ts'

export interface RoleRouteDeps {
  readonly roles: () => Roles
  readonly store: Pick<AccountStore, 'roleCounts'>
  /** The cameras of each custom role, from the configuration. */
  readonly customRoles: () => CustomRoles
  readonly allCameras: () => readonly string[]
  /** A role's cameras that it doesn't grant until an admin confirms them. */
  readonly withheldFrom: (role: string) => readonly string[]
  readonly settings: RoleSettings
  readonly deletion: Pick<RoleDeletion, 'remove' | 'make'>
  readonly audit: Audit
}

const RolePath = Type.Object({ name: Type.String() })
const Role = Type.Object({
  name: Type.String(),
  cameras: Type.Array(Type.String()),
  withheld: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Cameras of the role that it does not grant until an admin confirms, because they were added later under a listed name. Absent if none.',
    }),
  ),
  users: Type.Integer({ description: 'Number of users with the role.' }),
  builtin: Type.Boolean(),
})
export type RoleView = Static<typeof Role>

const RoleDeleted = Type.Object({
  reassigned: Type.Array(Type.String(), { description: 'Usernames of the users who were moved to `viewer`.' }),
})
export type RoleDeleted = Static<typeof RoleDeleted>

const RoleCameras = Type.Object(
  {
    cameras: Type.Array(Type.String({ pattern: cameraNamePattern }), {
      minItems: 1,
      maxItems: 10_000,
      description: 'Camera names. A camera that does not exist yet is granted once it is added and an admin confirms.',
    }),
    expected_cameras: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 10_000,
        description: 'Expected current cameras. 412 if they differ or the role was deleted.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RoleCameras = Static<typeof RoleCameras>

/** Routes for roles. Custom roles are stored in the configuration file, like the cameras they name. */
export function roleRoutes(deps: RoleRouteDeps): Route[] {
  const { roles, store, customRoles, allCameras, withheldFrom, settings, deletion, audit } = deps

  const withheldIn = (name: string, cameras: readonly string[]): { withheld?: string[] } => {
    const withheld = withheldFrom(name).filter((camera) => cameras.includes(camera))
    return withheld.length > 0 ? { withheld } : {}
  }
  const shown = async () => {
    const counts = await store.roleCounts()
    const users = (name: string) => counts.get(name) ?? 0
    return [
      ...builtinRoles.map((name) => ({
        name,
        cameras: [...allCameras()],
        users: users(name),
        builtin: true,
      })),
      ...[...customRoles()].map(([name, cameras]) => ({
        name,
        cameras: [...cameras],
        ...withheldIn(name, cameras),
        users: users(name),
        builtin: false,
      })),
    ]
  }

  return [
    route({
      method: 'GET',
      path: '/api/roles',
      access: { service: 'roles.manage' },
      schema: { summary: 'List roles with their cameras and number of users.', response: { 200: Type.Array(Role) } },
      handle: shown,
    }),
    route({
      method: 'PUT',
      path: '/api/roles/:name',
      access: { service: 'roles.manage' },
      schema: {
        summary: 'Create a custom role or change its cameras. With `If-None-Match: *`, 412 if it exists.',
        params: RolePath,
        body: RoleCameras,
        response: { 200: Role, 201: Role },
      },
      handle: async ({ params: { name }, body: { cameras, expected_cameras: expectedCameras }, header }, caller) => {
        refuseBuiltin(name)
        const expected = onlyCreates(header('if-none-match')) ? 'absent' : expectedCameras
        const code = roleNameProblem(name)
        const problem = code === undefined ? caseProblem(name, customRoles()) : fieldProblem(code)
        if (problem !== undefined) throw invalidField('name', problem)
        const existed = roles().exists(name)
        await audit.ready()
        await deletion.make(name, () => settings.setRole(name, cameras, expected))
        await audit.commit({
          ...who(caller),
          action: 'role.set',
          result: 'success',
          target: name,
          detail: cameras.join(', '),
        })
        const made = (await shown()).find((role) => role.name === name)
        return answer({ status: existed ? 200 : 201, body: made })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/roles/:name',
      access: { service: 'roles.manage' },
      schema: {
        summary: 'Delete a custom role and move its users to `viewer`.',
        params: RolePath,
        response: { 200: RoleDeleted },
      },
      handle: async ({ params: { name } }, caller) => {
        refuseBuiltin(name)
        if (!roles().exists(name)) {
          throw new ServiceError<UserReasons>('not-found', { reason: 'no-such-role' })
        }
        return { reassigned: [...(await deletion.remove(name, who(caller), () => settings.removeRole(name)))] }
      },
    }),
  ]
}

/** Whether `If-None-Match: *` is set, the only supported value because roles have no versions. */
function onlyCreates(ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  throw invalidField('If-None-Match', fieldProblem('not-one-of', { allowed: ['*'] }, { allowed: '*' }))
}

function refuseBuiltin(name: string): void {
  if (builtinRoles.some((builtin) => builtin === name)) {
    throw new ServiceError<UserReasons>('conflict', {
      reason: 'built-in-role',
    })
  }
}

export interface CaseProblems {
  'differs-in-case': { readonly other: string }
}

/** Rejects a name that differs from another role only in case, because the two are easily confused. */
function caseProblem(name: string, custom: CustomRoles): CodedMessage<CaseProblems> | undefined {
  const differing = [...custom.keys()].find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
  return differing === undefined ? undefined : fieldProblem('differs-in-case', { other: differing })
}

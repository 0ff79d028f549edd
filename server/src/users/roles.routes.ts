import { Type, type Static } from 'typebox'
import { builtinRoles, roleNameProblem, type Roles } from '../access/role.ts'
import { answer, route, who, type Route } from '../http/route.ts'
import type { Audit } from '../shared/audit.ts'
import { ServiceError } from '../shared/errors.ts'
import type { CodedMessage } from '../shared/coded-message.ts'
import type { AccountStore } from './account-store.ts'
import type { RoleDeletion } from './role-deletion.ts'

export interface RoleRouteDeps {
  readonly roles: () => Roles
  readonly store: Pick<AccountStore, 'roleCounts'>
  /** Custom roles and their cameras, as the configuration lists them. */
  readonly customRoles: () => ReadonlyMap<string, readonly string[]>
  readonly allCameras: () => readonly string[]
  /** Cameras that a role lists and does not grant until an admin confirms. */
  readonly withheldFrom: (role: string) => readonly string[]
  /** Writes the role into the configuration file, where it holds from then on. */
  readonly setRole: (
    name: string,
    cameras: readonly string[],
    expected?: readonly string[] | 'absent',
  ) => Promise<unknown>
  readonly removeRole: (name: string) => Promise<unknown>
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
        'Of these, cameras that were added under a name which the role listed before: it grants them once an admin confirms. Absent where there is none.',
    }),
  ),
  users: Type.Integer({ description: 'Users who hold it.' }),
  builtin: Type.Boolean(),
})
export type RoleView = Static<typeof Role>

const RoleDeleted = Type.Object({
  reassigned: Type.Array(Type.String(), { description: 'Users who are `viewer` now.' }),
})
export type RoleDeleted = Static<typeof RoleDeleted>

/** Roles are kept in the configuration file, beside the cameras that they name. */
export function roleRoutes(deps: RoleRouteDeps): Route[] {
  const { roles, store, customRoles, allCameras, withheldFrom, setRole, removeRole, deletion, audit } = deps

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
      schema: { summary: 'Every role, its cameras, and how many users hold it.', response: { 200: Type.Array(Role) } },
      handle: shown,
    }),
    route({
      method: 'PUT',
      path: '/api/roles/:name',
      access: { service: 'roles.manage' },
      schema: {
        summary: 'Create a custom role, or change its cameras. `If-None-Match: *`: only create, else 412.',
        params: RolePath,
        body: Type.Object(
          {
            cameras: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), {
              minItems: 1,
              maxItems: 10_000,
              description:
                'Names of cameras. One that does not exist yet grants nothing, and is granted once it is there and an admin confirms.',
            }),
            was: Type.Optional(
              Type.Array(Type.String(), {
                maxItems: 10_000,
                description: 'Its cameras as they are known. Where they are others by now, or the role is gone: 412.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Role, 201: Role },
      },
      handle: async ({ params: { name }, body: { cameras, was }, header }, caller) => {
        refuseBuiltin(name)
        const expected = onlyCreates(header('if-none-match')) ? 'absent' : was
        const problem = roleNameProblem(name) ?? twinProblem(name, customRoles())
        if (problem !== undefined) {
          throw new ServiceError('invalid', `name ${problem.message}.`, { problems: [{ field: 'name', ...problem }] })
        }
        const existed = roles().exists(name)
        await audit.ready()
        await deletion.make(name, () => setRole(name, cameras, expected))
        await audit.commit({
          ...who(caller),
          action: 'role.set',
          result: 'ok',
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
        summary: 'Deletes a custom role; its users become `viewer`.',
        params: RolePath,
        response: { 200: RoleDeleted },
      },
      handle: async ({ params: { name } }, caller) => {
        refuseBuiltin(name)
        if (!roles().exists(name)) {
          throw new ServiceError('not-found', 'There is no role of that name.', { reason: 'no-such-role' })
        }
        return { reassigned: [...(await deletion.remove(name, who(caller), () => removeRole(name)))] }
      },
    }),
  ]
}

/** Roles have no versions: what can be asked for is that there is none. */
function onlyCreates(ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const problem = { code: 'not-one-of', values: { allowed: ['*'] }, message: 'must be *' } as const
  throw new ServiceError('invalid', `If-None-Match ${problem.message}.`, {
    problems: [{ field: 'If-None-Match', ...problem }],
  })
}

function refuseBuiltin(name: string): void {
  if (builtinRoles.some((builtin) => builtin === name)) {
    throw new ServiceError('conflict', 'This role is built in, and neither changed nor deleted.', {
      reason: 'built-in-role',
    })
  }
}

export interface TwinProblems {
  'differs-in-case': { readonly other: string }
}

/** Two names that differ in case alone would be taken for one another. */
function twinProblem(
  name: string,
  custom: ReadonlyMap<string, readonly string[]>,
): CodedMessage<TwinProblems> | undefined {
  const twin = [...custom.keys()].find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
  if (twin === undefined) return undefined
  return { code: 'differs-in-case', values: { other: twin }, message: `differs from the role ${twin} in case alone` }
}

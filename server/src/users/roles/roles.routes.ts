import { Type } from 'typebox'
import { weekdays } from '../../access/hours.ts'
import { builtinRoles, roleNameProblem, type Roles } from '../../access/role.ts'
import type { RoleSettings } from './custom-roles.ts'
import { changeBy, actorOf } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { Audit } from '../../shared/audit/audit.ts'
import { auditedEdit } from '../../shared/audit/audited-edit.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import { type CodedMessage, fieldProblem } from '../../shared/messages/coded-message.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import type { RoleDeletion } from './role-deletion.ts'
import type { RoleChange, RoleEditor } from './role-editor.ts'
import { RoleBody, RoleDeleted, RoleResponse } from './role-schema.ts'
import { roleInWords, roleResponses } from './role-response.ts'
import type { UserReasons } from '../reasons.ts'

export interface RoleRouteDeps {
  readonly roles: () => Roles
  readonly store: Pick<AccountStore, 'roleCounts'>
  /** The part of the configuration that defines the custom roles. */
  readonly settings: () => RoleSettings
  readonly allCameras: () => readonly string[]
  /** A role's cameras that it doesn't grant until an admin confirms them. */
  readonly withheldFrom: (role: string) => readonly string[]
  readonly editor: RoleEditor
  readonly deletion: Pick<RoleDeletion, 'remove' | 'make'>
  readonly audit: Audit
}

const RolePath = Type.Object({ name: Type.String() })

/** Routes for roles. Custom roles are stored in the configuration, like the cameras they name. */
export function roleRoutes(deps: RoleRouteDeps): Route[] {
  const { roles, store, settings, allCameras, withheldFrom, editor, deletion, audit } = deps

  const shown = async (): Promise<RoleResponse[]> => {
    const counts = await store.roleCounts()
    const all = roleResponses({ roles: roles(), settings: settings(), allCameras: allCameras(), withheldFrom })
    return all.map((role) => ({ ...role, users: counts.get(role.name) ?? 0 }))
  }

  return [
    route({
      method: 'GET',
      path: '/api/roles',
      access: { service: 'roles.manage', about: 'no-camera' },
      schema: {
        summary: 'List roles with their cameras and number of users.',
        response: { 200: Type.Array(RoleResponse) },
      },
      handle: shown,
    }),
    route({
      method: 'PUT',
      path: '/api/roles/:name',
      access: { service: 'roles.manage', about: 'no-camera' },
      confirm: true,
      schema: {
        summary:
          'Create a custom role, or change keys of one; a key that is left out stays as it is, and limits nothing in a new role. With `If-None-Match: *`, 412 if it exists.',
        params: RolePath,
        body: RoleBody,
        response: { 200: RoleResponse, 201: RoleResponse },
      },
      handle: async ({ params: { name }, body: { expected: expectedKeys, ...change }, header }, caller) => {
        refuseBuiltin(name)
        const expected = onlyCreates(header('if-none-match')) ? 'absent' : expectedKeys
        const code = roleNameProblem(name)
        const problem = code === undefined ? caseProblem(name, settings().auth.roles) : fieldProblem(code)
        if (problem !== undefined) throw invalidField('name', problem)
        const existed = roles().exists(name)
        if (!existed && change.cameras === undefined) throw invalidField('cameras', fieldProblem('missing'))
        await auditedEdit(
          audit,
          { ...actorOf(caller), action: 'role.set', target: name },
          () =>
            deletion.make(name, actorOf(caller), (steps) =>
              editor.setRole(
                { ...changeBy(caller), ...steps },
                name,
                wholeHours(change),
                typeof expected === 'object' ? wholeHours(expected) : expected,
              ),
            ),
          roleInWords,
        )
        const made = (await shown()).find((role) => role.name === name)
        return respond({ status: existed ? 200 : 201, body: made })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/roles/:name',
      access: { service: 'roles.manage', about: 'no-camera' },
      confirm: true,
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
        const reassigned = await deletion.remove(name, actorOf(caller), (steps) =>
          editor.removeRole(name, { ...changeBy(caller), ...steps }),
        )
        return { reassigned: [...reassigned] }
      },
    }),
  ]
}

/** Hours without a day or a time have their defaults. */
function wholeHours({ hours, ...change }: Omit<RoleBody, 'expected'>): RoleChange {
  const whole = hours?.map((each) => ({ days: weekdays, from: '00:00', to: '24:00', ...each }))
  return { ...change, ...(whole && { hours: whole }) }
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
function caseProblem(name: string, custom: RoleSettings['auth']['roles']): CodedMessage<CaseProblems> | undefined {
  const differing = [...custom.keys()].find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
  return differing === undefined ? undefined : fieldProblem('differs-in-case', { other: differing })
}

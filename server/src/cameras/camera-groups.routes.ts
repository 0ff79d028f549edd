import { Type, type Static } from 'typebox'
import { inScope } from '../access/grant.ts'
import { listIn, type Concerned, type Sent } from '../access/rule.ts'
import type { ConfigStore } from '../config/config-store.ts'
import { changeBy, actorOf, type Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { Audit, AuditAction } from '../shared/audit/audit.ts'
import { auditedEdit } from '../shared/audit/audited-edit.ts'
import { cameraNamePattern } from '../shared/camera/camera-name.ts'
import { ServiceError } from '../shared/errors.ts'
import type { CameraGroupsConfig } from './camera-groups.config.ts'
import type { CameraReasons } from './reasons.ts'
import { withCameraGroup } from './settings/edit-groups.ts'

const Name = Type.String({ pattern: cameraNamePattern })

const CameraGroup = Type.Object({
  name: Type.String(),
  cameras: Type.Array(Type.String(), {
    description: 'Names of its cameras that the caller can see; with `cameras.manage` of all, as configured.',
  }),
})
export type CameraGroup = Static<typeof CameraGroup>

const GroupCameras = Type.Object(
  { cameras: Type.Array(Name, { maxItems: 10_000, description: 'Names of cameras.' }) },
  { additionalProperties: false },
)
export type GroupCameras = Static<typeof GroupCameras>

export interface CameraGroupDeps {
  readonly configStore: Pick<ConfigStore<{ readonly camera_groups: CameraGroupsConfig }>, 'current' | 'editActive'>
  readonly cameraExists: (name: string) => boolean
  /** The roles that grant a group. */
  readonly rolesWith: (group: string) => readonly string[]
  readonly audit: Audit
}

/** Routes for groups of cameras, which are stored in the configuration, like the cameras they name. */
export function cameraGroupRoutes({ configStore, cameraExists, rolesWith, audit }: CameraGroupDeps): Route[] {
  const groups = () => configStore.current().camera_groups
  const change = (caller: Caller, action: AuditAction, name: string, cameras: readonly string[] | undefined) => {
    const detail = cameras?.join(', ')
    return auditedEdit(
      audit,
      { ...actorOf(caller), action, target: name, ...(detail !== undefined && { detail }) },
      () => configStore.editActive((text) => withCameraGroup(text, name, cameras), changeBy(caller)),
    )
  }
  const camerasBefore = ({ params: { name } }: Sent): readonly string[] => groups().get(String(name)) ?? []
  /** A role can grant an empty group: what is put into it, users of that role see. */
  const isEmpty = ({ params: { name } }: Sent): boolean => groups().get(String(name))?.length === 0
  const camerasBeforeAndAfter = (sent: Sent): Concerned =>
    isEmpty(sent) ? 'all-cameras' : [...camerasBefore(sent), ...listIn(sent, 'cameras')]

  return [
    route({
      method: 'GET',
      path: '/api/camera-groups',
      access: { cameras: 'any', details: 'cameras.manage' },
      schema: {
        summary:
          'List the groups that contain a camera of the caller, in the order of the configuration. With `cameras.manage` ' +
          'all groups as they are configured, also empty ones and cameras that do not exist; a token for some cameras sees ' +
          'no others.',
        response: { 200: Type.Array(CameraGroup) },
      },
      handle(_input, { scope, seesDetails }): CameraGroup[] {
        const all = [...groups()].map(([name, cameras]) => ({ name, cameras: [...cameras] }))
        const isSeen = (camera: string) => inScope(scope, camera) && (seesDetails || cameraExists(camera))
        return all.flatMap(({ name, cameras }) => {
          const seen = cameras.filter(isSeen)
          return seen.length > 0 || (seesDetails && cameras.length === 0) ? [{ name, cameras: seen }] : []
        })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/camera-groups/:name',
      access: { service: 'cameras.manage', about: { of: 'body', find: camerasBeforeAndAfter } },
      confirm: true,
      schema: {
        summary: 'Create a camera group or change its cameras. Roles that grant the group follow it.',
        params: Type.Object({ name: Name }),
        body: GroupCameras,
        response: { 200: CameraGroup, 201: CameraGroup },
      },
      async handle({ params: { name }, body: { cameras } }, caller) {
        const existed = groups().has(name)
        await change(caller, 'camera-group.set', name, cameras)
        return respond({ status: existed ? 200 : 201, body: { name, cameras } })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/camera-groups/:name',
      access: { service: 'cameras.manage', about: { of: 'path', find: camerasBefore } },
      confirm: true,
      schema: {
        summary: 'Delete a camera group. 409 while a role grants it.',
        params: Type.Object({ name: Name }),
        otherResponses: { 204: null },
      },
      async handle({ params: { name } }, caller) {
        if (!groups().has(name)) throw new ServiceError<CameraReasons>('not-found', { reason: 'no-such-camera-group' })
        const roles = rolesWith(name)
        if (roles.length > 0) {
          throw new ServiceError<CameraReasons>('conflict', {
            reason: 'camera-group-in-use',
            values: { roles },
            shown: { roles: roles.join(', ') },
          })
        }
        await change(caller, 'camera-group.delete', name, undefined)
      },
    }),
  ]
}

import type { CustomRole } from '../../access/role.ts'
import { Type, type Static } from 'typebox'
import { cameraNamePattern } from '../../shared/camera/camera-name.ts'
import { auditEntry } from '../../http/caller.ts'
import { route, type Route } from '../../http/route.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { CameraRegistry } from './camera-registry.ts'
import type { StoredData } from './registry-store.sql.ts'
import type { CameraReasons } from '../reasons.ts'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'
import { nullable } from '../../shared/nullable.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

export interface RegistryRouteDeps {
  readonly registry: CameraRegistry
  readonly store: Pick<StoredData, 'storedUnder'>
  /** Custom roles and their cameras, as the configuration lists them. */
  readonly customRoles: () => ReadonlyMap<string, CustomRole>
  /** Number of users by role. */
  readonly roleCounts: () => Promise<ReadonlyMap<string, number>>
  /** Called when grants have changed. */
  readonly onConfirmed: () => void
}

const CameraName = Type.String({ pattern: cameraNamePattern })

const ConfirmedCameras = Type.Object(
  { cameras: Type.Array(CameraName, { minItems: 1, maxItems: 10_000 }) },
  { additionalProperties: false },
)
export type ConfirmedCameras = Static<typeof ConfirmedCameras>

export const RemovedCamera = Type.Object({
  name: Type.String(),
  removed_at: nullable(Timestamp, 'When the last camera with this name was removed; null if only roles list the name.'),
  recordings: nullable(
    Type.Object({
      bytes: Type.Number(),
      oldest: Type.Number({ description: 'Unix seconds.' }),
      newest: Type.Number({ description: 'Unix seconds.' }),
    }),
    'Recorded range; null without recordings.',
  ),
  review_items: Type.Integer(),
  exports: Type.Integer(),
  roles: Type.Array(Type.Object({ name: Type.String(), users: Type.Integer() }), {
    description: 'Roles that list the name, with their number of users.',
  }),
})
export type RemovedCamera = Static<typeof RemovedCamera>

/** The data of a removed camera, and the cameras that an admin confirms for a role (CAM-4). */
export function registryRoutes(deps: RegistryRouteDeps): Route[] {
  const { registry, store, customRoles, roleCounts, onConfirmed } = deps

  const rolesListing = async (camera: string): Promise<RemovedCamera['roles']> => {
    const counts = await roleCounts()
    return [...customRoles()]
      .filter(([, { cameras }]) => cameras !== 'all' && cameras.includes(camera))
      .map(([name]) => ({ name, users: counts.get(name) ?? 0 }))
  }

  return [
    route({
      method: 'GET',
      path: '/api/removed-cameras/:name',
      access: { service: 'cameras.manage', about: 'all-cameras' },
      schema: {
        summary: 'Get what a new camera with this name would inherit if added with `inherit: true`. 404 if nothing.',
        params: Type.Object({ name: CameraName }),
        response: { 200: RemovedCamera },
      },
      async handle({ params: { name } }) {
        const [former] = registry.former(name)
        const roles = await rolesListing(name)
        const left = await store.storedUnder(former?.key ?? cameraKey(name))
        const { recordings, reviewItems, exports } = left
        const nothing = !former && roles.length === 0 && !recordings && reviewItems + exports === 0
        if (registry.isLive(name) || nothing) {
          throw new ServiceError('not-found', { reason: 'no-such-camera' })
        }
        return {
          name,
          removed_at: former?.removedAt ? timestampOf(former.removedAt) : null,
          recordings,
          review_items: reviewItems,
          exports,
          roles,
        }
      },
    }),
    route({
      method: 'POST',
      path: '/api/roles/:name/confirm',
      access: { service: 'roles.manage', about: 'no-camera' },
      confirm: true,
      schema: {
        summary: 'Grant cameras to a role that listed their names before they were added.',
        params: Type.Object({ name: Type.String() }),
        body: ConfirmedCameras,
        otherResponses: { 204: null },
      },
      async handle({ params: { name }, body: { cameras } }, caller) {
        const withheld = registry.withheldFrom(name)
        const wrong = cameras.filter((camera) => !withheld.includes(camera))
        if (wrong.length > 0) {
          const note = `Cameras that need no confirmation: ${wrong.join(', ')}.`
          throw new ServiceError<CameraReasons>('conflict', { reason: 'confirmation-not-needed', note })
        }
        await registry.confirm(name, cameras, auditEntry(caller, 'role.confirm', name, cameras.join(', ')))
        onConfirmed()
      },
    }),
  ]
}

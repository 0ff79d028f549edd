import { cameraActions, type Action, type CameraAction, type CameraNeed } from './action.ts'

/** The actions a role allows, and the cameras it covers. Both are sets, so a check takes constant time. */
export interface Grant {
  readonly actions: ReadonlySet<Action>
  readonly cameras: 'all' | ReadonlySet<string>
}

/** The grant of unauthenticated callers and of unknown roles. */
export const emptyGrant: Grant = { actions: new Set(), cameras: new Set() }

/** Whether two grants allow the same actions on the same cameras. */
export const sameGrant = (one: Grant, other: Grant): boolean =>
  same(one.actions, other.actions) &&
  (one.cameras === 'all' || other.cameras === 'all' ? one.cameras === other.cameras : same(one.cameras, other.cameras))

const same = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean =>
  one === other || (one.size === other.size && [...one].every((each) => other.has(each)))

export const allows = (grant: Grant, need: Action | CameraNeed): boolean =>
  need === 'any' ? cameraActions.some((action) => grant.actions.has(action)) : grant.actions.has(need)

export const includesCamera = (grant: Grant, camera: string): boolean =>
  grant.cameras === 'all' || grant.cameras.has(camera)

declare const made: unique symbol

/**
 * The cameras one request can access.
 *
 * Stores with camera data require a CameraScope, and only {@link scopeOf} and {@link narrowScope} create one,
 * so a query that ignores the grant does not compile.
 */
export interface CameraScope {
  readonly cameras: 'all' | ReadonlySet<string>
  readonly [made]: true
}

export const scopeOf = ({ cameras }: Grant): CameraScope => ({ cameras }) as CameraScope

/** The cameras on which the grant allows the action. */
export const scopeFor = (grant: Grant, action: CameraAction): CameraScope =>
  scopeOf(allows(grant, action) ? grant : emptyGrant)

/** Narrows a scope to the requested cameras; undefined: all of them. */
export const narrowScope = ({ cameras }: CameraScope, requested: readonly string[] | undefined): CameraScope =>
  ({
    cameras: requested ? new Set(requested.filter((camera) => cameras === 'all' || cameras.has(camera))) : cameras,
  }) as CameraScope

export const inScope = ({ cameras }: CameraScope, camera: string): boolean => cameras === 'all' || cameras.has(camera)

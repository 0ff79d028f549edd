import { cameraActions, type Action, type CameraAction, type CameraNeed } from './action.ts'

/** The actions a role allows now, and the cameras it covers. Both are sets, so a check takes constant time. */
export interface Grant {
  readonly actions: ReadonlySet<Action>
  readonly cameras: 'all' | ReadonlySet<string>
  /** Maximum age of recorded video that the role can see, milliseconds; undefined: any age. */
  readonly history?: number
  /** Start of the oldest recorded video that the role shows now, Unix milliseconds; undefined: any age. */
  readonly since?: number
  /** End of the newest recorded video that is shown, Unix milliseconds; undefined: no end. Only of a share link. */
  readonly until?: number
  /** Why a role that exists allows nothing now. */
  readonly suspended?: Suspended
  /** The time for which the grant is sure to be the same, Unix milliseconds: from `from`, before `until`. */
  readonly valid?: Validity
}

/**
 * `hours`: outside the hours of the role. `not-yet`, `over`: before or after the time for which the role is valid.
 * `enrollment-required`: the role requires a second factor, which the user has yet to set up (MFA-2).
 */
export type Suspended = 'hours' | 'not-yet' | 'over' | 'enrollment-required'

export interface Validity {
  readonly from: number
  readonly until: number
}

/** A range of recorded video, Unix milliseconds. */
export interface RecordedTime {
  readonly since: number
  readonly until: number
}

/** What a token, a screen or a link allows at most, of what its owner's role allows. */
export interface GrantLimits {
  /** undefined: every camera of the owner. */
  readonly cameras?: ReadonlySet<string> | undefined
  /** undefined: every action on cameras that the owner has, and none on the service (KEY-4). */
  readonly actions?: ReadonlySet<Action> | undefined
  /**
   * The owner needs each of these, or nothing is allowed: a link is worth nothing without `share` and the action with
   * which it shows what it shows (LINK-3).
   */
  readonly needs?: readonly Action[] | undefined
  /** undefined: all recorded video that the owner sees. */
  readonly time?: RecordedTime | undefined
}

/** What both the grant and the limits allow. */
export function limitGrant(
  grant: Grant,
  { cameras, actions = everyCameraAction, needs = [], time }: GrantLimits,
): Grant {
  if (needs.some((need) => !grant.actions.has(need))) return { ...grant, actions: new Set(), cameras: new Set() }
  return {
    ...grant,
    actions: both(grant.actions, actions),
    cameras: cameras === undefined ? grant.cameras : grant.cameras === 'all' ? cameras : both(grant.cameras, cameras),
    ...(time && { since: Math.max(time.since, grant.since ?? 0), until: time.until }),
  }
}

const everyCameraAction: ReadonlySet<Action> = new Set(cameraActions)

/** The first set itself if nothing of it is missing, so that the grants of many tokens share it. */
function both<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> {
  const kept = [...one].filter((each) => other.has(each))
  return kept.length === one.size ? one : new Set(kept)
}

/** The grant of unauthenticated callers and of unknown roles. */
export const emptyGrant: Grant = { actions: new Set(), cameras: new Set() }

/** Whether a role gives the grant. A role that is suspended allows nothing, but its users are signed in. */
export const hasRole = ({ actions, suspended }: Grant): boolean => actions.size > 0 || suspended !== undefined

/** The grant of a user who has to set up a second factor first. */
export const enrollmentGrant: Grant = { ...emptyGrant, suspended: 'enrollment-required' }

export const isValidAt = ({ valid }: Grant, now: number): boolean =>
  valid === undefined || (now >= valid.from && now < valid.until)

/** Whether two grants allow the same actions on the same cameras. */
export const sameGrant = (one: Grant, other: Grant): boolean =>
  same(one.actions, other.actions) &&
  one.history === other.history &&
  one.until === other.until &&
  one.suspended === other.suspended &&
  (one.cameras === 'all' || other.cameras === 'all' ? one.cameras === other.cameras : same(one.cameras, other.cameras))

const same = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean =>
  one === other || (one.size === other.size && [...one].every((each) => other.has(each)))

export const allows = (grant: Grant, need: Action | CameraNeed): boolean =>
  need === 'any' ? cameraActions.some((action) => grant.actions.has(action)) : grant.actions.has(need)

export const includesCamera = (grant: Pick<Grant, 'cameras'>, camera: string): boolean =>
  grant.cameras === 'all' || grant.cameras.has(camera)

declare const made: unique symbol

/**
 * The cameras one request can access.
 *
 * Only {@link scopeOf} and {@link narrowScope} create one, from a grant. Only with it can stores be read for a caller: they
 * take cameras as {@link ScopedKey}.
 */
export interface CameraScope {
  readonly cameras: 'all' | ReadonlySet<string>
  /** Start of the oldest recorded video in the scope, Unix milliseconds (GRANT-3). */
  readonly since: number
  /** End of the newest recorded video in the scope, Unix milliseconds; Infinity: no end (LINK-3). */
  readonly until: number
  readonly [made]: true
}

export const scopeOf = ({ cameras, since = 0, until = Infinity }: Grant): CameraScope =>
  ({ cameras, since, until }) as CameraScope

/** The cameras on which the grant allows the action. */
export const scopeFor = (grant: Grant, action: CameraAction): CameraScope =>
  scopeOf(allows(grant, action) ? grant : emptyGrant)

/** Narrows a scope to the requested cameras; undefined: all of them. */
export const narrowScope = (
  { cameras, since, until }: CameraScope,
  requested: readonly string[] | undefined,
): CameraScope =>
  ({
    cameras: requested ? new Set(requested.filter((camera) => cameras === 'all' || cameras.has(camera))) : cameras,
    since,
    until,
  }) as CameraScope

declare const scoped: unique symbol

/** Name of a camera in the scope of a request. */
export type ScopedCamera = string & { readonly [scoped]: 'name' }

/** Key of a camera in the scope of a request, with which the stores read for callers. */
export type ScopedKey<Key extends string> = Key & { readonly [scoped]: 'key' }

export const inScope = ({ cameras }: CameraScope, camera: string): camera is ScopedCamera =>
  cameras === 'all' || cameras.has(camera)

/** Whether what belongs to these cameras is in scope. What belongs to none is in a scope of all cameras only. */
export const allInScope = (scope: CameraScope, cameras: readonly string[]): boolean =>
  scope.cameras === 'all' || (cameras.length > 0 && cameras.every((camera) => inScope(scope, camera)))

export const scopedKey = <Key extends string>(camera: ScopedCamera, keyOf: (name: string) => Key): ScopedKey<Key> =>
  keyOf(camera) as ScopedKey<Key>

/** Whether the camera that has a key is in scope. That of a removed camera is in a scope of all cameras only. */
export const keyInScope = <Key extends string>(
  scope: CameraScope,
  key: Key,
  nameOf: (key: Key) => string,
): key is ScopedKey<Key> => inScope(scope, nameOf(key))

/** For work that has no caller here: an export that was allowed when it was requested, a read that another instance decided. */
export const withoutCaller = <Key extends string>(key: Key): ScopedKey<Key> => key as ScopedKey<Key>

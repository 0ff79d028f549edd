import type { CameraAction, CameraNeed, ServiceAction } from './action.ts'
import type { Owner } from './identity.ts'
import { ownValue } from './own-value.ts'

/** Decoded path parameters or decoded query parameters. */
export type Params = Readonly<Record<string, string | undefined>>

/** A camera that a request names. `time`: the start of its video that the request names, Unix milliseconds. */
export type Found = string | { readonly camera: string; readonly time: number }

/** The parts of a request that name what it is about, as they were sent. */
export interface Sent {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** undefined until it is read. */
  readonly body?: unknown
}

/**
 * How a route finds the recorded time its access is decided by (GRANT-3), Unix milliseconds: of a time range the last
 * moment, because the handler leaves out what is too old (`scope.since`); of one object the first. undefined: none is
 * named.
 */
export type TimeOf = (request: Sent) => number | undefined

/** How a route finds the camera its access is decided by. */
export type CameraOf =
  /** The `:camera` in the path. */
  | 'path'
  /** The `camera` of a JSON body, decided after the body is read and before the handler. */
  | 'body'
  /** Finds the camera of the resource in the path; undefined if the resource doesn't exist. */
  | ((params: Params) => Promise<Found | undefined>)
  /** Finds the camera of what a valid JSON body names; undefined if it doesn't exist. */
  | { readonly inBody: (body: unknown) => Promise<Found | undefined> }

/** How a route finds the owner its access is decided by. */
export interface OwnerOf {
  readonly of: 'path' | 'query'
  /** The parameter that names the resource. If it is missing from a query, the caller is the owner. */
  readonly name: string
  /** Returns the resource's owner; undefined if the resource doesn't exist. */
  readonly find: (value: string) => Promise<Owner | undefined>
}

/** The parameter with a list's requested cameras. Without it, the list covers all cameras the caller can access. */
export interface CamerasParameter {
  /** In a query the names are separated by commas; in a body they are an array. */
  readonly of: 'query' | 'body'
  /** In a body, it can be a dotted path such as `filter.cameras`. */
  readonly name: string
}

/** A body's list of ids of resources, each of which belongs to a camera. */
export interface ResourcesOf {
  readonly name: string
  /** Returns their cameras in the same order; undefined for a resource that doesn't exist. */
  readonly find: (values: readonly string[]) => Promise<readonly (Found | undefined)[]>
}

/** The names of the cameras that one request concerns. Only text is a name; anything else counts as a camera that doesn't exist. */
export type Concerned = 'all-cameras' | readonly unknown[]

/** How a route finds the cameras that a request concerns. */
export interface AboutCameras {
  /** Where they are named. `body`: decided after the body is read. */
  readonly of: 'path' | 'body'
  readonly find: (sent: Sent) => Concerned | Promise<Concerned>
}

/**
 * What an action on the service concerns, for a token that is limited to cameras (KEY-2). `all-cameras`: it can't do this.
 * `no-camera`: it can, because this has to do with users or the service, or the response is filtered by `scope`.
 */
export type About = AboutCameras | 'all-cameras' | 'no-camera'

/** About the `:camera` in the path. */
export const aboutPathCamera = {
  of: 'path',
  find: ({ params: { camera } }: Sent): readonly unknown[] => [camera],
} as const satisfies AboutCameras

/** The names in a list of a body; none if it has no such list. An invalid list counts as a camera that does not exist. */
export function listIn({ body }: Sent, name: string): readonly unknown[] {
  const value = ownValue(body, name)
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [undefined]
}

/** The access rule a route declares next to its path. There is no default: the service does not start with a route that has no rule. */
export type AccessRule =
  /** Any caller, signed in or not. The text gives the reason and is printed in docs/access.md. */
  | { readonly open: string }
  /**
   * Any authenticated caller with a role. `exceptScreens`: but no paired screen, whose name another program could take for
   * a user's. `enrolling`: also a user who has to set up a second factor first (MFA-2).
   */
  | { readonly signedIn: true; readonly exceptScreens?: true; readonly enrolling?: true }
  /**
   * A user who signed in, about their own account: no API token, screen or link, except a token with the action `or`
   * (KEY-4). `enrolling`: as above.
   */
  | { readonly account: true; readonly or?: ServiceAction; readonly enrolling?: true }
  /**
   * Another program, which an outer proxy protects by asking here (PROXY-14). It is not asked what it can do, and takes the
   * caller for the user with all of that user's access: no API token, screen or link, and no user whose role allows nothing
   * now (GRANT-4).
   */
  | { readonly otherProgram: true }
  /**
   * An action on the service as a whole. `about`: the cameras it concerns, each of which must be allowed too. `parts`: as
   * below, of what it gives to others.
   */
  | {
      readonly service: ServiceAction
      readonly about: About
      readonly parts?: readonly CameraAction[]
      readonly user?: undefined
    }
  /**
   * The same for a user whom a change names, who must be the same whenever it's decided again: the name can be that of a
   * later user by then. Never with cameras from the body: the user has to be known before it's read.
   */
  | {
      readonly service: ServiceAction
      readonly about: (AboutCameras & { readonly of: 'path' }) | 'all-cameras' | 'no-camera'
      readonly parts?: readonly CameraAction[]
      readonly user: OwnerOf
    }
  /** The caller's own resource, or any user's resource with the action `or`. `isOwn` tells the handler which. */
  | { readonly own: OwnerOf; readonly or: ServiceAction }
  /** An action on one camera. `parts`: parts of the response that need their own action; see `hasPart`. */
  | {
      readonly camera: CameraNeed
      readonly of: CameraOf
      readonly time?: TimeOf
      readonly parts?: readonly CameraAction[]
      /** Only for share links, which are accepted nowhere else (LINK-2). */
      readonly link?: true
    }
  /** An action on a camera's resource: the camera must be allowed, and the resource be the caller's own or `or` be allowed. */
  | { readonly camera: CameraNeed; readonly of: CameraOf; readonly own: OwnerOf; readonly or: ServiceAction }
  /**
   * An action on a list: the handler receives a CameraScope narrowed to the caller's grant, and to the cameras that the
   * request names directly or by their resources. Each of these must be allowed. `details`: a caller who also has this
   * action gets more in the response; the handler checks `seesDetails`. `parts`: parts of the response that need their
   * own action; the handler gets the scope of each by `scopeOfPart`.
   */
  | {
      readonly cameras: CameraNeed
      readonly requested?: CamerasParameter
      readonly resources?: ResourcesOf
      readonly details?: ServiceAction
      readonly parts?: readonly CameraAction[]
      readonly time?: TimeOf
    }

/** Whether share links are accepted, and nothing else is. */
export const isForLinks = (rule: AccessRule): boolean => 'link' in rule

/** Whether a user can do this who has to set up a second factor first. */
export const isForEnrolling = (rule: AccessRule): boolean => 'enrolling' in rule

/** The actions that parts of a route's response need. */
export const partsOf = (rule: AccessRule): readonly CameraAction[] => ('parts' in rule ? (rule.parts ?? []) : [])

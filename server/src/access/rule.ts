import type { CameraAction, ServiceAction } from './action.ts'
import type { Owner } from './identity.ts'

/** A request's decoded path parameters, or its decoded query. */
export type Params = Readonly<Record<string, string | undefined>>

/** Where a route's camera is named. */
export type CameraOf =
  /** The `:camera` in the path. */
  | 'path'
  /** The `camera` of a JSON body, decided after the body is read and before the handler. */
  | 'body'
  /** Finds the camera that a thing in the path belongs to; undefined when there is no such thing. */
  | ((params: Params) => Promise<string | undefined>)

/** Finds whose a thing is; undefined when there is no such thing. */
export interface OwnerOf {
  readonly of: 'path' | 'query'
  /** The parameter that names it. In a query it may be left out: then the thing is the caller's own. */
  readonly name: string
  readonly find: (value: string) => Promise<Owner | undefined>
}

/** Where a list names the cameras that it is asked for; where it names none, it is asked for all that are allowed. */
export interface CamerasAsked {
  /** In a query they stand with commas between them, in a body as a list. */
  readonly of: 'query' | 'body'
  /** In a body it may lie deeper, as `filter.cameras`. */
  readonly name: string
}

/** A list of things in a body, each of which belongs to a camera. */
export interface ThingsOf {
  readonly name: string
  /** Their cameras, in their order; undefined where there is no such thing. */
  readonly find: (values: readonly string[]) => Promise<readonly (string | undefined)[]>
}

/** What a route declares beside its path. There is no default: a route without a rule does not start. */
export type AccessRule =
  /** Anyone, signed in or not. The text says why, and is printed in docs/access.md. */
  | { readonly open: string }
  /** Anyone whom a role fits. */
  | { readonly signedIn: true }
  /** An action on the service as a whole. */
  | { readonly service: ServiceAction }
  /** One's own thing, or anybody's with `or`. */
  | { readonly own: OwnerOf; readonly or: ServiceAction }
  /** An action on one camera. */
  | { readonly camera: CameraAction; readonly of: CameraOf }
  /** An action on a thing of one camera: its owner's, or anybody's with `or`; and the camera has to be allowed too. */
  | { readonly camera: CameraAction; readonly of: CameraOf; readonly own: OwnerOf; readonly or: ServiceAction }
  /**
   * An action over a list: the handler is handed a CameraScope narrowed to the caller's grant, and to the cameras that
   * the request itself asks for, by their names or by things of theirs. Each of these has to be allowed.
   */
  | { readonly cameras: CameraAction; readonly requested?: CamerasAsked; readonly things?: ThingsOf }

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
  /** An action over a list: the handler is handed a CameraScope narrowed to the caller's grant. */
  | { readonly cameras: CameraAction }

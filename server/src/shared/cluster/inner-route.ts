import type { Readable, Writable } from 'node:stream'
import type { TicketAction } from './inner-client.ts'
import type { CameraKey } from '../camera/camera-keys.ts'

/** A request of another instance, whose ticket has been verified. */
export interface InnerCall {
  /** Id of the requesting instance. */
  readonly from: string
  readonly query: URLSearchParams
  /** A header of the request; undefined if it has none. */
  header(name: string): string | undefined
}

export interface InnerReply {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A stream ends with the connection, also if that closed before the handler was done. */
  readonly body: Readable | Buffer | string | BodyWriter
}

/**
 * Writes a body as it comes, until it ends it or the connection is closed. Not called if that is closed already. The body
 * isn't framed, so its end looks like a broken connection: it's for messages that have a length.
 */
export type BodyWriter = (to: Writable) => void

type Handle<Named> = (call: InnerCall & Named) => InnerReply | Promise<InnerReply>

interface InnerRouteOf<Scope extends string, Named> {
  /** Fixed path. What is read is in the ticket; the query says more. */
  readonly path: `/${string}`
  /** The action that the ticket must have. */
  readonly action: TicketAction
  /** What the ticket must name. Nothing else reaches the handler, so it can't read another camera or range. */
  readonly scope: Scope
  /** @throws ServiceError, which becomes the response */
  readonly handle: Handle<Named>
}

/**
 * A route of the inner server: GET, for other instances only. The instance that asks has decided what its user can see;
 * the ticket says for which camera.
 */
export type InnerRoute =
  | InnerRouteOf<'service', object>
  /** `camera`: its key. */
  | InnerRouteOf<'camera', { readonly camera: CameraKey }>
  /** `range`: Unix milliseconds. */
  | InnerRouteOf<
      'range',
      { readonly camera: CameraKey; readonly range: { readonly start: number; readonly end: number } }
    >

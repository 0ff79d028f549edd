import type { Readable } from 'node:stream'
import type { CameraKey } from '../camera/camera-keys.ts'

export const ticketActions = ['live', 'snapshot', 'recording', 'review', 'export', 'status'] as const
export type TicketAction = (typeof ticketActions)[number]

/**
 * What an inner request may read. The instance that the user is connected to has decided; the ticket says for what, is
 * signed, and is valid for 30 seconds, so that a stolen certificate alone reads nothing.
 */
export interface Ticket {
  /** Key of the camera; null: nothing of a camera. */
  readonly camera: CameraKey | null
  readonly action: TicketAction
  /** Recorded range, Unix milliseconds. */
  readonly range?: { readonly start: number; readonly end: number }
}

export interface InnerRequest {
  /** Path on the inner server, with query; at most 2,048 bytes. */
  readonly path: `/${string}`
  readonly ticket: Ticket
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request and its body. */
  readonly signal?: AbortSignal
}

export interface InnerResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** Requests to other instances, with mutual TLS. */
export interface InnerClient {
  /** @throws ServiceError `unavailable`, reason `instance-unreachable`, if the instance is unavailable or doesn't answer, or
   *   `instance-other-protocol`. */
  request(instance: string, request: InnerRequest): Promise<InnerResponse>
}

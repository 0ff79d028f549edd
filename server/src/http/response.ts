import type { Decision } from '../access/decide.ts'
import type { RecordedRange } from '../shared/audit/audit.ts'
import type { SessionToken } from './authentication.ts'

/**
 * Why an open stream is closed. `undecided`: reauthorization failed. `recheck`: a new request gets another response, or
 * the proxy must authenticate the user again.
 */
export type EndReason = Exclude<Decision, 'allow'> | 'undecided' | 'recheck' | 'stopping'

/** A response with more than a body. */
export interface RouteResponseInit {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The last data an open stream sends when it is closed for this reason. */
  readonly lastWords?: (reason: EndReason) => string | undefined
  /** The part of the recording that is sent, for the audit log. Only for routes that declare `reads`. */
  readonly range?: RecordedRange
  /** Sets or clears the session cookie. */
  readonly session?: SessionToken | 'clear'
}

export class RouteResponse {
  readonly parts: RouteResponseInit
  constructor(parts: RouteResponseInit) {
    this.parts = parts
  }
}

/**
 * Returns more than a body: `return respond({ status: 201, body })`. Without a body and a status, it's 204, as for a
 * handler that returns nothing. A `Readable` body is registered as an open stream.
 */
export const respond = (parts: RouteResponseInit): RouteResponse => new RouteResponse(parts)

/** The server's end of an open WebSocket. The gate closes it when reauthorization denies access. */
export interface LiveSocket {
  send(data: string | Uint8Array): void
  /** Bytes accepted by {@link send} and not yet handed to the network. */
  readonly waiting: number
  onMessage(receive: (text: string) => void): void
  onClose(done: () => void): void
  /** Sets the last message, sent when the gate closes the socket. */
  onEnding(report: (reason: EndReason) => string | undefined): void
  /** @param code a WebSocket close code, such as 1011 for a server error. */
  close(code: number, reason: string): void
}

import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestMeta } from '../shared/http/request-meta.ts'

/** Reads headers as they were sent: Node joins or drops some repeated headers, but the gate must see every value. */
export class IncomingRequestMeta implements RequestMeta {
  readonly #request: IncomingMessage
  #peer: string | undefined

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  get peer(): string {
    // Cached because a closed socket no longer has its address, and open streams are reauthorized later.
    return (this.#peer ??= this.#request.socket.remoteAddress ?? '')
  }

  get encrypted(): boolean {
    return (this.#request.socket as Partial<TLSSocket>).encrypted === true
  }

  values(name: string): readonly string[] {
    const { headers, rawHeaders } = this.#request
    if (headers[name] === undefined) return none
    const values: string[] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at]!
      if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1]!)
    }
    return values
  }
}

const none: readonly string[] = []

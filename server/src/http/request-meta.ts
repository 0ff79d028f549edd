import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestMeta } from '../shared/request-meta.ts'

/** Reads headers as they were sent: Node joins some that come twice and drops others, and a gate must see both. */
export class IncomingRequestMeta implements RequestMeta {
  readonly #request: IncomingMessage
  #peer: string | undefined

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  get peer(): string {
    // A closed socket no longer says whose it was, and a stream is decided again all its life.
    return (this.#peer ??= this.#request.socket.remoteAddress ?? '')
  }

  get encrypted(): boolean {
    return (this.#request.socket as Partial<TLSSocket>).encrypted === true
  }

  values(name: string): readonly string[] {
    const { headers, rawHeaders } = this.#request
    // HTTP/2 carries what Host says under a name of its own.
    if (name === 'host' && headers[':authority'] !== undefined) return authorities(headers)
    if (headers[name] === undefined) return none
    const values: string[] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at]!
      if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1]!)
    }
    return values
  }
}

const authorities = (headers: IncomingHttpHeaders): readonly string[] =>
  [headers[':authority'], headers.host].flat().filter((value) => value !== undefined)

const none: readonly string[] = []

/** The one value of a header; undefined where it is absent, or sent more than once with different values. */
export function onlyValue(meta: RequestMeta, name: string): string | undefined {
  const [first, ...others] = meta.values(name)
  return others.every((other) => other === first) ? first : undefined
}

import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createSecureContext } from 'node:tls'
import { WebSocket, type ClientOptions } from 'ws'

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** As sent: name, value, name, value … */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
  /** The body, parsed as JSON. */
  readonly json: unknown
  /** Every `Set-Cookie`. */
  readonly cookies: readonly string[]
}

export type Headers = OutgoingHttpHeaders | readonly string[]

export interface RequestOptions {
  readonly headers?: Headers
  /** An object is sent as JSON, text unchanged. */
  readonly body?: unknown
  /** For an endless response such as events: resolves with the head and closes the response. Otherwise waits for the end. */
  readonly headOnly?: boolean
}

/** A client of one port, with the same headers in each request. */
export interface TestClient {
  readonly port: number
  readonly base: string
  readonly headers: OutgoingHttpHeaders
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  get(path: string, headers?: Headers): Promise<Reply>
  post(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  put(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  delete(path: string, headers?: Headers): Promise<Reply>
  /** Opens a WebSocket; the caller waits until it is open. */
  socket(path: string, options?: ClientOptions): WebSocket
  with(headers: OutgoingHttpHeaders): TestClient
}

/** The status of a GET request; without a path, whether the client's credentials are accepted. */
export const statusOf = async (client: TestClient, path = '/api/profile'): Promise<number> =>
  (await client.get(path)).status

/** Each request has its own connection. Over TLS, it resumes the session of the first, with the same context. */
const resuming = new HttpsAgent({ keepAlive: false, secureContext: createSecureContext() })

const endless = /^(?:text\/event-stream|multipart\/x-mixed-replace)/

export function client(
  port: number,
  protocol: 'http' | 'https',
  headers: OutgoingHttpHeaders,
  host = '127.0.0.1',
): TestClient {
  const base = `${protocol}://${host}:${port}`
  const request: TestClient['request'] = (method, path, { headers: more = {}, body, headOnly } = {}) =>
    new Promise((done, fail) => {
      const payload =
        body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const json = payload !== undefined && typeof body === 'object' && !Buffer.isBuffer(body)
      const all = Array.isArray(more)
        ? [
            'host',
            `${host}:${port}`,
            ...pairs(headers),
            ...(payload === undefined ? [] : ['content-length', String(Buffer.byteLength(payload))]),
            ...(json ? ['content-type', 'application/json'] : []),
            ...more,
          ]
        : { ...(json && { 'content-type': 'application/json' }), ...headers, ...(more as OutgoingHttpHeaders) }
      const [send, agent] = protocol === 'https' ? [httpsRequest, resuming] : [httpRequest, false as const]
      const outgoing = send(
        { host, port, method, path, headers: all as OutgoingHttpHeaders, rejectUnauthorized: false, agent },
        (incoming) => {
          if (headOnly && endless.test(incoming.headers['content-type'] ?? '')) {
            done(reply(incoming, Buffer.alloc(0)))
            outgoing.destroy()
            return
          }
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', fail)
          incoming.on('end', () => done(reply(incoming, Buffer.concat(chunks))))
        },
      )
      outgoing.on('error', fail)
      outgoing.end(payload)
    })
  return {
    port,
    base,
    headers,
    request,
    get: (path, more) => request('GET', path, { ...(more && { headers: more }) }),
    post: (path, body, more) => request('POST', path, { body, ...(more && { headers: more }) }),
    put: (path, body, more) => request('PUT', path, { body, ...(more && { headers: more }) }),
    delete: (path, more) => request('DELETE', path, { ...(more && { headers: more }) }),
    socket: (path, options = {}) =>
      new WebSocket(`${base.replace(/^http/, 'ws')}${path}`, {
        rejectUnauthorized: false,
        ...options,
        headers: { ...(headers as Record<string, string>), ...options.headers },
      }),
    with: (more) => client(port, protocol, { ...headers, ...more }, host),
  }
}

const pairs = (headers: OutgoingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name, String(value)])

function reply(incoming: IncomingMessage, body: Buffer): Reply {
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    get text() {
      return body.toString('utf8')
    },
    get json() {
      return JSON.parse(body.toString('utf8')) as unknown
    },
    cookies: incoming.headers['set-cookie'] ?? [],
  }
}

import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestTls } from 'node:https'
import { cameraRequestHeader } from '../../shared/camera/camera-request.ts'
import { authorizationFor, challengeIn, type Challenge, type Credentials } from './http-login.ts'
import { StreamError } from './output.ts'
import { streamProblem, type StreamProblem } from './reason.ts'

/** Requests to one camera and no other host. */
export interface CameraHttp {
  /**
   * Follows redirects only to the camera's own host [CAM-2].
   *
   * @param range the value of `Range`, if any.
   * @returns a 2xx response whose body has not been read. Rejects with a {@link StreamError}.
   */
  get(url: URL, range: string | undefined): Promise<{ readonly url: URL; readonly response: IncomingMessage }>
  /** Whether a link of the camera can be followed. */
  reaches(url: URL): boolean
}

export interface CameraHttpDeps {
  /** The source, with its credentials. */
  readonly source: URL
  /** Milliseconds of silence after which a request is aborted. */
  readonly timeout: number
  /** Aborts every request. */
  readonly signal: AbortSignal
}

const maxRedirects = 5

/** Requests with the marker that both ports of the service reject [CAM-1], and with the camera's credentials. */
export function cameraHttp({ source, timeout, signal }: CameraHttpDeps): CameraHttp {
  const credentials = credentialsIn(source)
  let challenge: Challenge | undefined

  const send = (url: URL, range: string | undefined, authorization: string | undefined): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const options: RequestOptions & { rejectUnauthorized: boolean; minVersion: 'TLSv1'; ciphers: string } = {
        headers: {
          [cameraRequestHeader]: '1',
          accept: '*/*',
          'user-agent': 'Gatehouse',
          ...(range !== undefined && { range }),
          ...(authorization !== undefined && { authorization }),
        },
        signal,
        agent: false,
        timeout: timeout,
        // Cameras have self-signed certificates, old TLS, and imperfect HTTP.
        insecureHTTPParser: true,
        rejectUnauthorized: false,
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }
      const target = new URL(url)
      target.username = ''
      target.password = ''
      const request = (url.protocol === 'https:' ? requestTls : requestPlain)(target, options, (response) => {
        // The reader of the body notices a broken connection.
        response.on('error', () => {})
        resolve(response)
      })
      request.on('timeout', () => request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })))
      request.on('error', (error) => reject(new StreamError(problemOf(error))))
      // A 101 ends without a response and without an error.
      request.on('close', () => reject(new StreamError(streamProblem('connection-closed'))))
      request.end()
    })

  /** Adds credentials if the camera requests them, and only for its own origin. */
  const signed = async (url: URL, range: string | undefined): Promise<IncomingMessage> => {
    const path = url.pathname + url.search
    const login = url.origin === source.origin ? credentials : undefined
    const first = await send(url, range, challenge && login && authorizationFor(challenge, login, path))
    if (first.statusCode !== 401 || !login) return first
    challenge = challengeIn(first.headers['www-authenticate'] ?? '')
    if (!challenge) return first
    first.destroy()
    return send(url, range, authorizationFor(challenge, login, path))
  }

  const reaches = (url: URL): boolean =>
    url.hostname === source.hostname &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && source.protocol === 'http:'))

  return {
    reaches,
    async get(first, range) {
      let url = first
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        // Details of another origin are not reported.
        const reported = (problem: StreamProblem): StreamError =>
          new StreamError(url.origin === source.origin ? problem : streamProblem('unreadable-source'))
        const response = await signed(url, range).catch((error: unknown) => {
          throw error instanceof StreamError ? reported(error.problem) : error
        })
        const { statusCode: status = 0 } = response
        if (status >= 200 && status < 300) return { url, response }
        response.destroy()
        const { location } = response.headers
        if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
          throw reported(problemOfStatus(status))
        const next = URL.parse(location, url.href)
        if (!next || !reaches(next)) throw new StreamError(streamProblem('other-host'))
        url = next
      }
      throw new StreamError(streamProblem('unreadable-source'))
    },
  }
}

function credentialsIn({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined
  return { username: decoded(username), password: decoded(password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function problemOfStatus(status: number): StreamProblem {
  if (status === 401) return streamProblem('wrong-credentials')
  if (status === 403) return streamProblem('access-refused')
  if (status === 404) return streamProblem('no-such-stream')
  if (status >= 500) return streamProblem('camera-error')
  return streamProblem(status >= 400 ? 'request-refused' : 'unreadable-source')
}

const byErrorCode = {
  ECONNREFUSED: 'connection-refused',
  ETIMEDOUT: 'timed-out',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  ENOTFOUND: 'host-unknown',
  EAI_AGAIN: 'host-unknown',
  ECONNRESET: 'connection-closed',
  EPIPE: 'connection-closed',
} as const

function problemOf(error: NodeJS.ErrnoException): StreamProblem {
  // A hostname with several addresses fails once per address; the first error represents all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const known = Object.entries(byErrorCode).find(([each]) => each === code)
  return streamProblem(known ? known[1] : 'unreadable-source')
}

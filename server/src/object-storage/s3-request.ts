import { AwsV4Signer } from 'aws4fetch'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import type { Clock, Timers } from '../shared/time/clock.ts'
import { ObjectError } from '../shared/storage/objects.ts'
import { connectionFailure, failureOf } from './storage-failure.ts'
import type { S3Settings } from './storage.config.ts'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Key with the prefix; empty: the bucket. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** SHA-256 of the body, hex. Default: that of no body. */
  readonly sha256?: string
  /** Contents of a PUT. */
  readonly body?: Readable
  /** Milliseconds that the request may take, its response's body included. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds without a byte in either direction. */
const silence = 20_000

/** Bytes of an error's body that are read. */
const errorBytes = 64 << 10

const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Sends one request to the storage at a time for each connection, and never follows a redirect. */
export interface S3Connection {
  /**
   * Sends a request, and hands over its response while it arrives. The connection is free again once that is done.
   *
   * @throws ObjectError also for a status other than 200, 204
   */
  request<T>(request: S3Request, read: (response: IncomingMessage) => Promise<T>): Promise<T>
  close(): void
}

export function s3Connection(settings: S3Settings, clock: Clock & Timers): S3Connection {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const base = new URL(endpoint)
  const isTls = base.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 16, timeout: silence }
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options)
  const open = isTls ? httpsRequest : httpRequest

  const signed = async ({ method, key, query = {}, headers = {}, sha256 = nothing }: S3Request) => {
    const url = new URL(base)
    url.pathname = `/${[bucket, ...(key === '' ? [] : key.split('/'))].map(encoded).join('/')}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      datetime: `${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}Z`,
    })
    const made = await signer.sign()
    return { url: made.url, headers: Object.fromEntries(made.headers) }
  }

  return {
    async request(request, read) {
      const { url, headers } = await signed(request)
      const limit = timeLimit(request.timeout, clock)
      const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal
      const { method, body } = request
      try {
        const response = await send(open, url, { method, headers, agent, signal }, body, limit.watch)
        try {
          const { statusCode = 0 } = response
          if (statusCode !== 200 && statusCode !== 204) {
            throw failureOf(statusCode, method === 'HEAD' ? '' : await beginningOf(response))
          }
          return await read(response)
        } finally {
          // What wasn't read is not wanted.
          if (!response.readableEnded) response.destroy()
        }
      } catch (error) {
        if (error instanceof BodyError) throw error.cause
        throw limit.signal.aborted ? new ObjectError('timeout') : connectionFailure(error)
      } finally {
        limit.stop()
        body?.destroy()
      }
    },
    close: () => agent.destroy(),
  }
}

/** Aborts a request that takes longer than a time, milliseconds, or during which its socket is silent. */
function timeLimit(time: number, clock: Clock & Timers) {
  const abort = new AbortController()
  let socket: Socket | undefined
  let bytes = 0
  let movedAt = clock.elapsed()
  const stopTimer = clock.after(time, () => abort.abort())
  const stopWatching = clock.every(silence / 4, () => {
    const now = socket ? socket.bytesRead + socket.bytesWritten : 0
    if (now === bytes && clock.elapsed() - movedAt >= silence) abort.abort()
    if (now !== bytes) movedAt = clock.elapsed()
    bytes = now
  })
  return {
    signal: abort.signal,
    watch: (of: Socket) => void (socket = of),
    stop() {
      stopTimer()
      stopWatching()
    },
  }
}

/** What was to be sent can't be read, which isn't a failure of the storage. */
class BodyError extends Error {
  override readonly cause: Error

  constructor(cause: Error) {
    super()
    this.cause = cause
  }
}

const encoded = (part: string): string =>
  encodeURIComponent(part).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

function send(
  open: (url: URL, options: RequestOptions) => ReturnType<typeof httpRequest>,
  url: URL,
  options: RequestOptions,
  body: Readable | undefined,
  onSocket: (socket: Socket) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = open(url, options)
    request.once('response', resolve)
    request.once('socket', onSocket)
    // Stays: after the response, the connection can still break.
    request.on('error', reject)
    // Whichever fails first: the one fails because of the other.
    body?.once('error', (error) => reject(new BodyError(error)))
    if (body) pipeline(body, request, (error) => error && reject(error))
    else request.end()
  })
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length >= errorBytes) break
  }
  return text.slice(0, errorBytes)
}

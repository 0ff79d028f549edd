import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { onTestFinishedOrLater } from './cleanups.ts'

export const s3Account = {
  region: 'eu-test-1',
  bucket: 'cameras',
  accessKeyId: 'gatehouse-key',
  secretAccessKey: 'secret/of_the=storage',
}

interface Stored {
  data: Buffer
  readonly modifiedAt: number
}

/** Handles a request instead of the server. @returns false: the server handles it */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>

/** An S3-compatible server that checks signatures, times and checksums by itself, and can be made to fail. */
export interface S3Server {
  readonly endpoint: string
  readonly port: number
  /** By key, without the bucket. */
  readonly objects: Map<string, Stored>
  /** `GET key`, in order. */
  readonly requests: readonly string[]
  /** Largest number of PUT requests in progress. */
  readonly maxWrites: () => number
  /** false: like a storage that keeps no SHA-256 of its objects. */
  keepsChecksums: boolean
  /** Milliseconds that its clock is ahead. */
  ahead: number
  fault: Fault | undefined
  /** Number of open connections, which it keeps for a minute. */
  connections(): Promise<number>
  close(): Promise<void>
  /** Listens again, on the same port. */
  open(): Promise<void>
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

export async function startS3(now: () => number = Date.now): Promise<S3Server> {
  const objects = new Map<string, Stored>()
  const requests: string[] = []
  let writes = 0
  let maxWrites = 0
  const http = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://storage')
    const [, bucket, ...path] = url.pathname.split('/').map(decodeURIComponent)
    const key = path.join('/')
    const method = request.method ?? ''
    requests.push(`${method} ${key}`)
    if (method === 'PUT') maxWrites = Math.max(maxWrites, ++writes)
    try {
      if (await server.fault?.(request, response)) return
      const refusal = refusalOf(request, url, now() + server.ahead)
      if (refusal) return send(response, 403, refusal)
      if (bucket !== s3Account.bucket) return send(response, 404, 'NoSuchBucket')
      await respond(request, response, method, key, url)
    } finally {
      if (method === 'PUT') writes--
    }
  }

  const respond = async (
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    key: string,
    url: URL,
  ): Promise<void> => {
    if (method === 'PUT') return put(request, response, key)
    if (method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (key === '') return void response.end(page(url.searchParams))
    const found = objects.get(key)
    if (!found) return send(response, 404, 'NoSuchKey', method === 'HEAD')
    const wantsChecksum = request.headers['x-amz-checksum-mode'] === 'ENABLED' && server.keepsChecksums
    const checksum = wantsChecksum ? { 'x-amz-checksum-sha256': sha256(found.data).toString('base64') } : {}
    response.writeHead(200, { 'content-length': found.data.length, ...checksum })
    response.end(method === 'HEAD' ? undefined : found.data)
  }

  const put = async (request: IncomingMessage, response: ServerResponse, key: string): Promise<void> => {
    if (request.headers['content-length'] === undefined) return send(response, 411, 'MissingContentLength')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const data = Buffer.concat(chunks)
    if (request.headers['x-amz-content-sha256'] !== sha256(data).toString('hex')) {
      return send(response, 400, 'XAmzContentSHA256Mismatch')
    }
    objects.set(key, { data, modifiedAt: now() })
    response.end()
  }

  /** Two objects each, so that lists have several pages. */
  const page = (query: URLSearchParams): string => {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const entries = keys.slice(0, 2).map((key) => {
      const modified = new Date(objects.get(key)!.modifiedAt).toISOString()
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${modified}</LastModified></Contents>`
    })
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${entries.join('')}</ListBucketResult>`
  }

  const listen = async (port: number): Promise<number> => {
    http.listen(port, '127.0.0.1')
    await once(http, 'listening')
    return (http.address() as AddressInfo).port
  }
  const close = async (): Promise<void> => {
    if (!http.listening) return
    const closed = once(http, 'close')
    http.close()
    http.closeAllConnections()
    await closed
  }
  http.keepAliveTimeout = 60_000
  const port = await listen(0)
  onTestFinishedOrLater(close)
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    objects,
    requests,
    maxWrites: () => maxWrites,
    keepsChecksums: true,
    ahead: 0,
    fault: undefined,
    connections: () => promisify(http.getConnections.bind(http))(),
    close,
    open: async () => void (await listen(port)),
  }
  return server
}

/** The section `storage` for a server. */
export const storageOf = ({ endpoint }: S3Server, more: Record<string, unknown> = {}, tier: object = {}) => ({
  s3: {
    endpoint,
    region: s3Account.region,
    bucket: s3Account.bucket,
    access_key_id: s3Account.accessKeyId,
    secret_access_key: s3Account.secretAccessKey,
    ...more,
  },
  tier,
})

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** AWS Signature Version 4. @returns the code of the error; undefined: the request is signed */
function refusalOf(request: IncomingMessage, url: URL, now: number): string | undefined {
  const {
    authorization = '',
    'x-amz-date': date = '',
    'x-amz-content-sha256': payload = '',
  } = request.headers as Record<string, string | undefined>
  const [, id, day, region, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  if (signature === undefined || !day || !region) return 'AccessDenied'
  if (id !== s3Account.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== s3Account.region) return 'AuthorizationHeaderMalformed'
  const time = Date.parse(date.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(time - now) <= 15 * 60_000)) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  for (const name of Object.keys(request.headers)) {
    if ((name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name)) return 'AccessDenied'
  }
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const canonical = [
    request.method,
    path.join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical).toString('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${s3Account.secretAccessKey}`))
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

export function send(response: ServerResponse, status: number, code: string, isHead = false): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(isHead ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock, Timers } from '../shared/time/clock.ts'
import { ObjectError, type ObjectContents, type Objects } from '../shared/storage/objects.ts'
import { objectPageOf } from './object-list.ts'
import { s3Connection } from './s3-request.ts'
import type { S3Settings } from './storage.config.ts'

export interface S3Client extends Pick<Objects, 'put' | 'get' | 'remove' | 'list'> {
  close(): void
}

/** Milliseconds that a request without contents may take. */
const short = 30_000

/** Slowest transfer that is worth waiting for, bytes per millisecond. */
const slowest = 64

/** Bytes of a page of a list: 1000 keys of 1024 bytes, percent-encoded, with what surrounds them. */
const pageBytes = 4 << 20

const durationOf = ({ bytes }: ObjectContents): number => short + Math.ceil(bytes / slowest)

/**
 * What Gatehouse needs of S3. The bucket is in the path of the URL, which every compatible storage understands.
 * Nothing that the storage sends is trusted: sizes are limited, and contents are compared with their checksum.
 */
export function s3Client(settings: S3Settings, clock: Clock & Timers): S3Client {
  const { prefix } = settings
  const connection = s3Connection(settings, clock)

  /** @param take called with each chunk, which is counted and hashed too */
  const read = async (
    key: string,
    contents: ObjectContents,
    take: (chunk: Buffer) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const request = { method: 'GET', key: prefix + key, timeout: durationOf(contents), signal } as const
    const hash = await connection.request(request, (response) => checkedBody(response, contents, take))
    if (hash.digest('hex') !== contents.sha256) throw new ObjectError('damaged', 'checksum')
  }

  /** Compares the checksum that the storage computed; if it has none, reads the object. */
  const verify = async (key: string, contents: ObjectContents, signal: AbortSignal | undefined): Promise<void> => {
    const headers = { 'x-amz-checksum-mode': 'ENABLED' }
    const request = { method: 'HEAD', key: prefix + key, headers, timeout: short, signal } as const
    const found = await connection.request(request, (response) => Promise.resolve(response.headers))
    if (Number(found['content-length']) !== contents.bytes) throw new ObjectError('damaged', 'length')
    const checksum = found['x-amz-checksum-sha256']
    if (checksum === undefined) return read(key, contents, () => {}, signal)
    if (checksum !== base64Of(contents)) throw new ObjectError('damaged', 'checksum')
  }

  return {
    async put(key, contents, open, signal) {
      const headers = {
        'content-length': String(contents.bytes),
        'content-type': 'video/mp4',
        'x-amz-checksum-sha256': base64Of(contents),
      }
      const { sha256 } = contents
      const body = await open()
      await connection.request(
        { method: 'PUT', key: prefix + key, headers, sha256, body, timeout: durationOf(contents), signal },
        drained,
      )
      await verify(key, contents, signal)
    },
    async get(key, contents, signal) {
      const data = Buffer.allocUnsafe(contents.bytes)
      let length = 0
      await read(key, contents, (chunk) => void (length += chunk.copy(data, length)), signal)
      return data
    },
    async remove(key, signal) {
      const request = { method: 'DELETE', key: prefix + key, timeout: short, signal } as const
      await connection.request(request, drained).catch((error: unknown) => {
        if (!(error instanceof ObjectError && error.problem === 'missing')) throw error
      })
    },
    async *list(start, signal) {
      const query = { 'list-type': '2', 'encoding-type': 'url', prefix: prefix + start }
      for (let after = ''; ;) {
        const { objects, more } = await connection.request(
          {
            method: 'GET',
            key: '',
            query: after === '' ? query : { ...query, 'start-after': after },
            timeout: short,
            signal,
          },
          async (response) => objectPageOf(await textOf(response)),
        )
        yield objects
          .filter(({ key }) => key.startsWith(prefix + start) && isPlainKey(key))
          .map((each) => ({ ...each, key: each.key.slice(prefix.length) }))
        const last = objects.at(-1)?.key
        if (!more || last === undefined) return
        // A storage that repeats itself would never end.
        if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw new ObjectError('unexpected', 'list')
        after = last
      }
    },
    close: connection.close,
  }
}

/** Whether a URL with the key names this very object: someone else's key with `..` would name another one. */
const isPlainKey = (key: string): boolean => !/(^|\/)(\.{0,2})(\/|$)/.test(key)

const base64Of = ({ sha256 }: ObjectContents): string => Buffer.from(sha256, 'hex').toString('base64')

/** Reads a body of a known length. @throws ObjectError `damaged` if it's shorter or longer */
async function checkedBody(
  response: IncomingMessage,
  { bytes }: ObjectContents,
  take: (chunk: Buffer) => void,
): Promise<Hash> {
  const hash = createHash('sha256')
  const announced = response.headers['content-length']
  if (announced !== undefined && Number(announced) !== bytes) throw new ObjectError('damaged', 'length')
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytes) throw new ObjectError('damaged', 'length')
    hash.update(chunk)
    take(chunk)
  }
  if (length < bytes) throw new ObjectError('damaged', 'length')
  return hash
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > pageBytes) throw new ObjectError('unexpected', 'list')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads a body that says nothing. */
async function drained(response: IncomingMessage): Promise<void> {
  await textOf(response)
}

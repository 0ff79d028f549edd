/** An object storage that answers with anything but what was stored: it is outside, and its responses are not trusted. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createObjectStorage } from '../server/src/object-storage/object-storage.ts'
import { ObjectError, type Objects, type StorageProblem } from '../server/src/shared/storage/objects.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { silent } from '../server/test/support/null-log.ts'
import { startS3, storageOf, type S3Server } from '../server/test/support/s3-server.ts'
import { createTestClock } from '../server/test/support/test-clock.ts'

const video = randomBytes(100_000)
const contents = { bytes: video.length, sha256: createHash('sha256').update(video).digest('hex') }

let s3: S3Server
let objects: Objects & { stop(): void }
/** Connections to an address that only the storage names. */
let elsewhere = 0
let elsewherePort = 0

beforeAll(async () => {
  const listener = createServer((socket) => {
    elsewhere++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  listener.unref()
  elsewherePort = (listener.address() as AddressInfo).port
  s3 = await startS3()
  const { s3: settings } = storageOf(s3)
  objects = createObjectStorage({
    settings: () => ({ s3: { prefix: '', ...settings }, tier: { after_hours: 24, max_gb: null } }),
    clock: createTestClock({ now: Date.now(), runs: true }),
    log: silent,
  })
})
afterAll(async () => {
  objects.stop()
  await stopAll()
})

const problemOf = (work: Promise<unknown>): Promise<StorageProblem | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ObjectError ? error.problem : Promise.reject(error as Error)),
  )

const listed = async (): Promise<string[]> => {
  const keys: string[] = []
  for await (const page of objects.list('recordings/v/')) keys.push(...page.map(({ key }) => key))
  return keys
}

type Responder = (response: ServerResponse, request: IncomingMessage) => void

/** Writes until the client hangs up. */
const endless: Responder = (response) => {
  response.flushHeaders()
  const write = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(64 << 10, '<Contents>')));
  }
  response.on('drain', write)
  write()
}

const list =
  (inside: string): Responder =>
  (response) =>
    void response.end(`<?xml version="1.0"?>${inside}`)

const bomb = `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`

const reads: readonly (readonly [string, string, Responder, StorageProblem])[] = [
  [
    'redirects elsewhere',
    'CWE-918',
    (response) => void response.writeHead(307, { location: `http://127.0.0.1:${elsewherePort}/` }).end(),
    'redirected',
  ],
  [
    'sends another length',
    'CWE-130',
    (response) => void response.writeHead(200, { 'content-length': 10 }).end('0123456789'),
    'damaged',
  ],
  ['ends early', 'CWE-130', (response) => void response.end(video.subarray(1)), 'damaged'],
  ['sends a body without end', 'CWE-400', endless, 'damaged'],
  ['sends other content', 'CWE-354', (response) => void response.end(randomBytes(video.length)), 'damaged'],
  [
    'sends an error without end',
    'CWE-400',
    (response, request) => {
      response.statusCode = 500
      endless(response, request)
    },
    'unexpected',
  ],
  [
    'sends a page with scripts',
    'CWE-79',
    (response) => void response.writeHead(403).end('<script>alert(1)</script>'),
    'denied',
  ],
]

describe('[NODE-5] a storage that', () => {
  test.each(reads)('%s (%s) shows nothing', async (_, _source, respond, problem) => {
    s3.fault = (request, response) => {
      respond(response, request)
      return true
    }
    const reading = objects.get('recordings/v/one', contents)
    expect(await problemOf(reading)).toBe(problem)
    expect(elsewhere).toBe(0)
  })

  const lists: readonly (readonly [string, string, Responder, StorageProblem | readonly string[]])[] = [
    ['sends a list without end', 'CWE-400', endless, 'unexpected'],
    [
      'repeats a page forever',
      'CWE-835',
      list(
        '<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>recordings/v/a</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>',
      ),
      'unexpected',
    ],
    [
      'sends entities that expand',
      'CWE-776',
      list(
        `${bomb}<ListBucketResult><Contents><Key>recordings/v/&b;&x;</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>`,
      ),
      ['recordings/v/&b;&x;'],
    ],
    [
      'lists keys of others',
      'CWE-639',
      list(
        '<ListBucketResult><Contents><Key>recordings/other/a</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>',
      ),
      [],
    ],
    [
      'begins many entries and ends one',
      'CWE-407',
      list(`<ListBucketResult>${'<Contents>'.repeat(300_000)}</Contents></ListBucketResult>`),
      [],
    ],
    [
      'lists keys that lead elsewhere',
      'CWE-22',
      list(
        [
          'recordings/v/../../other/a',
          'recordings/v/../../../bucket/a',
          'recordings/v/./a',
          'recordings/v//a',
          'recordings/v/b',
        ]
          .map(
            (key) =>
              `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
          )
          .join('')
          .replace(/^/, '<ListBucketResult>'),
      ),
      ['recordings/v/b'],
    ],
    ['sends something else than a list', 'CWE-20', list('<html></html>'), 'unexpected'],
  ]
  test.each(lists)('%s (%s) gets no more than its list', async (_, _source, respond, expected) => {
    s3.fault = (request, response) => {
      respond(response, request)
      return true
    }
    if (typeof expected === 'string') expect(await problemOf(listed())).toBe(expected)
    else expect(await listed()).toEqual(expected)
  })
})

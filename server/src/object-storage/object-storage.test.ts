import type { ServerResponse } from 'node:http'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { send, startS3, storageOf, type S3Server } from '../../test/support/s3-server.ts'
import { createTestClock, type TestClock } from '../../test/support/test-clock.ts'
import type { Log } from '../shared/log.ts'
import { ObjectError, type ObjectContents, type Objects, type StorageProblem } from '../shared/storage/objects.ts'
import { createObjectStorage } from './object-storage.ts'

interface Fixture {
  readonly s3: S3Server
  readonly objects: Objects & { stop(): void }
  /** What was logged, as text. */
  readonly logged: string[]
  put(key: string, data: Buffer): Promise<ObjectContents>
}

const contentsOf = (data: Buffer): ObjectContents => ({
  bytes: data.length,
  sha256: createHash('sha256').update(data).digest('hex'),
})

async function fixture(more: Record<string, unknown> = {}, clock?: TestClock): Promise<Fixture> {
  const s3 = await startS3()
  const logged: string[] = []
  const note = (fields: object, message: string) => {
    const { err } = fields as { err?: Error }
    logged.push(`${message} ${JSON.stringify({ ...fields, err: err && `${err.message} ${String(err.cause)}` })}`)
  }
  const log = { info: note, warn: note, error: note, debug: note } as unknown as Log
  const settings = { prefix: '', ...storageOf(s3).s3, ...more }
  const objects = createObjectStorage({
    settings: () => ({ s3: settings, tier: { after_hours: 1, max_gb: null } }),
    clock: clock ?? createTestClock({ now: Date.now(), runs: true }),
    log,
  })
  return {
    s3,
    objects,
    logged,
    async put(key, data) {
      const contents = contentsOf(data)
      await objects.put(key, contents, () => Promise.resolve(Readable.from([data], { objectMode: false })))
      return contents
    },
  }
}

const problemOf = (work: Promise<unknown>): Promise<StorageProblem | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ObjectError) return error.problem
      throw error
    },
  )

const listed = async (objects: Objects, prefix: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const page of objects.list(prefix)) keys.push(...page.map(({ key }) => key))
  return keys
}

const video = randomBytes(300_000)

test('[NODE-5] an object is stored below the prefix, read, listed over several pages and removed', async () => {
  const { s3, objects, put } = await fixture({ prefix: 'house/' })
  s3.objects.set('another/recordings/v/x.mp4', { data: video, modifiedAt: 0 })
  const keys = ['a b+c', "é~!'()*", 'x1', 'x2', 'x3'].map((name) => `recordings/v/${name}.mp4`)
  for (const key of keys) await put(key, video)
  expect([...s3.objects.keys()].filter((key) => key.startsWith('house/recordings/v/'))).toHaveLength(5)
  expect((await objects.get(keys[1]!, contentsOf(video))).equals(video)).toBe(true)
  expect(await listed(objects, 'recordings/v/')).toEqual(keys.toSorted())
  for (const key of keys) await objects.remove(key)
  await objects.remove(keys[0]!)
  expect([...s3.objects.keys()]).toEqual(['another/recordings/v/x.mp4'])
  expect(objects.status()).toEqual({ state: 'ok' })
  objects.stop()
})

test.each([true, false])(
  '[NODE-5] an upload whose object differs is not confirmed (checksums kept: %s)',
  async (keeps) => {
    const { s3, objects, put } = await fixture()
    s3.keepsChecksums = keeps
    s3.fault = (request) => {
      const stored = s3.objects.get('one')
      // As if the disk of the storage had changed a byte.
      if (request.method === 'HEAD' && stored) stored.data = Buffer.concat([stored.data.subarray(1), Buffer.of(0)])
      return false
    }
    expect(await problemOf(put('one', video))).toBe('damaged')
    s3.fault = undefined
    await put('one', video)
    expect(s3.requests.includes('GET one')).toBe(!keeps)
    objects.stop()
  },
)

const responses: readonly (readonly [StorageProblem, number, string])[] = [
  ['denied', 403, 'AccessDenied'],
  ['credentials', 403, 'InvalidAccessKeyId'],
  ['credentials', 403, 'SignatureDoesNotMatch'],
  ['clock', 403, 'RequestTimeTooSkewed'],
  ['no-bucket', 404, 'NoSuchBucket'],
  ['missing', 404, 'NoSuchKey'],
  ['full', 507, 'XMinioStorageFull'],
  ['full', 403, 'QuotaExceeded'],
  ['busy', 503, 'SlowDown'],
  ['redirected', 301, 'PermanentRedirect'],
  ['unexpected', 500, 'InternalError'],
  ['unexpected', 418, '<b>'],
]
test.each(responses)('[NODE-5] %s: the storage answers %i %s', async (problem, status, code) => {
  const { s3, objects } = await fixture()
  s3.fault = (_, response) => {
    send(response, status, code)
    return true
  }
  expect(await problemOf(objects.get('one', contentsOf(video)))).toBe(problem)
  objects.stop()
})

test('[NODE-5] wrong credentials, another bucket, a wrong clock and a storage that is unavailable are told apart', async () => {
  const wrong = await fixture({ secret_access_key: 'another' })
  expect(await problemOf(wrong.put('one', video))).toBe('credentials')
  const bucket = await fixture({ bucket: 'nothing' })
  expect(await problemOf(bucket.put('one', video))).toBe('no-bucket')
  const { s3, objects, put, logged } = await fixture()
  s3.ahead = 3_600_000
  expect(await problemOf(put('one', video))).toBe('clock')
  s3.ahead = 0
  await s3.close()
  for (let tries = 0; tries < 3; tries++) expect(await problemOf(put('one', video))).toBe('unreachable')
  expect(objects.status()).toMatchObject({ state: 'failing', problem: 'unreachable', since: expect.any(Number) })
  await s3.open()
  await put('one', video)
  expect(objects.status()).toEqual({ state: 'ok' })
  // Each problem once, and the end.
  expect(logged.map((line) => /object storage [a-z ]+/.exec(line)?.[0].trim())).toEqual([
    'object storage failing',
    'object storage failing',
    'object storage resumed',
  ])
  for (const line of [...logged, ...wrong.logged, ...bucket.logged]) {
    expect(line).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${s3.port}|cameras|gatehouse-key|AWS4|signature=`, 'i'))
  }
  for (const each of [wrong, bucket, { objects }]) each.objects.stop()
})

test('[NODE-5] a damaged object isn’t a failure of the storage', async () => {
  const { s3, objects, put } = await fixture()
  const contents = await put('one', video)
  s3.objects.get('one')!.data = Buffer.concat([video.subarray(1), Buffer.of(1)])
  expect(await problemOf(objects.get('one', contents))).toBe('damaged')
  expect(await problemOf(objects.get('two', contents))).toBe('missing')
  expect(objects.status()).toEqual({ state: 'ok' })
  objects.stop()
})

test('[NODE-5] two uploads at a time; reads do not wait for them', async () => {
  const { s3, objects, put } = await fixture()
  const contents = await put('one', video)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  s3.fault = async ({ method }) => {
    if (method === 'PUT') await held
    return false
  }
  const uploads = [1, 2, 3, 4, 5].map((number) => put(`many${number}`, video))
  await expect.poll(s3.maxWrites).toBe(2)
  expect((await objects.get('one', contents)).equals(video)).toBe(true)
  release()
  await Promise.all(uploads)
  expect(s3.maxWrites()).toBe(2)
  objects.stop()
})

test('[NODE-5] a file that cannot be read isn’t a failure of the storage', async () => {
  const { objects, logged } = await fixture()
  const broken = Readable.from(
    (async function* () {
      yield await Promise.resolve(video.subarray(0, 1000))
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    })(),
    { objectMode: false },
  )
  await expect(objects.put('one', contentsOf(video), () => Promise.resolve(broken))).rejects.toThrow('EIO')
  await expect(objects.put('one', contentsOf(video), () => Promise.reject(new Error('ENOENT')))).rejects.toThrow(
    'ENOENT',
  )
  expect([objects.status(), logged]).toEqual([{ state: 'ok' }, []])
  objects.stop()
})

test('[NODE-5] a request during which nothing is sent or received for 20 seconds ends, also in the middle of a response', async () => {
  const clock = createTestClock({ now: Date.now() })
  const { s3, objects } = await fixture({}, clock)
  const contents = contentsOf(Buffer.alloc(100_000))
  for (const begin of [() => {}, (response: ServerResponse) => void response.write(Buffer.alloc(500))]) {
    let isHeld = false
    s3.fault = (_, response) => {
      begin(response)
      return (isHeld = true)
    }
    let problem: unknown
    const reading = problemOf(objects.get('one', contents)).then((found) => (problem = found))
    await expect.poll(() => isHeld).toBe(true)
    await clock.advance(15_000)
    expect(problem).toBeUndefined()
    // Less than the 30 seconds that a whole response may take.
    await clock.advance(12_000)
    await reading
    expect(problem).toBe('timeout')
  }
  expect(clock.pending()).toBe(0)
})

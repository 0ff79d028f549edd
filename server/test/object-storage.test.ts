import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { linkPath, makeLink, openLink } from './support/make-link.ts'
import {
  fixture,
  moved,
  old,
  range,
  recent,
  refuse,
  segmentsOf,
  stored,
  type Fixture,
} from './support/recordings-to-move.ts'
import { s3Account, send, storageOf, type S3Server } from './support/s3-server.ts'
import { filesOf, indexOf } from './support/seen-recordings.ts'
import { changeDatabase } from './support/service-database.ts'
import { openDatabase } from './support/service-database.ts'
import type { Reply } from './support/test-client.ts'
import { advanceUntil } from './support/test-clock.ts'

const hour = 3_600_000

/** All ways in which a client reads the old segments. */
async function reads(made: Fixture): Promise<Reply[]> {
  const { guard, from, to } = made
  const segments = await segmentsOf(made)
  expect(segments).toHaveLength(old)
  const clip = `/api/cameras/yard/clip.mp4?start=${from + 3}&end=${to - 4}`
  return Promise.all([
    guard.get(`/api/cameras/yard/playback/${from}/${to}/index.m3u8`),
    guard.get(`/api/cameras/yard/timeline?${range({ from, to })}`),
    guard.get(`/api/cameras/yard/segments/${segments[0]!.id}/init.mp4`),
    ...segments.map(({ id }, number) => guard.get(`/api/cameras/yard/segments/${id}/video.m4s?at=${number * 10}`)),
    guard.get(clip),
    guard.get(clip, { range: 'bytes=1000-20000' }),
    guard.get(clip, { range: 'bytes=-500' }),
  ])
}

const place = (s3: S3Server): RegExp =>
  new RegExp(
    `127\\.0\\.0\\.1:${s3.port}|${s3.port}|${s3Account.accessKeyId}|${s3Account.secretAccessKey}|AWS4|x-amz`,
    'i',
  )

const bodies = (replies: readonly Reply[]): (string | number)[][] =>
  replies.map(({ status, body, headers }) => [status, String(headers['content-range']), body.toString('base64')])

test('[NODE-5] recordings move to the object storage, and play, are cut, exported and shared as before', async () => {
  const made = await fixture()
  const { s3, service, guard, from, to } = made
  const before = await reads(made)
  await moved(made)
  const after = await reads(made)
  expect(bodies(after)).toEqual(bodies(before))
  expect(before.map(({ status }) => status)).toEqual([...Array<number>(4 + old).fill(200), 206, 206])
  expect(after.map(({ headers }) => headers.etag)).toEqual(before.map(({ headers }) => headers.etag))
  expect(s3.requests.some((each) => each.startsWith('GET recordings/'))).toBe(true)
  // Those that are not a day old stay.
  expect([...filesOf(service).keys()].every((file) => existsSync(join(service.mediaDir, 'recordings', file)))).toBe(
    true,
  )

  const denied = await service.user('vera', 'guard')
  expect((await denied.get(`/api/cameras/door/recordings?${range(made)}`)).status).toBe(403)

  const { id } = (await guard.post('/api/exports', { camera: 'yard', start: from + 3, end: to - 4 })).json as {
    id: string
  }
  await advanceUntil(service.clock, async () =>
    expect((await guard.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }),
  )
  const admin = await service.user('boss', 'admin')
  const link = await makeLink(admin, { kind: 'history', camera: 'yard', start: from, end: to })
  const viewer = await openLink(service, link)
  const shared = await viewer.get(linkPath(link, 'playback/index.m3u8'))
  expect([shared.status, shared.text.match(/video\.m4s/g)?.length]).toEqual([200, old])
  const video = /segments\/\S+video\.m4s\S*/.exec(shared.text)![0]
  const sharedVideo = await viewer.get(linkPath(link, video))
  expect(sharedVideo.status).toBe(200)

  expect((await admin.get('/api/recordings/disk')).json).toMatchObject({
    object_storage: {
      bytes: expect.any(Number),
      state: 'ok',
      problem: null,
      limits: { after_hours: 24, max_gb: null },
    },
  })
  const seen = [...after, shared, sharedVideo, await admin.get('/api/recordings/disk'), await admin.get('/api/stats')]
  for (const reply of seen) {
    expect(JSON.stringify(reply.rawHeaders)).not.toMatch(place(s3))
    if (!String(reply.headers['content-type']).startsWith('video')) expect(reply.text).not.toMatch(place(s3))
  }
  expect(service.output()).not.toMatch(place(s3))
})

test('[NODE-5] [ROLE-4] what is in the object storage has the same access as before', async () => {
  const made = await fixture()
  const { service, guard } = made
  await moved(made)
  const [{ id } = { id: '' }] = await segmentsOf(made)
  const path = `/api/cameras/yard/segments/${id}/video.m4s?at=0`
  const count = made.s3.requests.length
  const other = await service.user('eve', 'other')
  expect((await other.get(path)).status).toBe(403)
  expect((await service.gate.get(path)).status).toBe(401)
  expect(made.s3.requests).toHaveLength(count)
  expect((await guard.get(path)).status).toBe(200)
})

/** The steps of a move, each with the request of the storage at which the service is killed. */
const kills: readonly (readonly [string, RegExp, boolean])[] = [
  ['before an upload', /^PUT/, false],
  ['after an upload, before its checksum is verified', /^HEAD/, false],
  ['after its checksum was verified, before its row is switched', /^HEAD/, true],
]
test.each(kills)('[NODE-5] a kill %s loses nothing and leaves nothing', async (_, pattern, answered) => {
  const made = await fixture()
  const { s3 } = made
  const before = bodies(await reads(made))
  let killing: Promise<void> | undefined
  s3.fault = async ({ method, url }) => {
    if (killing || !pattern.test(`${method} ${url}`)) return false
    killing = made.service.kill()
    // The response comes too late, or not at all.
    if (answered) return false
    await killing
    return false
  }
  await advanceUntil(made.service.clock, () => expect(killing).toBeDefined())
  await killing
  s3.fault = undefined
  made.service = await made.service.restart()
  await moved(made)
  expect(bodies(await reads(made))).toEqual(before)
  // An object of the killed run has the same key: the checksum of a file doesn't change.
  expect(stored(made)).toHaveLength(old)
})

test('[NODE-5] a file whose row was switched before a kill is removed; an object without a row, within a day', async () => {
  const made = await fixture()
  const { s3 } = made
  const file = [...filesOf(made.service).keys()].toSorted()[0]!
  const path = join(made.service.mediaDir, 'recordings', file)
  copyFileSync(path, join(made.service.dir, 'kept'))
  await moved(made)
  await made.service.stop()
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(join(made.service.dir, 'kept'), path)
  const [some = ''] = stored(made)
  const now = made.service.clock.now()
  const put = (key: string, age: number) => s3.objects.set(key, { data: Buffer.of(1), modifiedAt: now - age * hour })
  const orphan = (digit: string) => some.replace(/[0-9a-f]{64}\.mp4$/, `${digit.repeat(64)}.mp4`)
  const [lost, uploading] = [orphan('0'), orphan('1')]
  const others = ['recordings/another/x', some.replace(/[0-9a-f]{32}/, '0'.repeat(32)), `${some}.txt`, 'recordings.mp4']
  for (const key of [lost, ...others]) put(key, 7)
  put(uploading, 5)
  made.service = await made.service.restart()
  await advanceUntil(made.service.clock, () => expect(existsSync(path)).toBe(false))
  await advanceUntil(made.service.clock, () => expect(s3.objects.has(lost)).toBe(false), { step: 5000 })
  expect([...s3.objects.keys()]).toEqual(expect.arrayContaining([some, uploading, ...others]))
  expect(indexOf(made.service).size).toBe(old + recent)
})

/**
 * The index as a backup from before the upload has it. The objects are old enough for the sweep.
 *
 * @param change what else is different, SQL
 */
async function restoreOld(made: Fixture, change = ''): Promise<void> {
  await made.service.stop()
  const modifiedAt = made.service.clock.now() - 7 * hour
  for (const [key, { data }] of made.s3.objects) made.s3.objects.set(key, { data, modifiedAt })
  await changeDatabase(made.service, (database) => database.exec(`${change}; update recording set object = null`))
}

const sweptAt = 30 * 60_000

test.each([
  ['at once', 0],
  ['later, because at first it can’t be listed', sweptAt],
])(
  '[NODE-5] after a restore, recordings that moved since the backup are found in the object storage %s; none is dropped, no object deleted',
  async (_when, failing) => {
    const made = await fixture()
    const { s3 } = made
    const before = bodies(await reads(made))
    await moved(made)
    const objects = stored(made).toSorted()
    await restoreOld(made)
    if (failing > 0) s3.fault = (request, response) => request.url!.includes('list-type') && refuse(request, response)
    const service = (made.service = await made.service.restart())
    for (let passed = 0; passed < failing; passed += 60_000) await service.clock.advance(60_000)
    expect([stored(made).toSorted(), indexOf(service).size]).toEqual([objects, old + recent])
    s3.fault = undefined
    await advanceUntil(service.clock, () => expect(filesOf(service).size).toBe(recent), { step: 30_000 })
    for (let passed = 0; passed < sweptAt; passed += 60_000) await service.clock.advance(60_000)
    expect(s3.requests.filter((each) => each.startsWith('DELETE'))).toEqual([])
    expect([stored(made).toSorted(), indexOf(service).size]).toEqual([objects, old + recent])
    expect(bodies(await reads(made))).toEqual(before)
  },
)

test('[NODE-5] after a restore, the size limit of the disk deletes nothing that moved since the backup, whatever the object storage does', async () => {
  const made = await fixture()
  const { s3 } = made
  await moved(made)
  const objects = stored(made).toSorted()
  // More than the limit allows on the disk.
  await restoreOld(made, 'update recording set bytes = 20000000000 where object is not null')
  s3.fault = (request, response) => request.url!.includes('list-type') && refuse(request, response)
  const service = (made.service = await made.service.restart())
  for (let passed = 0; passed < sweptAt; passed += 60_000) await service.clock.advance(60_000)
  expect(indexOf(service).size).toBe(old + recent)
  s3.fault = undefined
  await advanceUntil(service.clock, () => expect(filesOf(service).size).toBe(recent), { step: 30_000 })
  for (let passed = 0; passed < sweptAt; passed += 60_000) await service.clock.advance(60_000)
  expect([stored(made).toSorted(), indexOf(service).size]).toEqual([objects, old + recent])
})

test('[NODE-5] while the storage is unavailable, recordings stay on the disk, those in it are unavailable, and the state is shown', async () => {
  const made = await fixture()
  const { s3, service } = made
  s3.fault = (request, response) => request.method === 'PUT' && stored(made).length >= 2 && refuse(request, response)
  const admin = await service.user('boss', 'admin')
  const state = async () =>
    ((await admin.get('/api/recordings/disk')).json as { object_storage: object }).object_storage
  await advanceUntil(service.clock, async () =>
    expect(await state()).toMatchObject({ state: 'failing', problem: 'busy' }),
  )
  // Until then, those that are stored are read from the disk.
  await advanceUntil(service.clock, () => expect(filesOf(service).size).toBeLessThanOrEqual(old + recent - 2))
  const logged = () => service.output().match(/object storage failing/g)!.length
  const before = logged()
  await s3.close()
  await advanceUntil(
    service.clock,
    async () => expect(await state()).toMatchObject({ problem: 'unreachable', since: expect.any(Number) }),
    { step: 5000 },
  )
  expect((await admin.get('/api/stats')).json).toMatchObject({ service: { object_storage: { state: 'failing' } } })
  expect((await admin.get('/api/metrics')).text).toMatch(/^gatehouse_object_storage_up 0$/m)
  const all = await reads(made)
  const unreachable = all.filter(({ status }) => status === 503)
  expect(unreachable.length).toBeGreaterThan(1)
  for (const { json, rawHeaders } of unreachable) {
    expect(json).toMatchObject({ reason: { code: 'recording-unreachable' } })
    expect(JSON.stringify([json, rawHeaders])).not.toMatch(place(s3))
  }
  // However often it is tried.
  expect(logged()).toBe(before + 1)
  s3.fault = undefined
  await s3.open()
  await moved(made)
  expect((await reads(made)).filter(({ status }) => status > 206)).toEqual([])
  expect(await state()).toMatchObject({ state: 'ok', problem: null, since: null })
  expect(service.output()).not.toMatch(place(s3))
})

test('[NODE-5] a damaged object is not played; it is logged once', async () => {
  const made = await fixture()
  const { s3, service, guard } = made
  await moved(made)
  const segments = await segmentsOf(made)
  const [key = ''] = stored(made).sort()
  const found = s3.objects.get(key)!
  found.data = Buffer.concat([found.data.subarray(0, -1), Buffer.of(found.data.at(-1)! ^ 1)])
  const path = `/api/cameras/yard/segments/${segments[0]!.id}/video.m4s?at=0`
  for (const { status, json } of [await guard.get(path), await guard.get(path)]) {
    expect([status, json]).toMatchObject([404, { reason: { code: 'recording-deleted' } }])
  }
  expect((await guard.get(path.replace(segments[0]!.id, segments[1]!.id))).status).toBe(200)
  expect(service.output().match(/recording in object storage lost/g)).toHaveLength(1)
  // What can't be read now may be readable again, for example after the bucket was restored.
  found.data = Buffer.concat([found.data.subarray(0, -1), Buffer.of(found.data.at(-1)! ^ 1)])
  expect((await guard.get(path)).status).toBe(200)
})

test('[NODE-5] retention and an admin remove objects, also those that the storage keeps at first', async () => {
  const made = await fixture()
  const { s3, service, from } = made
  await moved(made)
  s3.fault = ({ method }, response) => {
    if (method === 'DELETE') send(response, 403, 'AccessDenied')
    return method === 'DELETE'
  }
  const admin = await service.user('boss', 'admin')
  const deleted = await admin.delete(`/api/cameras/yard/recordings?after=${from}&before=${from + 20}`)
  expect(deleted.json).toMatchObject({ segments: 2 })
  expect(await segmentsOf(made)).toHaveLength(old - 2)
  await advanceUntil(service.clock, () => expect(s3.requests.some((each) => each.startsWith('DELETE'))).toBe(true))
  expect(stored(made)).toHaveLength(old)
  s3.fault = undefined
  await advanceUntil(service.clock, () => expect(stored(made)).toHaveLength(old - 2))
  const size = [...s3.objects.values()][0]!.data.length
  const section = storageOf(s3, {}, { after_hours: 24, max_gb: (2.5 * size) / 1e9 })
  expect((await changeConfig(service, { storage: section })).status).toBe(200)
  await advanceUntil(service.clock, () => expect(stored(made)).toHaveLength(2))
  expect((await changeConfig(service, { storage: section, recording: { retain_days: 1 } })).status).toBe(200)
  await advanceUntil(service.clock, () => expect(stored(made)).toHaveLength(0))
  expect(filesOf(service).size).toBe(recent)
})

test.each([
  ['before an object is deleted', false],
  ['after an object was deleted, before it is forgotten', true],
])('[NODE-5] a kill %s leaves no object behind, and deletes no other', async (_what, deletes) => {
  const made = await fixture()
  const { s3, from } = made
  await moved(made)
  let killing: Promise<void> | undefined
  s3.fault = async ({ method }) => {
    if (killing || method !== 'DELETE') return false
    killing = made.service.kill()
    if (deletes) return false
    await killing
    return true
  }
  const admin = await made.service.user('boss', 'admin')
  const deleted = await admin.delete(`/api/cameras/yard/recordings?after=${from}&before=${from + 20}`)
  expect(deleted.json).toMatchObject({ segments: 2 })
  await advanceUntil(made.service.clock, () => expect(killing).toBeDefined())
  await killing
  s3.fault = undefined
  made.service = await made.service.restart()
  await advanceUntil(made.service.clock, () => expect(stored(made)).toHaveLength(old - 2), { step: 1000 })
  expect(await segmentsOf(made)).toHaveLength(old - 2)
  for (const { id } of await segmentsOf(made))
    expect((await made.guard.get(`/api/cameras/yard/segments/${id}/init.mp4`)).status).toBe(200)
  const queued = () => {
    const database = openDatabase(made.service, { readOnly: true })
    const found = database.prepare('select count(*) as count from removed_object').get()
    database.close()
    return found?.['count']
  }
  await advanceUntil(made.service.clock, () => expect(queued()).toBe(0), { step: 1000 })
})

test('a stop of the service closes its connections to the object storage', async () => {
  const made = await fixture()
  await moved(made)
  const { s3 } = made
  const [first] = await segmentsOf(made)
  expect((await made.guard.get(`/api/cameras/yard/segments/${first!.id}/init.mp4`)).status).toBe(200)
  expect(await s3.connections()).toBeGreaterThan(0)
  await made.service.stop()
  await expect.poll(() => s3.connections(), { timeout: 5000 }).toBe(0)
})

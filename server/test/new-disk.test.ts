import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restore } from '../src/backup/restore.ts'
import { exportStore } from '../src/exports/export-store.sql.ts'
import type { StorageResponse } from '../src/recordings/storage.routes.ts'
import { testEntry } from './support/test-entry.ts'
import { openStore } from '../src/store/open.ts'
import { backUp, restoring } from './support/back-up.ts'
import { changeConfig } from './support/change-config.ts'
import { canCluster, startCluster } from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { silent } from './support/null-log.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { fixture, moved, old, range, recent, segmentsOf, stored, type Fixture } from './support/recordings-to-move.ts'
import { grayJpeg, seedReview } from './support/review-seed.ts'
import { storageOf } from './support/s3-server.ts'
import { filesOf, indexOf } from './support/seen-recordings.ts'
import { openDatabase } from './support/service-database.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceUntil } from './support/test-clock.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const minute = 60_000

/** A service whose old recordings are in the object storage, restored from a backup to a machine with a new disk. */
async function withNewDisk(
  backedUp: 'after they moved' | 'before they moved' = 'after they moved',
): Promise<Fixture & { readonly lost: string; readonly videos: readonly Buffer[] }> {
  const made = await fixture()
  if (backedUp === 'before they moved') await backUp(made.service, 'sqlite')
  await moved(made)
  const videos = await videosOf(made, made.guard)
  if (backedUp === 'after they moved') await backUp(made.service, 'sqlite')
  await made.service.stop()
  const lost = join(made.service.dir, 'lost')
  renameSync(made.service.mediaDir, lost)
  await restore(restoring(made.service))
  made.service = await made.service.restart()
  return Object.assign(made, { lost, videos })
}

/** The old segments, as a client gets them. */
async function videosOf(made: Fixture, client: TestClient): Promise<Buffer[]> {
  const found: Buffer[] = []
  for (const { id } of await segmentsOf({ ...made, guard: client })) {
    const { status, body } = await client.get(`/api/cameras/yard/segments/${id}/video.m4s?at=0`)
    expect(status).toBe(200)
    found.push(body)
  }
  return found
}

/** Everything of the camera that is listed. */
async function listed(made: Fixture, client: TestClient): Promise<number> {
  const last = made.service.clock.now() / 1000
  const spans = [
    [made.from - 5, made.to + 5],
    [last - 20_000, last],
  ]
  const all = await Promise.all(
    spans.map(([after, before]) => client.get(`/api/cameras/yard/recordings?after=${after}&before=${before}`)),
  )
  return all.flatMap(({ json }) => (json as { segments: unknown[] }).segments).length
}

const passing = async ({ service }: Fixture, time: number): Promise<void> => {
  for (let passed = 0; passed < time; passed += minute) await service.clock.advance(minute)
}

const notedIn = (service: InProcessService): unknown[] => {
  const db = openDatabase(service, { readOnly: true })
  const rows = db.prepare('select file from deleted_file').all()
  db.close()
  return rows
}

describe('[NODE-5] [OPS-1] after a restore to a machine with a new disk', () => {
  test('what is in the object storage is listed and plays, and what was only on the lost disk is marked', async () => {
    const made = await withNewDisk()
    const { service } = made
    const guard = await signIn(service.gate, 'gus')
    expect(await videosOf(made, guard)).toEqual(made.videos)
    expect(await listed(made, guard)).toBe(old + recent)
    const { from, to } = made
    expect((await guard.get(`/api/cameras/yard/clip.mp4?start=${from}&end=${to}`)).status).toBe(200)
    const playlist = await guard.get(`/api/cameras/yard/playback/${from}/${to}/index.m3u8`)
    expect(playlist.text.match(/video\.m4s/g)).toHaveLength(old)

    const now = service.clock.now() / 1000
    const lately = `after=${now - 20_000}&before=${now}`
    const { json } = await guard.get(`/api/cameras/yard/timeline?${lately}`)
    const { spans, unavailable } = json as { spans: { start: number; end: number }[]; unavailable: unknown[] }
    expect([spans.length, unavailable]).toEqual([1, spans])
    const start = spans[0]!.start * 1000
    expect(await guard.get(`/api/cameras/yard/segments/${start}/video.m4s?at=0`)).toMatchObject({
      status: 503,
      json: { reason: { code: 'recordings-disk-missing' } },
    })
    const missing = { status: 503, json: { reason: { code: 'recordings-disk-missing' } } }
    const lost = `${spans[0]!.start}/${spans[0]!.end}`
    expect(await guard.get(`/api/cameras/yard/playback/${lost}/index.m3u8`)).toMatchObject(missing)
    const clip = await guard.get(`/api/cameras/yard/clip.mp4?start=${spans[0]!.start}&end=${spans[0]!.end}`)
    expect(clip).toMatchObject(missing)
    // It may never come back, so that the queue of exports would wait forever.
    expect(await service.internal.post('/api/exports', { camera: 'yard', ...spans[0]! })).toMatchObject(missing)
    const summary = await guard.get(`/api/cameras/yard/recordings/summary?after=${from - 86_400}&before=${now}`)
    const { days } = summary.json as { days: { seconds: number; unavailable?: number }[] }
    const sum = (of: 'seconds' | 'unavailable') => days.reduce((all, day) => all + (day[of] ?? 0), 0)
    expect([sum('seconds'), sum('unavailable')]).toEqual([(old + recent) * 10, recent * 10])
  })

  test('what moved after the backup was made is found in the object storage', async () => {
    const made = await withNewDisk('before they moved')
    const { service, from } = made
    const guard = await signIn(service.gate, 'gus')
    const path = `/api/cameras/yard/recordings/summary?after=${from - 86_400}&before=${service.clock.now() / 1000}`
    const unavailable = async () => {
      const { days } = (await guard.get(path)).json as { days: { unavailable?: number }[] }
      return days.reduce((sum, day) => sum + (day.unavailable ?? 0), 0)
    }
    await advanceUntil(service.clock, async () => expect(await unavailable()).toBe(recent * 10))
    expect(await videosOf(made, guard)).toEqual(made.videos)
    expect(service.output()).toMatch(/"count":6.*recordings of a missing disk found in object storage/)
    expect(stored(made)).toHaveLength(old)
  })

  test('access is as before: by camera, and by the days of a role', async () => {
    const made = await withNewDisk()
    const { service } = made
    const other = await service.user('eve', 'other')
    const [{ id } = { id: '' }] = await segmentsOf({ ...made, guard: service.internal })
    const segment = `/api/cameras/yard/segments/${id}/video.m4s?at=0`
    for (const path of [segment, `/api/cameras/yard/recordings?${range(made)}`]) {
      expect((await other.get(path)).status).toBe(403)
      expect((await service.gate.get(path)).status).toBe(401)
    }
    const roles = { guard: ['yard'], other: ['door'], short: { cameras: ['yard'], history_days: 1 } }
    expect((await changeConfig(service, { auth: { roles } })).status).toBe(200)
    const short = await service.user('sue', 'short')
    expect((await short.get(segment)).status).toBe(403)
    expect((await short.get(`/api/cameras/yard/recordings?${range(made)}`)).status).toBe(403)
    const now = service.clock.now() / 1000
    const { json } = await short.get(`/api/cameras/yard/recordings?after=${now - 80_000}&before=${now}`)
    expect((json as { segments: unknown[] }).segments).toHaveLength(recent)
  })

  test('Settings > Storage counts them, and an admin deletes them', async () => {
    const made = await withNewDisk()
    const { service, s3, from } = made
    const admin = service.internal
    const bytes = () => [...s3.objects.values()].reduce((sum, { data }) => sum + data.length, 0)
    const yard = async () => {
      const { cameras } = (await admin.get('/api/recordings/storage')).json as StorageResponse
      return cameras.find(({ id }) => id === 'yard')
    }
    const stats = async () =>
      ((await admin.get('/api/recordings/disk')).json as { object_storage: unknown }).object_storage
    await advanceUntil(service.clock, async () =>
      expect(await yard()).toMatchObject({ segments: old + recent, oldest: from, bytes: expect.any(Number) }),
    )
    expect(await stats()).toMatchObject({ bytes: bytes() })
    const deleted = await admin.delete(`/api/cameras/yard/recordings?after=${from}&before=${from + 20}`)
    expect(deleted.json).toMatchObject({ segments: 2 })
    expect(await segmentsOf({ ...made, guard: admin })).toHaveLength(old - 2)
    const summary = await admin.get(`/api/cameras/yard/recordings/summary?after=${from - 5}&before=${made.to + 5}`)
    const { days } = summary.json as { days: { seconds: number }[] }
    expect(days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe((old - 2) * 10)
    await advanceUntil(service.clock, () => expect(stored(made)).toHaveLength(old - 2), { step: 1000 })
    await advanceUntil(service.clock, async () => expect(await yard()).toMatchObject({ segments: old + recent - 2 }))
    expect(await stats()).toMatchObject({ bytes: bytes() })
  })

  test('they end by age: their objects are deleted, and the files of the lost disk once it’s back', async () => {
    const made = await withNewDisk()
    const { service } = made
    await passing(made, 25 * minute)
    expect([indexOf(service).size, stored(made).length]).toEqual([old + recent, old])
    // Of the camera, and of all.
    const cameras = { yard: { source: 'demo:yard', enabled: false, record: { retain_days: 1 } } }
    expect((await changeConfig(service, { cameras, recording: { retain_days: 30 } })).status).toBe(200)
    await advanceUntil(service.clock, () => expect(stored(made)).toEqual([]), { step: 10_000 })
    expect([indexOf(service).size, notedIn(service)]).toEqual([recent, []])
    expect(await listed(made, service.internal)).toBe(recent)
    expect(
      (await changeConfig(service, { cameras: { door: cameras.yard }, recording: { retain_days: 0.001 } })).status,
    ).toBe(200)
    await advanceUntil(service.clock, () => expect(indexOf(service).size).toBe(0), { step: 10_000 })
    expect(notedIn(service)).toHaveLength(recent)

    await service.stop()
    rmSync(service.mediaDir, { recursive: true })
    cpSync(made.lost, service.mediaDir, { recursive: true })
    expect(filesOf(service).size).toBe(recent)
    made.service = await service.restart()
    await advanceUntil(made.service.clock, () => expect(filesOf(made.service).size).toBe(0))
    await advanceUntil(made.service.clock, () =>
      expect([indexOf(made.service).size, notedIn(made.service)]).toEqual([0, []]),
    )
  })

  test('nothing is deleted by age while the clock isn’t trusted', async () => {
    const made = await withNewDisk()
    const { service } = made
    await service.clock.advance(1000)
    service.clock.setWallTime(service.clock.now() + 400 * 86_400_000)
    await passing(made, 55 * minute)
    expect(indexOf(service).size).toBe(old + recent)
    await advanceUntil(service.clock, () => expect(indexOf(service).size).toBe(0), { step: 10_000 })
  })

  test('the limit of the object storage is for them, too: they go first', async () => {
    const made = await withNewDisk()
    const { service, s3 } = made
    const size = Math.max(...[...s3.objects.values()].map(({ data }) => data.length))
    const storage = storageOf(s3, {}, { after_hours: 24, max_gb: (2.5 * size) / 1e9 })
    expect((await changeConfig(service, { storage })).status).toBe(200)
    await advanceUntil(service.clock, () => expect(stored(made)).toHaveLength(2), { step: 10_000 })
    await passing(made, 25 * minute)
    expect([stored(made).length, indexOf(service).size]).toEqual([2, 2 + recent])
  })
})

/** Adds a finished export of the yard and one in the queue to a service that doesn't run. @returns their ids */
async function withExports({ mediaDir, configDir }: InProcessService): Promise<[done: string, queued: string]> {
  const ids: [string, string] = ['a'.repeat(32), 'b'.repeat(32)]
  const volume = readFileSync(join(mediaDir, 'recordings', '.library'), 'utf8').trim()
  const database = await openStore({ url: 'sqlite', configDir, log: silent })
  const store = exportStore(database, volume)
  const at = Date.now() - 60 * minute
  const owner = { authMethod: 'password', key: 'otto', userId: 'id of otto' } as const
  const times = { start: at, end: at + 10_000, expected: 10_000, promised: 1000, createdAt: at - 24 * 60 * minute }
  for (const id of ids)
    await store.add({ id, camera: cameraKey('yard'), name: '', owner, createdBy: 'otto', ...times }, testEntry)
  writeFileSync(join(mediaDir, 'exports', `${ids[0]}.mp4`), 'video')
  await store.finish(ids[0], { bytes: 5, duration: 10_000 }, at)
  await database.close()
  return ids
}

const reviewed = async (client: TestClient) =>
  ((await client.get('/api/review')).json as { items: { id: string; seen: boolean }[] }).items
const exported = async (client: TestClient) =>
  ((await client.get('/api/exports')).json as { items: { id: string }[] }).items.map(({ id }) => id)

describe('[NODE-3] after a startup with a new disk', () => {
  const config = {
    tls: { enabled: false },
    auth: { roles: { guard: ['yard'], other: ['door'] } },
    cameras: { yard: { source: 'demo:yard', enabled: false }, door: { source: 'demo:door', enabled: false } },
  }
  /** A service with a new disk, whose review items and exports are on the lost one. */
  async function withItems() {
    const service = await startService({ config })
    const now = Date.now()
    const items = await seedReview(service, [
      { camera: 'yard', start: now - 3 * minute, jpeg: grayJpeg },
      { camera: 'yard', start: now - 2 * minute, jpeg: grayJpeg },
    ])
    await service.user('gus', 'guard')
    await service.user('eve', 'other')
    await service.stop()
    const [done, queued] = await withExports(service)
    const lost = join(service.dir, 'lost')
    renameSync(service.mediaDir, lost)
    return { service: await service.restart(), lost, items, done, queued }
  }

  test('review items and exports are shown to those who can see their camera, say that the disk is missing, and can be deleted', async () => {
    const { service, items, done, lost } = await withItems()
    const [older, newer] = items
    const guard = await signIn(service.gate, 'gus')
    const other = await signIn(service.gate, 'eve')
    expect((await reviewed(guard)).map(({ id }) => id)).toEqual([newer!.id, older!.id])
    expect(await reviewed(other)).toEqual([])
    expect((await other.get(`/api/review/${older!.id}`)).status).toBe(403)
    const shown = await guard.get(`/api/review/${older!.id}/thumbnail.jpg`)
    expect(shown).toMatchObject({ status: 503, json: { reason: { code: 'recordings-disk-missing' } } })
    expect(shown.headers['retry-after']).toBeUndefined()
    expect((await guard.put('/api/review/seen', { filter: {}, seen: true })).status).toBe(204)
    expect((await reviewed(guard)).every(({ seen }) => seen)).toBe(true)
    const { days } = (await guard.get('/api/review/summary')).json as { days: { total: number; unseen: number }[] }
    expect(days.map(({ total }) => total).reduce((sum, total) => sum + total)).toBe(2)
    expect(days.filter(({ unseen }) => unseen > 0)).toEqual([])

    expect(await exported(guard)).toContain(done)
    expect(await exported(other)).toEqual([])
    expect(await guard.get(`/api/exports/${done}/video.mp4`)).toMatchObject({
      status: 503,
      json: { reason: { code: 'exports-disk-missing' } },
    })
    for (const path of [`/api/review/${older!.id}`, `/api/exports/${done}`])
      expect((await service.internal.delete(path)).status).toBe(204)
    expect((await reviewed(guard)).map(({ id }) => id)).toEqual([newer!.id])
    expect(await exported(guard)).not.toContain(done)

    // What was deleted in the meantime is deleted from the disk once it's back.
    await service.stop()
    rmSync(service.mediaDir, { recursive: true })
    cpSync(lost, service.mediaDir, { recursive: true })
    const thumbnail = ({ id, start }: { id: string; start: number }) =>
      join(service.mediaDir, 'review', new Date(start).toISOString().slice(0, 10), `${id}.jpg`)
    const file = join(service.mediaDir, 'exports', `${done}.mp4`)
    expect([thumbnail(older!), file].map((each) => existsSync(each))).toEqual([true, true])
    const again = await service.restart()
    // A note is removed after its file.
    await advanceUntil(again.clock, () => expect(notedIn(again)).toEqual([]))
    expect([thumbnail(older!), file].map((each) => existsSync(each))).toEqual([false, false])
    expect(existsSync(thumbnail(newer!))).toBe(true)
  })

  test('review items and exports of another disk can be deleted while the own disk is missing', async () => {
    const { service, items, done } = await withItems()
    const own = (await seedReview(service, [{ camera: 'yard', jpeg: grayJpeg }]))[0]!
    for (const name of ['review', 'exports'])
      renameSync(join(service.mediaDir, name), join(service.mediaDir, `${name} away`))
    // Another device.
    symlinkSync('/proc', join(service.mediaDir, 'review'))
    const remove = async (path: string) => (await service.internal.delete(path)).status
    expect(await remove(`/api/review/${own.id}`)).toBe(503)
    expect(await remove(`/api/review/${items[0]!.id}`)).toBe(204)
    expect(await remove(`/api/exports/${done}`)).toBe(204)
    expect((await reviewed(service.internal)).map(({ id }) => id)).toEqual([own.id, items[1]!.id])
    expect(await exported(service.internal)).not.toContain(done)
    expect(notedIn(service)).toHaveLength(2)
  })

  test('an export that waited there ends, and review items end by age', async () => {
    const { service, queued } = await withItems()
    const stateOf = async () => ((await service.internal.get(`/api/exports/${queued}`)).json as { state: string }).state
    expect(await stateOf()).toBe('queued')
    await advanceUntil(service.clock, async () => expect(await stateOf()).toBe('failed'), { step: minute })
    expect((await changeConfig(service, { review: { retain_days: 0.001 } })).status).toBe(200)
    await advanceUntil(service.clock, async () => expect(await reviewed(service.internal)).toEqual([]), {
      step: 10_000,
    })
    expect(notedIn(service)).toHaveLength(3)
  })
})

const camera = (source: string) => ({ source, enabled: false })
const configWith = (source: string | undefined) => ({
  tls: { enabled: false },
  auth: { roles: { guard: ['yard', 'door'] } },
  cameras: { door: camera('demo:door'), ...(source !== undefined && { yard: camera(source) }) },
})

/** The number of segments that a client sees, or the status. */
const shown = async (client: TestClient) => {
  const now = Date.now() / 1000
  const reply = await client.get(`/api/cameras/yard/recordings?after=${now - 3600}&before=${now}`)
  return reply.status === 200 ? (reply.json as { segments: unknown[] }).segments.length : reply.status
}

describe('[CAM-4] on a new disk', () => {
  test('a camera doesn’t get what an earlier one with its name recorded, and no role gets it', async () => {
    const first = await startService({ config: configWith('demo:yard') })
    await first.stop()
    await writeRecordings(first.mediaDir, {
      camera: 'yard',
      start: Math.floor(Date.now() / 1000 - 600) * 1000,
      segments: 2,
    })
    const recorded = await first.restart()
    await recorded.printed(/recordings reconciled/)
    expect(await shown(recorded.internal)).toBe(2)
    await recorded.user('gus', 'guard')
    await (await recorded.restart({ config: configWith(undefined) })).stop()
    const replaced = await recorded.restart({ config: configWith('demo:office') })
    const guard = await signIn(replaced.gate, 'gus')
    expect([await shown(replaced.internal), await shown(guard)]).toEqual([0, 403])
    await replaced.stop()
    const library = join(replaced.mediaDir, 'recordings', '.library')
    const before = readFileSync(library, 'utf8')
    rmSync(replaced.mediaDir, { recursive: true })
    const again = await replaced.restart()
    expect([existsSync(library), readFileSync(library, 'utf8') === before]).toEqual([true, false])
    expect([await shown(again.internal), await shown(guard)]).toEqual([0, 403])
    // Its recordings are those of a removed camera, which ends by age.
    const removed = async () => {
      const { cameras } = (await again.internal.get('/api/recordings/storage')).json as StorageResponse
      return cameras.filter(({ configured }) => !configured)
    }
    // Counted in the background.
    await expect.poll(removed).toMatchObject([{ camera: 'yard', segments: 2 }])
    // The first camera, added again, has them.
    await (await again.restart({ config: configWith(undefined) })).stop()
    const back = await again.restart({ config: configWith('demo:yard') })
    expect(await shown(back.internal)).toBe(2)
  })
})

describe.skipIf(!canCluster)('an instance with PostgreSQL and without an address', () => {
  test('[NODE-3] shows what is on a disk that no instance has, and neither shows nor deletes anything of one that may be restarting', async () => {
    const config = { cameras: { yard: camera('demo:yard') } }
    const cluster = await startCluster({ count: 2, config, node: () => ({ address: null }) })
    const at = Math.floor(Date.now() / 1000) - 3600
    const ofOther = readFileSync(join(cluster.instances[1]!.service.mediaDir, 'recordings', '.library'), 'utf8').trim()
    for (const [nth, volume] of ['lost', ofOther].entries()) {
      const start = (at + nth * 100) * 1000
      await cluster.ask(
        `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, object)
          values ('${volume}', 'yard', ${start}, ${start + 10_000}, 1, 0, 0, 0, 'a.mp4', 'key-${nth}')`,
      )
    }
    // Volumes are looked for at a start.
    const service = await cluster.instances[0]!.service.restart()
    const { internal } = service
    const shown = async () => {
      const { json } = await internal.get(`/api/cameras/yard/recordings?after=${at - 60}&before=${at + 600}`)
      return (json as { segments: { start: number }[] }).segments.map(({ start }) => start - at)
    }
    expect(await shown()).toEqual([0])
    await cluster.instances[1]!.service.stop()
    const stateOfOther = async () => (await listInstances(service)).find(({ name }) => name === 'node-1')?.state
    await expect.poll(stateOfOther, { timeout: 60_000, interval: 100 }).toBe('away')
    // It may be restarting.
    expect(await shown()).toEqual([0])
    const { json } = await internal.delete(`/api/cameras/yard/recordings?after=${at + 50}&before=${at + 600}`)
    expect(json).toMatchObject({ segments: 0 })
    await cluster.ask(`update instance set seen_at = seen_at - 3600000 where name = 'node-1'`)
    await expect.poll(shown, { timeout: 60_000, interval: 100 }).toEqual([0, 100])
    const deleted = await internal.delete(`/api/cameras/yard/recordings?after=${at + 50}&before=${at + 600}`)
    expect(deleted.json).toMatchObject({ segments: 1 })
    expect(await shown()).toEqual([0])
  })
})

import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StorageResponse } from '../src/recordings/storage.routes.ts'
import { segmentOf } from '../src/recordings/segments/segment-file.ts'
import { segmentFile } from '../src/recordings/segments/segment-name.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster, type Cluster } from './support/cluster.ts'
import { listInstances } from './support/list-instances.ts'
import { stopwatch } from './support/own-time.ts'
import { grayJpeg } from './support/review-seed.ts'
import { makeSegment } from './support/seeded-recordings.ts'
import { decoded } from './support/seen-recordings.ts'
import type { InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const soon = { timeout: 120_000, interval: 100 }
const quiet = (name: string) => ({ source: `demo:${name}`, enabled: false })

/** Start of the recordings, Unix seconds. */
const first = Math.floor(Date.now() / 1000) - 3600
const span = `after=${first - 60}&before=${first + 1800}`
const rangePath = `${first - 60}/${first + 1800}`

interface PlacedSegment {
  /** Number of the instance. */
  readonly on: number
  readonly epoch: number
  /** Seconds after `first`. */
  readonly from: number
  readonly camera?: string
}

const playlist = async (client: TestClient, camera = 'yard') =>
  client.get(`/api/cameras/${camera}/playback/${rangePath}/index.m3u8`)
/** Starts of the segments in a playlist, seconds after `first`. */
const played = (text: string) =>
  [...text.matchAll(/(\d+)\/video\.m4s/g)].map(([, start]) => Math.round(Number(start) / 1000 - first))

/** A download that reads nothing until the cause. @returns milliseconds until it was cut, and the bytes that arrived */
async function cutAfter(client: TestClient, path: string, cause: () => Promise<unknown>) {
  const sent = request({ host: '127.0.0.1', port: client.port, path, headers: client.headers })
  sent.on('error', () => {})
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
  response.on('error', () => {})
  // It can be cut before the cause has its response.
  const closed = new Promise((done) => void response.once('close', done))
  await cause()
  const elapsed = stopwatch('gatehouse_cluster_')
  let bytes = 0
  response.on('data', (data: Buffer) => (bytes += data.length))
  await closed
  return { status: response.statusCode, took: elapsed(), bytes, isWhole: response.complete }
}

describe.skipIf(!canCluster)('recordings of several instances', () => {
  let cluster: Cluster<InProcessService>
  let sample: string
  let large: string
  const at = (nth: number) => cluster.instances[nth]!.service
  const folderOf = (nth: number) => join(at(nth).mediaDir, 'recordings')
  const volumeOf = (nth: number) => readFileSync(join(folderOf(nth), '.library'), 'utf8').trim()
  const pathOf = ({ on, from, camera = 'yard' }: PlacedSegment) =>
    join(folderOf(on), segmentFile(cameraKey(camera), (first + from) * 1000))

  /** Writes segments of ten seconds, each on the disk of its instance and into the index. @returns their bytes */
  async function place(segments: readonly PlacedSegment[], from = sample, volume?: string): Promise<number> {
    let bytes = 0
    for (const each of segments) {
      const { on, epoch, camera = 'yard' } = each
      const start = (first + each.from) * 1000
      const file = segmentFile(cameraKey(camera), start)
      mkdirSync(dirname(pathOf(each)), { recursive: true })
      copyFileSync(from, pathOf(each))
      const found = await segmentOf(folderOf(on), file)
      await cluster.ask(
        `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, epoch)
         values ('${volume ?? volumeOf(on)}', '${camera}', ${start}, ${found!.end}, ${found!.bytes}, ${found!.initBytes}, 0, ${start}, '${file}', ${epoch})`,
      )
      bytes += found!.bytes
    }
    return bytes
  }
  beforeAll(async () => {
    const dir = temporaryFolder()
    sample = join(dir, 'sample.mp4')
    large = join(dir, 'large.mp4')
    await makeSegment(sample, { seconds: 10, size: '160x120', bitrate: '60k' })
    await makeSegment(large, { seconds: 10, size: '640x480', bitrate: '12M' })
    cluster = await startCluster({
      config: {
        cameras: { yard: quiet('yard'), office: quiet('office') },
        auth: { roles: { guard: ['yard'] }, failed_login_rate_limit: null },
        export: { max_gb: null, max_gb_per_user: null },
      },
    })
  })
  afterAll(stopAll)
  /** Bytes of each instance. One that starts indexes what is on its disk, and counts after that. */
  const counted = async () => (await listInstances(at(0))).map(({ load }) => load?.recordings_bytes)
  beforeEach(async () => {
    await expect.poll(counted, soon).toEqual(Array(3).fill(expect.any(Number)))
    for (const table of ['recording', 'deleted_file', 'review_item', 'export'])
      await cluster.ask(`delete from ${table}`)
    for (const nth of [0, 1, 2])
      for (const day of readdirSync(folderOf(nth)).filter((name) => name.startsWith('20')))
        rmSync(join(folderOf(nth), day), { recursive: true })
  })
  /** Waits until each instance reaches the disks of the others. */
  const settled = async (segments: readonly PlacedSegment[]) => {
    const starts = segments.filter(({ camera = 'yard' }) => camera === 'yard').map(({ from }) => from)
    for (const { service } of cluster.instances)
      await expect.poll(async () => played((await playlist(service.internal)).text), soon).toEqual(starts)
  }

  const moved: readonly PlacedSegment[] = [
    { on: 0, epoch: 1, from: 0 },
    { on: 0, epoch: 1, from: 10 },
    // Begins while the one before still records.
    { on: 1, epoch: 2, from: 17 },
    { on: 1, epoch: 2, from: 27 },
    { on: 2, epoch: 3, from: 37 },
    { on: 0, epoch: 4, from: 47 },
  ]

  test('[NODE-3] a camera that moved three times plays as one history on every instance', async () => {
    await place(moved)
    await settled(moved)
    for (const { service } of cluster.instances) {
      const { port } = service.internal
      await expect
        .poll(async () => played((await playlist(service.internal)).text), soon)
        .toEqual([0, 10, 17, 27, 37, 47])
      const url = `http://127.0.0.1:${port}/api/cameras/yard`
      // Ten frames per second; what the second instance recorded too isn't played twice.
      expect(await decoded(`${url}/playback/${rangePath}/index.m3u8`)).toEqual({ frames: 570, complaints: '' })
      expect(await decoded(`${url}/clip.mp4?start=${first}&end=${first + 57}`)).toEqual({
        frames: 570,
        complaints: '',
      })
      const { json } = await service.internal.get(`/api/cameras/yard/timeline?${span}`)
      expect((json as { spans: unknown[] }).spans).toEqual([{ start: first, end: first + 57 }])
    }
    const clips = await Promise.all(
      cluster.instances.map(({ service }) =>
        service.internal.get(`/api/cameras/yard/clip.mp4?start=${first + 5}&end=${first + 50}`),
      ),
    )
    expect(clips.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(clips.map(({ body }) => body.toString('base64'))).size).toBe(1)
    const etag = clips[0]!.headers.etag ?? ''
    const part = await at(2).internal.get(`/api/cameras/yard/clip.mp4?start=${first + 5}&end=${first + 50}`, {
      range: 'bytes=1000-90000',
      'if-range': etag,
    })
    expect([part.status, part.body.equals(clips[0]!.body.subarray(1000, 90_001))]).toEqual([206, true])
  })

  test('[NODE-3] access is the same on every instance', async () => {
    await place([...moved, ...moved.map((each) => ({ ...each, camera: 'office' }))])
    await settled(moved)
    const guard = await at(0).user('guard1', 'guard')
    const start = (first + 37) * 1000
    for (const { service } of cluster.instances) {
      const client = service.gate.with(guard.headers)
      const statuses = async (camera: string) =>
        Promise.all(
          [
            `playback/${rangePath}/index.m3u8`,
            `segments/${start}/init.mp4`,
            `segments/${start}/video.m4s?at=0`,
            `clip.mp4?start=${first}&end=${first + 50}`,
            `timeline?${span}`,
          ].map((path) => statusOf(client, `/api/cameras/${camera}/${path}`)),
        )
      expect(await statuses('yard')).toEqual([200, 200, 200, 200, 200])
      expect(await statuses('office')).toEqual([403, 403, 403, 403, 403])
    }
  })

  test('[NODE-3] recordings deleted through another instance are deleted where they are', async () => {
    await place(moved)
    await settled(moved)
    expect(moved.every((each) => existsSync(pathOf(each)))).toBe(true)
    const deleted = await at(1).internal.delete(`/api/cameras/yard/recordings?${span}`)
    expect(deleted.json).toMatchObject({ segments: moved.length })
    for (const { service } of cluster.instances) expect((await playlist(service.internal)).status).toBe(404)
    await expect.poll(() => moved.filter((each) => existsSync(pathOf(each))), soon).toEqual([])
    await expect.poll(() => cluster.ask('select * from deleted_file'), soon).toEqual([])
  })

  test('[NODE-3] an export mixes volumes, and is listed, downloaded and deleted on every instance', async () => {
    await place(moved)
    await settled(moved)
    const made = await at(1).internal.post('/api/exports', { camera: 'yard', start: first, end: first + 57 })
    expect(made.status).toBe(202)
    const { id } = made.json as { id: string }
    const stateOn = async (nth: number) =>
      ((await at(nth).internal.get(`/api/exports/${id}`)).json as { state: string }).state
    for (const nth of [0, 1, 2]) await expect.poll(() => stateOn(nth), { ...soon, timeout: 60_000 }).toBe('done')
    const path = `/api/exports/${id}/video.mp4`
    const [here, elsewhere] = [await at(1).internal.get(path), await at(2).internal.get(path)]
    expect([here.status, elsewhere.status, here.body.equals(elsewhere.body)]).toEqual([200, 200, true])
    const part = await at(0).internal.get(path, { range: 'bytes=100-199' })
    expect([part.status, part.body.equals(here.body.subarray(100, 200))]).toEqual([206, true])
    const guard = await at(0).user('guard2', 'guard')
    expect((await at(2).gate.with(guard.headers).get(path)).status).toBe(200)
    expect((await at(2).internal.delete(`/api/exports/${id}`)).status).toBe(204)
    const file = join(at(1).mediaDir, 'exports', `${id}.mp4`)
    await expect.poll(() => existsSync(file), soon).toBe(false)
    for (const nth of [0, 1]) expect((await at(nth).internal.get(path)).status).toBe(404)
  })

  test('[NODE-3] review items of every instance are listed, with their thumbnails, and deleted', async () => {
    const start = (first + 20) * 1000
    const id = start.toString(16).padStart(12, '0') + 'a'.repeat(20)
    const folder = join(at(2).mediaDir, 'review', new Date(start).toISOString().slice(0, 10))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${id}.jpg`), grayJpeg)
    await cluster.ask(
      `insert into review_item (id, volume, camera, severity, start, "end", open, motion, box, thumbnail_at)
       values ('${id}', '${volumeOf(2)}', 'yard', 'alert', ${start}, ${start + 5000}, 0, 9, null, ${start})`,
    )
    await place(moved)
    await settled(moved)
    const guard = await at(1).user('guard3', 'guard')
    for (const { service } of cluster.instances) {
      const client = service.gate.with(guard.headers)
      expect((await client.get('/api/review')).json).toMatchObject({ items: [{ id, seen: false }] })
      const thumbnail = await client.get(`/api/review/${id}/thumbnail.jpg`)
      expect([thumbnail.status, thumbnail.body.equals(grayJpeg)]).toEqual([200, true])
    }
    const by = (nth: number) => at(nth).gate.with(guard.headers)
    expect((await by(0).put(`/api/review/${id}/seen`, { seen: true })).status).toBe(204)
    expect((await by(1).get('/api/review')).json).toMatchObject({ items: [{ id, seen: true }] })
    expect((await by(1).get('/api/review/summary')).json).toMatchObject({ days: [{ total: 1, unseen: 0 }] })
    expect((await by(0).delete(`/api/review/${id}`)).status).toBe(403)
    expect((await at(0).internal.delete(`/api/review/${id}`)).status).toBe(204)
    await expect.poll(() => existsSync(join(folder, `${id}.jpg`)), soon).toBe(false)
    expect((await by(2).get('/api/review')).json).toMatchObject({ items: [] })
  })

  test('[NODE-3] a download from another instance’s disk ends within a second of a revocation', async () => {
    const long = Array.from({ length: 12 }, (_, nth) => ({ on: 2, epoch: 1, from: nth * 10 }))
    await place(long, large)
    expect(statSync(large).size).toBeGreaterThan(2_000_000)
    await settled(long)
    const gil = await at(0).user('gil', 'guard')
    const path = `/api/cameras/yard/clip.mp4?start=${first}&end=${first + 120}`
    const cut = await cutAfter(at(1).gate.with(gil.headers), path, () => at(0).internal.delete('/api/users/gil'))
    expect(cut).toMatchObject({ status: 200, isWhole: false })
    expect(cut.took).toBeLessThan(1000)
  })

  test('[NODE-3] while an instance is unavailable its recordings are marked, and play when it is back', async () => {
    await place(moved)
    await settled(moved)
    await at(2).stop()
    const one = at(1).internal
    await expect.poll(async () => played((await playlist(one)).text), soon).toEqual([0, 10, 17, 27, 47])
    expect((await one.get(`/api/cameras/yard/timeline?${span}`)).json).toMatchObject({
      spans: [{ start: first, end: first + 57 }],
      unavailable: [{ start: first + 37, end: first + 47 }],
    })
    expect((await one.get(`/api/cameras/yard/recordings/summary?${span}`)).json).toMatchObject({
      days: [{ seconds: 60, unavailable: 10 }],
    })
    const elapsed = stopwatch('gatehouse_cluster_')
    for (const path of [`segments/${(first + 37) * 1000}/video.m4s?at=0`, `clip.mp4?start=${first}&end=${first + 57}`])
      expect(await one.get(`/api/cameras/yard/${path}`)).toMatchObject({
        status: 503,
        json: { reason: { code: 'instance-unreachable' } },
      })
    expect(elapsed()).toBeLessThan(5000)
    expect((await one.get(`/api/cameras/yard/clip.mp4?start=${first}&end=${first + 30}`)).status).toBe(200)
    // Deleted in the meantime, it is deleted when the instance is back, which doesn't add it again.
    await one.delete(`/api/cameras/yard/recordings?after=${first + 36}&before=${first + 48}`)
    const kept = { on: 2, epoch: 3, from: 300 }
    await place([kept])
    expect(existsSync(pathOf(moved[4]!))).toBe(true)
    cluster.instances[2]!.service = await at(2).restart()
    await expect.poll(() => existsSync(pathOf(moved[4]!)), soon).toBe(false)
    await expect.poll(async () => played((await playlist(one)).text), soon).toEqual([0, 10, 17, 27, 47, 300])
    expect(existsSync(pathOf(kept))).toBe(true)
  })

  test('[NODE-3] every instance shows how full the disk of each is, as it last reported while it is unavailable', async () => {
    const stored: readonly PlacedSegment[] = [
      { on: 2, epoch: 1, from: 0 },
      { on: 2, epoch: 1, from: 10, camera: 'office' },
    ]
    const bytes = await place(stored)
    // Recordings are counted at a start.
    cluster.instances[2]!.service = await at(2).restart()
    const shown = async () => (await listInstances(at(0))).find(({ name }) => name === 'node-2')
    const load = { recordings_bytes: bytes, objects_bytes: 0 }
    await expect.poll(shown, soon).toMatchObject({ state: 'running', load })
    const { disk_free_bytes: free, disk_total_bytes: total } = (await shown())!.load!
    expect(free).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(free!)
    // All of them are on this machine, whose disk counts once.
    const disks = (await listInstances(at(0))).map((each) => each.load?.disk_id)
    expect([disks.length, new Set(disks).size, disks[0]]).toEqual([3, 1, expect.any(String)])
    await at(2).stop()
    await expect.poll(shown, soon).toMatchObject({ state: 'away', load: { ...load, disk_total_bytes: total } })
    cluster.instances[2]!.service = await at(2).restart()
  })

  test('[NODE-3] how much of each camera is recorded counts what every instance has', async () => {
    await place([
      { on: 0, epoch: 1, from: 0 },
      { on: 2, epoch: 2, from: 17 },
      { on: 1, epoch: 3, from: 27 },
      { on: 1, epoch: 1, from: 40, camera: 'office' },
    ])
    const rows = await cluster.ask('select bytes from recording order by start')
    const [one, two, three, four] = rows.map(({ bytes }) => Number(bytes)) as [number, number, number, number]
    cluster.instances[2]!.service = await at(2).restart()
    const amounts = async () => {
      const { json } = await at(2).internal.get('/api/recordings/storage')
      return (json as StorageResponse).cameras.map(({ camera, bytes, segments, oldest, newest }) => {
        const times = [oldest, newest].map((time) => time && Math.round(time - first))
        return [camera, bytes, segments, ...times]
      })
    }
    const yard = ['yard', one + two + three, 3, 0, 37]
    await expect.poll(amounts, soon).toEqual([yard, ['office', four, 1, 40, 50]])
    // What is deleted through an instance is gone from its amounts at once.
    await at(2).internal.delete(`/api/cameras/office/recordings?after=${first + 36}&before=${first + 60}`)
    expect(await amounts()).toEqual([yard, ['office', 0, 0, null, null]])
  })

  test('[NODE-3] what an instance that was removed for good recorded ends by age; a running one’s volume is left to it', async () => {
    const tooOld = -8 * 86_400
    const [file, object, younger] = [tooOld, tooOld + 10, 0].map((from) => ({ on: 2, epoch: 1, from }))
    const ofRunning = { on: 1, epoch: 1, from: tooOld + 20 }
    await at(2).stop()
    // Its own retention ends there.
    renameSync(join(folderOf(1), '.library'), join(folderOf(1), '.kept'))
    const volumes = [volumeOf(2), readFileSync(join(folderOf(1), '.kept'), 'utf8').trim()]
    await place([file!, object!, younger!])
    await cluster.ask(`update recording set object = 'of-the-removed' where start = ${(first + object!.from) * 1000}`)
    rmSync(pathOf(object!))
    await place([ofRunning], sample, volumes[1])
    const starts = async () => {
      const rows = await cluster.ask('select volume, start from recording order by volume, start')
      return [2, 1].map((_, nth) =>
        rows.filter(({ volume }) => volume === volumes[nth]).map(({ start }) => Number(start) / 1000 - first),
      )
    }
    const all = [[tooOld, tooOld + 10, 0], [tooOld + 20]]
    const elevenMinutes = async () => {
      await at(0).clock.skip(11 * 60_000)
      at(0).clock.setWallTime(Date.now())
    }
    const stateOf = async () => (await listInstances(at(0))).find(({ name }) => name === 'node-2')
    await expect.poll(stateOf, soon).toMatchObject({ state: 'away' })
    await elevenMinutes()
    await elevenMinutes()
    expect(await starts()).toEqual(all)

    await cluster.ask(`update instance set seen_at = seen_at - 7200000 where name = 'node-2'`)
    await expect
      .poll(async () => Date.parse((await stateOf())!.last_seen_at), soon)
      .toBeLessThan(Date.now() - 3_600_000)
    await elevenMinutes()
    await expect.poll(starts, soon).toEqual([[0], [tooOld + 20]])
    expect(await cluster.ask('select key from removed_object')).toEqual([{ key: 'of-the-removed' }])
    expect(existsSync(pathOf(file!))).toBe(true)

    // It's back all the same.
    cluster.instances[2]!.service = await at(2).restart()
    await expect.poll(() => existsSync(pathOf(file!)), soon).toBe(false)
    expect([existsSync(pathOf(younger!)), await cluster.ask('select * from deleted_file')]).toEqual([true, []])
    renameSync(join(folderOf(1), '.kept'), join(folderOf(1), '.library'))
    cluster.instances[1]!.service = await at(1).restart()
    await expect.poll(starts, soon).toEqual([[0], []])
  })
})

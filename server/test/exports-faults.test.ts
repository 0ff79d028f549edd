import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Export, ExportPage } from '../src/exports/export-response.ts'
import { segmentFile } from '../src/recordings/segments/segment-name.ts'
import { stopAll } from './support/cleanups.ts'
import { holdExports } from './support/held-exports.ts'
import { canMount, mount } from './support/mounts.ts'
import { writeRecordings, shownBy } from './support/write-recordings.ts'
import { changeDatabase } from './support/service-database.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const held = holdExports()
const { hold, release } = held

let service: InProcessService
/** A service with a running camera. */
let filming: Promise<InProcessService>
/** Unix seconds at which the recordings begin. */
let start: number

beforeAll(async () => {
  filming = startService({ config: { cameras: { yard: { source: 'demo:yard' } } } })
  const empty = await startService({ held })
  await empty.stop()
  start = Math.floor(Date.now() / 1000) - 3600
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: start * 1000, segments: 8, audio: true })
  await writeRecordings(empty.mediaDir, { camera: 'door', start: start * 1000, segments: 3 })
  await writeRecordings(empty.mediaDir, { camera: 'office', start: start * 1000, segments: 2, codec: 'libx265' })
  service = await empty.restart()
  await service.printed(/recordings reconciled/)
})
afterAll(async () => {
  release()
  await stopAll()
})

const one = async (id: string, client: TestClient = service.internal): Promise<Export> =>
  (await client.get(`/api/exports/${id}`)).json as Export
const span = (from: number, to: number, camera = 'yard') => ({ camera, start: start + from, end: start + to })

async function requested(body: object, client: TestClient = service.internal): Promise<string> {
  const { status, text, json } = await client.post('/api/exports', body)
  expect(status, text).toBe(202)
  return (json as { id: string }).id
}
async function comesTo(id: string, condition: object, at: InProcessService = service): Promise<void> {
  await vi.waitFor(async () => expect(await one(id, at.internal)).toMatchObject(condition), {
    timeout: 60_000,
    interval: 50,
  })
}
const files = (at: InProcessService = service): string[] => readdirSync(join(at.mediaDir, 'exports')).sort()

async function plays(id: string, from: number, to: number): Promise<void> {
  const file = join(service.dir, `${id}.mp4`)
  writeFileSync(file, (await service.internal.get(`/api/exports/${id}/video.mp4`)).body)
  const { first, last } = await shownBy(file)
  expect(Math.abs(first - from)).toBeLessThan(0.1)
  expect(Math.abs(last - to)).toBeLessThan(0.1)
}

const rows = (change: string, ...values: string[]): Promise<void> =>
  changeDatabase(service, (database) => void database.prepare(change).run(...values))

test('after the service is stopped, a running export restarts, and that counts as no failed attempt', async () => {
  hold()
  const id = await requested(span(5, 12))
  await comesTo(id, { state: 'running' })
  // One more failed attempt would be the last.
  await rows('update export set tries = 3 where id = ?', id)
  for (let time = 0; time < 2; time++) {
    await comesTo(id, { state: 'running' })
    expect(await service.stop()).toBe(0)
    expect(openExports()).toEqual([])
    expect(files().filter((name) => name.endsWith('.part'))).toEqual([])
    service = await service.restart()
  }
  release()
  await comesTo(id, { state: 'done' })
})

test('an export that crashes the service each time is given up, with the reason', async () => {
  hold()
  const id = await requested(span(5, 12))
  await comesTo(id, { state: 'running' })
  await service.kill()
  await rows('update export set tries = 3 where id = ?', id)
  service = await service.restart()
  release()
  await comesTo(id, { state: 'failed', reason: { code: 'too-many-interruptions' } })
})

test('after a kill between file and row, the file is recognized; a missing file is reported; a canceled export is deleted, and after a week no longer reported', async () => {
  const [kept, gone, canceled] = [await requested(span(1, 5)), await requested(span(2, 6)), await requested(span(3, 7))]
  for (const id of [kept, gone, canceled]) await comesTo(id, { state: 'done' })
  await service.kill()
  await rows(
    "update export set state = 'running', bytes = null, duration = null, finished_at = null where id = ?",
    kept,
  )
  const week = 7 * 24 * 60 * 60_000
  const failed = `update export set state = 'failed', problem = '{"code":"canceled"}', finished_at = ? where id = ?`
  await rows(failed, String(Date.now() - week - 60_000), canceled)
  rmSync(join(service.mediaDir, 'exports', `${gone}.mp4`))
  const before = spawnSync('stat', ['-c', '%i %Y', join(service.mediaDir, 'exports', `${kept}.mp4`)]).stdout.toString()
  service = await service.restart()
  await comesTo(kept, { state: 'done' })
  expect((await one(kept)).duration).toBeCloseTo(4, 0)
  await comesTo(gone, { state: 'failed', reason: { code: 'file-missing' } })
  await vi.waitFor(() => expect(files()).not.toContain(`${canceled}.mp4`), 60_000)
  await vi.waitFor(
    async () => expect((await service.internal.get(`/api/exports/${canceled}`)).status).toBe(404),
    60_000,
  )
  const after = spawnSync('stat', ['-c', '%i %Y', join(service.mediaDir, 'exports', `${kept}.mp4`)]).stdout.toString()
  expect(after).toBe(before)
})

test('an export of a recording that cannot be read fails with the reason, and the next one succeeds', async () => {
  const file = join(service.mediaDir, 'recordings', segmentFile(cameraKey('yard'), (start + 10) * 1000))
  const whole = readFileSync(file)
  // The first fragment is no longer one.
  const broken = Buffer.from(whole)
  broken.write('what', broken.indexOf('moof'))
  writeFileSync(file, broken)
  const id = await requested(span(2, 30))
  await comesTo(id, { state: 'failed', progress: 0, reason: { code: 'muxing-failed' } })
  expect(files().some((name) => name.startsWith(id))).toBe(false)
  expect(openExports()).toEqual([])
  writeFileSync(file, whole)
  await comesTo(await requested(span(2, 30)), { state: 'done' })
})

test('[ROLE-11] its owner cancels a running and a waiting export; nothing of them is left', async () => {
  const gil = await service.user('gil')
  hold()
  const ids = [await requested(span(2, 30), gil), await requested(span(3, 31), gil), await requested(span(4, 32), gil)]
  await comesTo(ids[1]!, { state: 'running' })
  for (const id of [ids[2]!, ids[0]!]) {
    expect((await gil.post(`/api/exports/${id}/cancel`)).status).toBe(204)
    expect(await one(id)).toMatchObject({ state: 'failed', reason: { code: 'canceled' } })
    expect(files().some((name) => name.startsWith(id))).toBe(false)
  }
  // Deleting a running export deletes everything of it.
  expect((await service.internal.delete(`/api/exports/${ids[1]!}`)).status).toBe(204)
  expect((await service.internal.get(`/api/exports/${ids[1]!}`)).status).toBe(404)
  release()
  await comesTo(await requested(span(1, 3)), { state: 'done' })
  for (const id of ids) expect(files().some((name) => name.startsWith(id))).toBe(false)
  expect(await one(ids[0]!)).toMatchObject({ state: 'failed', reason: { code: 'canceled' } })
  await vi.waitFor(() => expect(openExports()).toEqual([]), { timeout: 60_000 })
})

test('an export fails if recordings are deleted while it waits: no file has a hole in it', async () => {
  hold()
  const running = [await requested(span(1, 3)), await requested(span(2, 4))]
  for (const id of running) await comesTo(id, { state: 'running' })
  // Retention deletes the file first: a kill in between leaves the row.
  const fileGone = await requested(span(2, 28, 'door'))
  const rowGone = await requested(span(12, 28, 'door'))
  const file = segmentFile(cameraKey('door'), (start + 10) * 1000)
  rmSync(join(service.mediaDir, 'recordings', file))
  release()
  for (const id of running) await comesTo(id, { state: 'done' })
  for (const id of [fileGone, rowGone]) {
    await comesTo(id, { state: 'failed', bytes: null, reason: { code: 'recording-deleted' } })
    expect(files().some((name) => name.startsWith(id))).toBe(false)
  }
  hold()
  const again = [await requested(span(1, 3)), await requested(span(2, 4))]
  for (const id of again) await comesTo(id, { state: 'running' })
  const later = await requested(span(21, 28, 'door'))
  await rows('delete from recording where file = ?', segmentFile(cameraKey('door'), (start + 20) * 1000))
  release()
  await comesTo(later, { state: 'failed', reason: { code: 'recording-deleted' } })
})

test('if a disk opens a file but cannot return its size, the file is closed', async () => {
  const id = await requested(span(1, 3))
  await comesTo(id, { state: 'done' })
  const path = `/api/exports/${id}/video.mp4`
  const handle = await open(process.execPath)
  await handle.close()
  const methods = Object.getPrototypeOf(handle) as typeof handle
  const failing = vi.spyOn(methods, 'stat').mockRejectedValue(Object.assign(new Error('EIO'), { code: 'EIO' }))
  onTestFinished(() => failing.mockRestore())
  const before = openExports()
  for (let time = 0; time < 5; time++) expect((await service.internal.get(path)).status).toBe(500)
  expect(openExports()).toEqual(before)
  failing.mockRestore()
  expect((await service.internal.get(path)).status).toBe(200)
})

/** The export files that the service has open. */
function openExports(): string[] {
  const folder = '/proc/self/fd'
  return readdirSync(folder)
    .flatMap((handle) => {
      try {
        return [readlinkSync(join(folder, handle))]
      } catch {
        // Closed since the listing.
        return []
      }
    })
    .filter((file) => file.includes('/exports/'))
}

test('H.265 stays H.265, with the codec tag that Apple’s players know', async () => {
  const id = await requested(span(3, 13, 'office'))
  await comesTo(id, { state: 'done' })
  const { body } = await service.internal.get(`/api/exports/${id}/video.mp4`)
  expect([body.includes('hvc1'), body.includes('hev1'), body.includes('avc1')]).toEqual([true, false, false])
  await plays(id, 3, 13)
})

test('an export waits for video that is still being recorded', async () => {
  const live = await filming
  await vi.waitFor(
    async () => expect((await live.internal.get('/api/cameras/yard')).json).toMatchObject({ recording: true }),
    { timeout: 60_000, interval: 200 },
  )
  const from = Date.now() / 1000 + 1
  await vi.waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(from + 3), { timeout: 60_000, interval: 50 })
  const id = await requested({ camera: 'yard', start: from, end: from + 3 }, live.internal)
  expect(await one(id, live.internal)).toMatchObject({ state: 'queued' })
  await comesTo(id, { state: 'done' }, live)
  expect((await one(id, live.internal)).duration).toBeCloseTo(3, 0)
})

describe.skipIf(!canMount)('on a full disk', () => {
  let small: InProcessService
  beforeAll(async () => {
    const empty = await startService({ held })
    await empty.stop()
    await writeRecordings(empty.mediaDir, {
      camera: 'yard',
      start: start * 1000,
      segments: 4,
      size: '640x360',
      bitrate: '8M',
    })
    const folder = join(empty.mediaDir, 'exports')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    mount('-t', 'tmpfs', '-o', 'size=34m,mode=700', 'tmpfs', folder)
    small = await empty.restart()
    await small.printed(/recordings reconciled/)
  })

  test('an export is rejected before it begins, with the required and the free space', async () => {
    const { status, json } = await small.internal.post('/api/exports', span(1, 39))
    expect([status, json]).toMatchObject([507, { code: 'no-space', reason: { code: 'export-no-space' } }])
    const { needed, free } = (json as { reason: { values: { needed: number; free: number } } }).reason.values
    expect(needed).toBeGreaterThan(free)
    expect(free).toBeGreaterThan(30_000_000)
    expect((await small.internal.get('/api/exports')).json).toEqual({ items: [], cursor: null } satisfies ExportPage)
  })

  test('free space is promised only once: waiting exports count', async () => {
    hold()
    onTestFinished(release)
    const ids: string[] = []
    for (const [from, to] of [
      [1, 9],
      [11, 19],
      [21, 29],
    ] as const)
      ids.push(await requested(span(from, to), small.internal))
    expect((await small.internal.post('/api/exports', span(31, 39))).status).toBe(507)
    expect((await small.internal.delete(`/api/exports/${ids[2]}`)).status).toBe(204)
    ids[2] = await requested(span(31, 39), small.internal)
    for (const id of ids) expect((await small.internal.delete(`/api/exports/${id}`)).status).toBe(204)
    expect(files(small)).toEqual([])
  })

  test('an export that fills the disk fails with the reason, and frees the space', async () => {
    hold()
    onTestFinished(release)
    const id = await requested(span(1, 9), small.internal)
    await comesTo(id, { state: 'running' }, small)
    const filler = fill(28)
    release()
    await comesTo(id, { state: 'failed', reason: { code: 'disk-full' } }, small)
    expect(files(small)).toEqual(['filler'])
    rmSync(filler)
    const next = await requested(span(1, 9), small.internal)
    await comesTo(next, { state: 'done' }, small)
    await small.internal.delete(`/api/exports/${next}`)
  })

  test('an export does not begin if the disk is full when it is due', async () => {
    hold()
    onTestFinished(release)
    const ids: string[] = []
    for (const [from, to] of [
      [1, 9],
      [11, 19],
      [21, 29],
    ] as const)
      ids.push(await requested(span(from, to), small.internal))
    for (const id of ids.slice(0, 2)) await comesTo(id, { state: 'running' }, small)
    fill(8)
    release()
    for (const id of ids.slice(0, 2)) await comesTo(id, { state: 'done' }, small)
    await comesTo(ids[2]!, { state: 'failed', reason: { code: 'disk-full' } }, small)
  })

  /** @param size 2²⁰ bytes */
  function fill(size: number): string {
    const filler = join(small.mediaDir, 'exports', 'filler')
    writeFileSync(filler, Buffer.alloc(size << 20))
    return filler
  }
})

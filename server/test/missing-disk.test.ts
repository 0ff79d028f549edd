import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { canMount, mount } from './support/mounts.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { grayJpeg, seedReview } from './support/review-seed.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { filesOf, indexOf } from './support/seen-recordings.ts'
import type { Service } from './support/service.ts'
import { startService } from './support/start-service.ts'
import { advanceUntil } from './support/test-clock.ts'

const count = 20

const after = (last: number) => `after=${last - 3600}&before=${last + 20}`

const remove = (service: Service, last: number) =>
  service.internal.delete(`/api/cameras/yard/recordings?${after(last)}`)

test.skipIf(!canMount)(
  'without the recordings disk, no recording is removed, by retention or by an admin; with it, they are all there',
  async () => {
    const config = { tls: { enabled: false }, auth: { roles: { guard: ['door'] } }, cameras: quietCameras }
    const first = await startService({ config })
    await first.stop()
    const last = Math.floor(Date.now() / 1000) - 60
    const sample = join(first.dir, 'sample.mp4')
    await makeSegment(sample, { seconds: 2, size: '64x64', bitrate: '50k' })
    seedRecordings(first, 'yard', { sample, count, last })
    const service = await first.restart()
    const folder = join(service.mediaDir, 'recordings')
    const gus = await service.user('gus', 'guard')
    const files = filesOf(service)

    const empty = join(service.dir, 'empty')
    mkdirSync(empty)
    mount('--bind', empty, folder)
    const { status, json } = await remove(service, last)
    const isMissing = { code: 'unavailable', reason: { code: 'recordings-disk-missing' } }
    expect([status, json]).toMatchObject([503, isMissing])
    expect(JSON.stringify(json)).not.toContain(folder)
    // Everything is beyond this limit.
    expect((await changeConfig(service, { recording: { max_gb: 0.000001 } })).status).toBe(200)
    await advanceUntil(service.clock, () =>
      expect(service.output()).toMatch(/The recordings disk is missing.*failed to enforce retention of recordings/),
    )
    expect(indexOf(service).size).toBe(count)
    const { segments } = (await service.internal.get(`/api/cameras/yard/recordings?${after(last)}`)).json as {
      segments: { id: string }[]
    }
    const span = `start=${last - 10}&end=${last}`
    for (const path of [
      `segments/${segments[0]!.id}/init.mp4`,
      `segments/${segments[0]!.id}/video.m4s?at=0`,
      `clip.mp4?${span}`,
    ])
      expect(await service.internal.get(`/api/cameras/yard/${path}`)).toMatchObject({ status: 503, json: isMissing })
    expect((await gus.get(`/api/cameras/yard/recordings?${after(last)}`)).status).toBe(403)
    expect(readdirSync(empty)).toEqual([])

    expect((await changeConfig(service, { recording: {} })).status).toBe(200)
    spawnSync('umount', ['-l', folder])
    expect(filesOf(service)).toEqual(files)
    expect(indexOf(service).size).toBe(count)
    expect((await remove(service, last)).json).toMatchObject({ segments: count })
    expect([...indexOf(service), ...[...files.keys()].filter((file) => existsSync(join(folder, file)))]).toEqual([])
  },
)

/** A service with finished exports of the camera yard. */
async function withExports(exports: number) {
  const config = { tls: { enabled: false }, cameras: quietCameras }
  const first = await startService({ config })
  await first.stop()
  const last = Math.floor(Date.now() / 1000) - 60
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '64x64', bitrate: '50k' })
  seedRecordings(first, 'yard', { sample, count, last })
  const service = await first.restart()
  const ids: string[] = []
  for (let nth = 0; nth < exports; nth++) {
    const body = { camera: 'yard', start: last - 60 + nth, end: last - 40 }
    const { status, json, text } = await service.internal.post('/api/exports', body)
    expect(status, text).toBe(202)
    ids.push((json as { id: string }).id)
  }
  for (const id of ids) await expect.poll(() => stateOf(service, id), { timeout: 60_000 }).toBe('done')
  const folder = join(service.mediaDir, 'exports')
  return { service, ids, folder, away: join(service.dir, 'away') }
}

const stateOf = async (service: Service, id: string): Promise<unknown> =>
  ((await service.internal.get(`/api/exports/${id}`)).json as { state: unknown }).state

const statesOf = (service: Service, ids: readonly string[]): Promise<unknown[]> =>
  Promise.all(ids.map((id) => stateOf(service, id)))

const download = async (service: Service, id: string): Promise<number> =>
  (await service.internal.get(`/api/exports/${id}/video.mp4`)).status

test('a service that starts without the exports disk marks no export as lost, and finds all of them when it starts with it', async () => {
  const { service, ids, folder, away } = await withExports(2)
  const files = readdirSync(folder).toSorted()
  expect(files).toHaveLength(2)
  await service.stop()
  renameSync(folder, away)
  const without = await service.restart()
  await without.printed(/exports disk/)
  expect(await statesOf(without, ids)).toEqual(['done', 'done'])
  expect(await download(without, ids[0]!)).toBe(503)
  expect(await statesOf(without, ids)).toEqual(['done', 'done'])
  await without.stop()
  rmSync(folder, { recursive: true })
  renameSync(away, folder)
  const again = await without.restart()
  expect([await download(again, ids[0]!), await download(again, ids[1]!)]).toEqual([200, 200])
  await again.stop()
  expect(readdirSync(folder).toSorted()).toEqual(files)
})

test('an export that was reported as missing is done again at a startup with its file, which is never removed', async () => {
  const { service, ids, folder, away } = await withExports(1)
  const [id = ''] = ids
  await service.stop()
  renameSync(folder, away)
  const without = await service.restart()
  await expect.poll(() => stateOf(without, id)).toBe('failed')
  await without.stop()
  rmSync(folder, { recursive: true })
  renameSync(away, folder)
  const again = await without.restart()
  await expect.poll(() => stateOf(again, id)).toBe('done')
  expect(await download(again, id)).toBe(200)
  expect(existsSync(join(folder, `${id}.mp4`))).toBe(true)
})

test.skipIf(!canMount)(
  'while the exports disk is unmounted, no export is lost by a download or deleted by an admin, who deletes it once it is back',
  async () => {
    const { service, ids, folder } = await withExports(1)
    const [id = ''] = ids
    const remove = () => service.internal.delete(`/api/exports/${id}`)
    const empty = join(service.dir, 'empty')
    mkdirSync(empty)
    mount('--bind', empty, folder)
    expect(await download(service, id)).toBe(503)
    expect(await remove()).toMatchObject({ status: 503, json: { reason: { code: 'exports-disk-missing' } } })
    expect(await stateOf(service, id)).toBe('done')
    spawnSync('umount', ['-l', folder])
    expect(await download(service, id)).toBe(200)
    expect((await remove()).status).toBe(204)
    expect(readdirSync(folder)).toEqual([])
  },
)

test.skipIf(!canMount)(
  'while the disk of the thumbnails is unmounted, no review item is deleted, so none leaves its thumbnail there',
  async () => {
    const config = { tls: { enabled: false }, cameras: quietCameras }
    const service = await startService({ config })
    const [item] = await seedReview(service, [{ camera: 'yard', jpeg: grayJpeg }])
    const folder = join(service.mediaDir, 'review')
    const day = join(folder, new Date(item!.start).toISOString().slice(0, 10))
    const path = `/api/review/${item!.id}`
    mount('-t', 'tmpfs', 'tmpfs', folder)
    const missing = { status: 503, json: { reason: { code: 'recordings-disk-missing' } } }
    expect(await service.internal.delete(path)).toMatchObject(missing)
    expect((await service.internal.get(`${path}/thumbnail.jpg`)).status).toBe(503)
    // Everything is too old.
    expect((await changeConfig(service, { review: { retain_days: 0 } })).status).toBe(200)
    await advanceUntil(service.clock, () => expect(service.output()).toMatch(/failed to remove old review items/))
    expect((await changeConfig(service, { review: {} })).status).toBe(200)
    expect((await service.internal.get(path)).status).toBe(200)
    spawnSync('umount', ['-l', folder])
    expect((await service.internal.get(`${path}/thumbnail.jpg`)).status).toBe(200)
    expect((await service.internal.delete(path)).status).toBe(204)
    expect(existsSync(day)).toBe(false)
  },
)

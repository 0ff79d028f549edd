import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Export } from '../src/exports/export-response.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, freshDatabase } from './support/cluster.ts'
import { listsOf, restoreDatabase, unpackKept, type KeptFolders } from './support/kept-folders.ts'
import { decoded, expectAgreement, fetched, filesOf, type SegmentSeen } from './support/seen-recordings.ts'
import { openDatabase } from './support/service-database.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply } from './support/test-client.ts'
import { createTestClock } from './support/test-clock.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Made by `npm run keep-folders`, once for each version. */
const folder = join(import.meta.dirname, 'kept')
const archives = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'))
const isPostgres = (archive: string): boolean => archive.endsWith('.postgres.tar.gz')
const openable = archives.filter((archive) => canCluster || !isPostgres(archive))

const soon = { timeout: 120_000, interval: 50 }

/** The first bytes of a JPEG. */
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])
const expectJpeg = ({ status, body }: Reply) => expect([status, body.subarray(0, 3)]).toEqual([200, jpegStart])

/** The times of a file are a millisecond less exact than those of the index. */
const times = ({ start, end, bytes }: SegmentSeen) => [Math.round(start), Math.round(end), bytes]

const inOrder = (sizes: readonly number[]) => sizes.toSorted((one, other) => one - other)

describe.each(openable)('[OPS-2] the folders of %s', (archive) => {
  let dir: string
  let kept: KeptFolders
  let service: InProcessService

  /** Starts the service with a copy of the folders, a minute after they were made. */
  const start = () => startService({ copyOf: kept }, createTestClock({ now: kept.at + 60_000, runs: true }))
  const lists = (at = service) => listsOf(at.internal, kept.at)
  const range = () => `${kept.at / 1000 - 3600}/${kept.at / 1000 + 3600}`

  async function exported(id: string): Promise<Export> {
    const one = async () => (await service.internal.get(`/api/exports/${id}`)).json as Export
    await expect.poll(one, soon).toMatchObject({ state: 'done' })
    const { status, body } = await service.internal.get(`/api/exports/${id}/video.mp4`)
    const file = join(service.dir, `${id}.mp4`)
    writeFileSync(file, body)
    const { frames, complaints } = await decoded(file)
    // Three seconds with twelve frames each.
    expect([status, Math.abs(frames - 36) <= 1, complaints]).toEqual([200, true, ''])
    return one()
  }

  beforeAll(async () => {
    dir = temporaryFolder()
    kept = unpackKept(join(folder, archive), dir)
    if (isPostgres(archive)) await restoreDatabase(kept, await freshDatabase())
    service = await start()
  })
  afterAll(stopAll)

  test('list what they listed', async () => {
    const { segments, items, exports } = kept.lists
    expect([items.length, exports.length]).toEqual([1, 1])
    expect(segments.length).toBeGreaterThan(2)
    expect(await lists()).toMatchObject(kept.lists)
    const onDisk = [...filesOf(service)].flatMap(([file, bytes]) => (file.endsWith('.mp4') ? [bytes] : []))
    expect(inOrder(onDisk)).toEqual(inOrder(segments.map(({ bytes }) => bytes)))
  })

  test.skipIf(isPostgres(archive))(
    'agree with their database, whose file is rewritten so that it can shrink',
    async () => {
      expectAgreement(service)
      await service.printed(/database file rewritten/)
      const database = openDatabase(service, { readOnly: true })
      expect(database.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 2 })
      database.close()
    },
  )

  test('play, with thumbnails and the latest frame of a camera that is offline', async () => {
    const { internal } = service
    for (const { id } of kept.lists.segments) {
      const { file } = await fetched(service, 'yard', id)
      const { frames, complaints } = await decoded(file)
      expect([frames > 0, complaints], id).toEqual([true, ''])
    }
    const playlist = `${internal.base}/api/cameras/yard/playback/${range()}/index.m3u8`
    expect((await decoded(playlist)).frames).toBeGreaterThan(300)
    for (const { id } of kept.lists.items) expectJpeg(await internal.get(`/api/review/${id}/thumbnail.jpg`))
    const latest = await internal.get('/api/cameras/yard/latest.jpg')
    expectJpeg(latest)
    expect(Date.parse(latest.headers['last-modified'] ?? '')).toBeLessThanOrEqual(kept.at)
  })

  test('have their exports, and export again', async () => {
    const [before] = kept.lists.exports
    expect(await exported(before!.id)).toMatchObject(before!)
    const { camera, start: from, end } = before!
    const response = await service.internal.post('/api/exports', { camera, start: from, end })
    expect(response.status).toBe(202)
    expect((await exported((response.json as Export).id)).duration).toBeCloseTo(3, 1)
  })

  test.skipIf(isPostgres(archive))('without their database play what is on the disk', async () => {
    const without = await start()
    await without.stop()
    for (const name of readdirSync(without.configDir).filter((each) => each.startsWith('gatehouse.db')))
      rmSync(join(without.configDir, name))
    const again = await without.restart()
    await again.printed(/recordings reconciled/)
    expect((await lists(again)).segments.map(times)).toEqual(kept.lists.segments.map(times))
    const { file } = await fetched(again, 'yard', (await lists(again)).segments[0]!.id)
    expect((await decoded(file)).frames).toBeGreaterThan(0)
  })

  test('delete what a user deletes', async () => {
    const { internal, mediaDir } = service
    const { exports, items } = await lists()
    for (const { id } of exports) expect((await internal.delete(`/api/exports/${id}`)).status).toBe(204)
    for (const { id } of items) expect((await internal.delete(`/api/review/${id}`)).status).toBe(204)
    const [after, before] = range().split('/')
    const { status } = await internal.delete(`/api/cameras/yard/recordings?after=${after}&before=${before}`)
    expect(status).toBe(200)
    expect(await lists()).toEqual({ segments: [], items: [], exports: [] })
    expect([...filesOf(service).keys()].filter((file) => file.endsWith('.mp4'))).toEqual([])
    expect(readdirSync(join(mediaDir, 'exports'))).toEqual([])
    const thumbnails = () =>
      existsSync(join(mediaDir, 'review'))
        ? readdirSync(join(mediaDir, 'review'), { recursive: true, encoding: 'utf8' }).filter((name) =>
            name.endsWith('.jpg'),
          )
        : []
    await expect.poll(thumbnails, soon).toEqual([])
  })
})

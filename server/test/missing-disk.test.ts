import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { quietCameras, startService, type Service } from './support/harness.ts'
import { canMount, mount } from './support/mounts.ts'
import { filesOf, indexOf } from './support/seen-recordings.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
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
    expect([status, json]).toMatchObject([503, { code: 'unavailable', detail: expect.stringContaining(folder) }])
    // Everything is beyond this limit.
    expect((await changeConfig(service, { recording: { max_gb: 0.000001 } })).status).toBe(200)
    await advanceUntil(service.clock, () =>
      expect(service.output()).toMatch(/The recordings disk is missing.*failed to enforce retention of recordings/),
    )
    expect(indexOf(service).size).toBe(count)
    const { segments } = (await service.internal.get(`/api/cameras/yard/recordings?${after(last)}`)).json as {
      segments: { id: string }[]
    }
    expect((await service.internal.get(`/api/cameras/yard/segments/${segments[0]!.id}/init.mp4`)).status).toBe(404)
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

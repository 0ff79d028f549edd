import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let service: InProcessService

beforeAll(async () => {
  service = await startService({
    config: {
      cameras: {
        ...quietCameras,
        yard: { source: 'demo:yard', record: { retain_days: 3, max_gb: 2 } },
        office: { source: 'demo:office', record: { mode: 'motion' } },
      },
      recording: { retain_days: 14, max_gb: 40 },
      auth: { roles: { guard: ['yard'] } },
    },
  })
})
afterAll(() => stopAll())

interface Stored {
  readonly camera: string
  readonly configured: boolean
  readonly bytes: number | null
  readonly segments: number | null
  readonly oldest: number | null
  readonly newest: number | null
  readonly bytes_per_day: number | null
  readonly limits: object
}

const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 250 })
const storage = async (door: TestClient): Promise<Stored[]> =>
  ((await door.get('/api/recordings/storage')).json as { cameras: Stored[] }).cameras

test('[ROLE-5] storage lists the cameras of the role, with the active limits', async () => {
  const [guard, viewer] = await Promise.all([service.user('gil', 'guard'), service.user('vera')])
  const seen = await until(async () => {
    const all = await storage(viewer)
    expect(all.find(({ camera }) => camera === 'yard')?.segments).toBeGreaterThan(0)
    expect(all.find(({ camera }) => camera === 'office')?.segments).toBeGreaterThan(0)
    return all
  })
  expect(seen.map(({ camera }) => camera)).toEqual(['yard', 'door', 'office'])
  const [yard, door, office] = seen as [Stored, Stored, Stored]
  expect(yard.limits).toEqual({ retain_days: 3, max_gb: 2, mode: 'all' })
  expect(office.limits).toEqual({ retain_days: 14, max_gb: null, mode: 'motion' })
  expect(door).toMatchObject({
    configured: true,
    bytes: 0,
    segments: 0,
    oldest: null,
    newest: null,
    bytes_per_day: null,
  })

  const { json } = await viewer.get(`/api/cameras/yard/recordings?after=0&before=90000`)
  expect(json).toEqual({ segments: [] })
  const now = Date.now() / 1000
  const { segments } = (await viewer.get(`/api/cameras/yard/recordings?after=${now - 3600}&before=${now + 60}`))
    .json as {
    segments: { start: number; end: number; bytes: number }[]
  }
  const again = (await storage(viewer)).find(({ camera }) => camera === 'yard')!
  expect(again.segments).toBeGreaterThanOrEqual(segments.length)
  expect(again.oldest).toBeCloseTo(segments[0]!.start, 3)
  if (again.segments === segments.length) {
    expect(again.bytes).toBe(segments.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(again.newest).toBeCloseTo(segments.at(-1)!.end, 3)
  }

  const own = await storage(guard)
  expect(own.map(({ camera }) => camera)).toEqual(['yard'])
  expect((await service.gate.get('/api/recordings/storage')).status).toBe(401)
})

test('only admins see the disk', async () => {
  const [guard, viewer, admin] = await Promise.all([
    service.user('gil', 'guard'),
    service.user('vera'),
    service.admin(),
  ])
  expect((await guard.get('/api/recordings/disk')).status).toBe(403)
  expect((await viewer.get('/api/recordings/disk')).status).toBe(403)
  const { status, json } = await admin.get('/api/recordings/disk')
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { folder: join(service.mediaDir, 'recordings'), limits: { retain_days: 14, max_gb: 40 } },
  })
  const { total, free, bytes } = json as { total: number; free: number; bytes: number }
  expect(free).toBeLessThanOrEqual(total)
  expect(bytes).toBeGreaterThan(0)
})

test('recordings of a removed camera are still listed, and changed limits apply immediately', async () => {
  const text = readFileSync(service.configFile, 'utf8')
  const changed = text.replace(/  office:\n(?:    .*\n)+/, '').replace('retain_days: 14', 'retain_days: 5')
  expect(changed).not.toBe(text)
  writeFileSync(service.configFile, changed)
  await until(async () => {
    const all = await storage(service.internal)
    expect(all.find(({ camera }) => camera === 'door')?.limits).toMatchObject({ retain_days: 5 })
    expect(all.find(({ camera }) => camera === 'office')).toMatchObject({
      configured: false,
      limits: { retain_days: 5, max_gb: null, mode: 'all' },
    })
  })
})

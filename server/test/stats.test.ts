import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import type { CameraStats, Stats } from '../src/system/stats-response.ts'
import { stopAll } from './support/cleanups.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const cameras = {
  yard: { source: 'demo:yard', title: 'The yard' },
  door: { source: 'file:no-such.mp4' },
  office: { source: 'demo:office', enabled: false },
}

let service: InProcessService
let guard: TestClient
let viewer: TestClient

beforeAll(async () => {
  service = await startService({
    config: { cameras, auth: { roles: { guard: ['yard'], ghost: ['nowhere'] } } },
  })
  guard = await service.user('gus', 'guard')
  viewer = await service.user('vera', 'viewer')
})
afterAll(stopAll)

const statsOf = async (client: TestClient): Promise<Stats> => (await client.get('/api/stats')).json as Stats
const cameraOf = async (client: TestClient, camera: string): Promise<CameraStats | undefined> =>
  (await statsOf(client)).cameras.find(({ name }) => name === camera)
const yardOf = (client: TestClient) => cameraOf(client, 'yard')

describe('statistics', () => {
  test('[ROLE-5] contain only the cameras of the role, counts included', async () => {
    const response = await guard.get('/api/stats')
    expect(response.status).toBe(200)
    expect((response.json as Stats).cameras.map(({ name }) => name)).toEqual(['yard'])
    // No number that includes another camera: not the number of open streams, not the total cost.
    expect(Object.keys(response.json as Stats)).toEqual(['cameras'])
    expect(response.text).not.toMatch(/door|office/)
    expect((await statsOf(await service.user('gero', 'ghost'))).cameras).toEqual([])
  })

  test('[ROLE-2] a viewer reads those of every camera, and nothing about the service', async () => {
    const stats = await statsOf(viewer)
    expect(stats.cameras.map(({ name }) => name)).toEqual(['yard', 'door', 'office'])
    expect(stats).not.toHaveProperty('service')
  })

  test('[ROLE-1] an admin also reads those of the service', async () => {
    const before = Math.floor(process.uptime())
    const startedAt = Date.now() - process.uptime() * 1000
    for (const client of [await service.admin(), service.internal]) {
      const { service } = await statsOf(client)
      expect(service).toMatchObject({
        node: process.versions.node,
        database: { engine: 'sqlite', healthy: true, size: expect.any(Number), free: expect.any(Number) },
        platform: `${process.platform} ${process.arch}`,
      })
      expect(service?.memory).toBeGreaterThan(10_000_000)
      expect(service?.uptime).toBeGreaterThanOrEqual(before)
      expect(service?.uptime).toBeLessThanOrEqual(process.uptime())
      expect(Math.abs(startedAt - Date.parse(service?.started_at ?? ''))).toBeLessThan(5000)
      expect(service?.media?.free).toBeLessThanOrEqual(service?.media?.total ?? 0)
    }
  })

  test('[ROLE-10] a camera removed from a role takes its numbers along', async () => {
    const rita = await service.user('rita', 'viewer')
    expect((await statsOf(rita)).cameras).toHaveLength(3)
    await service.internal.put('/api/users/rita/role', { role: 'guard' })
    expect((await statsOf(rita)).cameras).toHaveLength(1)
  })

  test('[ERR-2] unauthenticated callers get nothing', async () => {
    for (const path of ['/api/stats', '/api/metrics']) {
      const response = await service.gate.get(path)
      expect(response.status).toBe(401)
      expect(response.text).not.toMatch(/yard|door|office/)
    }
  })

  test.skipIf(!findFfmpeg())('contain the number of viewers, the incoming data rate, and the start time', async () => {
    await vi.waitFor(async () => expect((await yardOf(viewer))?.state).toBe('online'), 60_000)
    const first = await yardOf(viewer)
    expect(first?.viewers).toBe(0)
    const sockets = [guard, viewer].map((client) => client.socket('/api/cameras/yard/live'))
    await vi.waitFor(async () => expect((await yardOf(guard))?.viewers).toBe(2), 60_000)
    for (const socket of sockets) socket.close()
    await vi.waitFor(async () => expect((await yardOf(guard))?.viewers).toBe(0), 60_000)
    expect((await statsOf(await service.admin())).service?.open_streams).toBe(0)

    await vi.waitFor(async () => expect((await yardOf(guard))?.bitrate).toBeGreaterThan(10_000), 60_000)
    const last = await yardOf(guard)
    expect(last?.received_bytes).toBeGreaterThan(first?.received_bytes ?? 0)
    expect(last?.state_changed_at).toBe(first?.state_changed_at)
    expect(Date.parse(last?.state_changed_at ?? '')).toBeLessThan(Date.now())
    expect(last?.restarts).toBe(0)
    if (existsSync('/proc')) {
      expect(last?.memory).toBeGreaterThan(1_000_000)
      await vi.waitFor(async () => expect((await yardOf(guard))?.cpu).not.toBeNull(), 60_000)
      expect((await yardOf(guard))?.cpu).toBeLessThan(200)
      expect((await statsOf(service.internal)).service?.cpu).toBeGreaterThanOrEqual(0)
    }
  })

  test.skipIf(!findFfmpeg())('a camera that cannot be read counts its reconnects', async () => {
    await vi.waitFor(async () => expect((await cameraOf(viewer, 'door'))?.restarts).toBeGreaterThan(0), 60_000)
    expect(await cameraOf(viewer, 'door')).toMatchObject({
      state: 'offline',
      bitrate: null,
      received_bytes: 0,
      viewers: 0,
    })
  })
})

describe('metrics', () => {
  test('[ROLE-2] can only be read by admins', async () => {
    for (const client of [guard, viewer]) {
      const response = await client.get('/api/metrics')
      expect(response.status).toBe(403)
      expect(response.text).not.toMatch(/yard|office/)
    }
    expect((await (await service.admin()).get('/api/metrics')).status).toBe(200)
  })

  test('can be parsed by Prometheus', async () => {
    const { status, headers, text } = await service.internal.get('/api/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text.endsWith('\n')).toBe(true)
    const families = new Map<string, string>()
    for (const line of text.trimEnd().split('\n')) {
      const [, name, type] = /^# TYPE (\S+) (counter|gauge)$/.exec(line) ?? []
      if (name !== undefined && type !== undefined) {
        expect(families.has(name)).toBe(false)
        families.set(name, type)
      } else if (!line.startsWith('# HELP')) {
        const [, family = '', value] =
          /^([a-z_]+)(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? (\S+)$/.exec(line) ?? []
        expect(families.has(family), line).toBe(true)
        expect(Number.isFinite(Number(value)), line).toBe(true)
      }
    }
    for (const [name, type] of families) expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(text).toContain('gatehouse_database_up 1\n')
    expect(text).toMatch(/^gatehouse_database_size_bytes \d{5,}$/m)
    expect(text).toMatch(/^gatehouse_database_free_bytes \d+$/m)
    expect(text).toContain('gatehouse_camera_enabled{camera="office"} 0\n')
    expect(text).toContain('gatehouse_camera_online{camera="door"} 0\n')
  })
})

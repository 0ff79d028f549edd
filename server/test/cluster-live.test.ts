import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { leaseTimes } from '../src/cluster/lease.ts'
import { stopAll } from './support/cleanups.ts'
import {
  canCluster,
  startCluster,
  startClusterProcesses,
  type Cluster,
  type ClusterInstance,
} from './support/cluster.ts'
import { stopwatch } from './support/own-time.ts'
import { program } from './support/programs.ts'
import type { Service } from './support/service.ts'
import type { InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const soon = { timeout: 120_000, interval: 50 }
const live = { record: { enabled: false }, motion: { enabled: false } }
const cameras = Object.fromEntries(['yard', 'door'].map((name) => [name, { source: `demo:${name}`, ...live }]))

interface Watched {
  readonly socket: WebSocket
  readonly texts: { mime?: string; state?: string; reason?: { code: string } }[]
  bytes: number
  readonly closed: Promise<unknown>
}
async function watch(client: TestClient, path = '/api/cameras/yard/live'): Promise<Watched> {
  const socket = client.socket(path)
  const watched: Watched = { socket, texts: [], bytes: 0, closed: new Promise((done) => socket.once('close', done)) }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) watched.bytes += data.length
    else watched.texts.push(JSON.parse(data.toString()) as Watched['texts'][number])
  })
  await once(socket, 'open')
  return watched
}
const cameraAt = async ({ service }: ClusterInstance<Service>, name = 'yard') =>
  (await service.internal.get(`/api/cameras/${name}`)).json as Record<string, unknown>

/** Moves a camera, and waits until it is there. */
async function move(cluster: Cluster<Service>, camera: string, to: ClusterInstance<Service>): Promise<void> {
  const { status } = await to.service.internal.put(`/api/cameras/${camera}/instance`, { instance: await to.id() })
  expect(status).toBe(204)
  await vi.waitFor(async () => expect((await cluster.owners())[camera]).toBe(to.name), soon)
}

describe.skipIf(!canCluster || program('ffmpeg') === undefined)('[NODE-3] live video of several instances', () => {
  let cluster: Cluster<InProcessService>
  let owner: ClusterInstance<InProcessService>
  let gate: ClusterInstance<InProcessService>
  let third: ClusterInstance<InProcessService>
  let guard: TestClient

  beforeAll(async () => {
    cluster = await startCluster({
      config: { cameras, auth: { roles: { guard: ['yard'], cook: ['door'] } } },
    })
    ;[owner, gate, third] = cluster.instances as [typeof owner, typeof gate, typeof third]
    await move(cluster, 'yard', owner)
    await vi.waitFor(async () => expect(await cameraAt(owner)).toMatchObject({ state: 'online' }), soon)
    guard = gate.service.gate.with((await owner.service.user('gill', 'guard')).headers)
  })
  afterAll(stopAll)

  test('a camera is the same at every instance', async () => {
    await expect.poll(() => cameraAt(gate), soon).toEqual(await cameraAt(owner))
    const { state, resolution, codec } = await cameraAt(gate)
    expect([state, resolution, codec]).toEqual(['online', expect.stringMatching(/^\d+x\d+$/), expect.any(String)])
    expect((await guard.get('/api/cameras')).json).toMatchObject([{ name: 'yard', state: 'online' }])
  })

  test('every kind of live view works through the other instance, for those who can see the camera', async () => {
    const watched = await watch(guard)
    await expect.poll(() => watched.bytes, soon).toBeGreaterThan(10_000)
    expect(watched.texts.at(-1)).toMatchObject({ mime: expect.stringContaining('video/mp4') as string })
    watched.socket.close()
    const snapshot = await guard.get('/api/cameras/yard/latest.jpg?height=180')
    expect([snapshot.status, snapshot.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const playlist = await guard.get('/api/cameras/yard/live/index.m3u8')
    expect([playlist.status, playlist.text]).toEqual([200, expect.stringContaining('#EXTM3U')])
    const [, map = ''] = /URI="([^"]+)"/.exec(playlist.text) ?? []
    expect((await guard.get(`/api/cameras/yard/live/${map}`)).status).toBe(200)
    expect(await firstBytes(guard, '/api/cameras/yard/mjpeg?height=180')).toContain('image/jpeg')
    const cook = gate.service.gate.with((await owner.service.user('carl', 'cook')).headers)
    for (const path of ['latest.jpg', 'live/index.m3u8', 'mjpeg'])
      expect((await cook.get(`/api/cameras/yard/${path}`)).status).toBe(403)
  })

  test('[ROLE-10] a user who loses the camera at one instance loses the stream through another one, from a third one, within a second', async () => {
    const vic = gate.service.gate.with((await owner.service.user('vic', 'guard')).headers)
    expect((await cluster.owners())['yard']).toBe(owner.name)
    const watched = await watch(vic)
    await expect.poll(() => watched.bytes, soon).toBeGreaterThan(10_000)
    const elapsed = stopwatch('gatehouse_cluster_')
    expect((await third.service.internal.put('/api/users/vic/role', { role: 'cook' })).status).toBe(200)
    await watched.closed
    expect(elapsed()).toBeLessThan(1_000)
  })

  test('events of a camera reach the users of the other instance', async () => {
    const socket = guard.socket('/api/events')
    const events: { type: string; camera: string; state?: string }[] = []
    socket.on('message', (data: Buffer) => void events.push(JSON.parse(data.toString()) as (typeof events)[number]))
    await once(socket, 'open')
    await move(cluster, 'door', owner)
    await move(cluster, 'yard', gate)
    await move(cluster, 'yard', owner)
    await expect
      .poll(() => events.map(({ type, camera, state }) => `${type} ${camera} ${state}`), soon)
      .toContain('camera yard online')
    expect(events.every(({ camera }) => camera === 'yard')).toBe(true)
    socket.close()
  })

  test('a viewer stays while the camera moves between the instances', async () => {
    const [near, far] = await Promise.all([watch(gate.service.internal), watch(owner.service.internal)])
    for (const to of [gate, owner]) {
      await move(cluster, 'yard', to)
      const begun = [near, far].map(({ texts }) => texts.filter(({ mime }) => mime).length)
      const bytes = [near, far].map((each) => each.bytes)
      for (const [at, each] of [near, far].entries()) {
        await expect.poll(() => each.bytes - bytes[at]!, soon).toBeGreaterThan(10_000)
        expect(each.texts.filter(({ mime }) => mime).length).toBeGreaterThanOrEqual(begun[at]!)
      }
    }
    expect([near, far].map(({ socket }) => socket.readyState)).toEqual([near.socket.OPEN, far.socket.OPEN])
    for (const { socket } of [near, far]) socket.close()
  })

  test('[ROLE-10] a user who loses the camera at one instance loses the stream through one that is cut off from the database, within the time of a lease', async () => {
    const tom = gate.service.gate.with((await third.service.user('tom', 'guard')).headers)
    const watched = await watch(tom)
    await expect.poll(() => watched.bytes, soon).toBeGreaterThan(10_000)
    gate.line.partition(true)
    onTestFinished(() => gate.line.partition(false))
    const elapsed = stopwatch('gatehouse_cluster_')
    expect((await third.service.internal.put('/api/users/tom/role', { role: 'cook' })).status).toBe(200)
    await watched.closed
    expect(elapsed()).toBeLessThan(leaseTimes.valid)
    expect((await tom.get('/api/cameras/yard/latest.jpg')).status).toBe(503)
  })

  test('an owner that hangs holds nothing up: a revoked user is gone within a second, and the others see the camera again after the takeover', async () => {
    const hanging = await startClusterProcesses({
      count: 2,
      config: { cameras, auth: { roles: { guard: ['yard'] } } },
    })
    const [frozen, near] = hanging.instances as [(typeof hanging.instances)[0], (typeof hanging.instances)[0]]
    await move(hanging, 'yard', frozen)
    await expect.poll(() => cameraAt(near), soon).toMatchObject({ state: 'online' })
    const [lost, stays] = await Promise.all([
      watch(await near.service.user('vic', 'guard')),
      watch(near.service.internal),
    ])
    await expect.poll(() => Math.min(lost.bytes, stays.bytes), soon).toBeGreaterThan(10_000)
    frozen.service.process.kill('SIGSTOP')
    try {
      const elapsed = stopwatch('gatehouse_cluster_', near.service.process.pid!)
      expect((await near.service.internal.delete('/api/users/vic')).status).toBe(204)
      await lost.closed
      expect(elapsed()).toBeLessThan(1_000)
      await expect.poll(async () => (await hanging.owners())['yard'], soon).toBe(near.name)
      const bytes = stays.bytes
      await expect.poll(() => stays.bytes, soon).toBeGreaterThan(bytes + 10_000)
      expect(stays.socket.readyState).toBe(stays.socket.OPEN)
    } finally {
      frozen.service.process.kill('SIGCONT')
    }
    expect((await near.service.internal.get('/api/cameras/yard/latest.jpg')).status).toBe(200)
  })
})

/** The head of the first part of an endless response. */
function firstBytes(client: TestClient, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpGet(client.base + path, { headers: client.headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (text.length < 200) return
        request.destroy()
        resolve(text)
      })
    })
    request.on('error', reject)
  })
}

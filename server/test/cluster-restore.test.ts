import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { restore } from '../src/backup/restore.ts'
import { backUp, restoring } from './support/back-up.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster } from './support/cluster.ts'
import { within } from './support/own-time.ts'
import { signIn } from './support/sign-in.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const soon = { timeout: 120_000, interval: 50 }
const notRecorded = { record: { enabled: false }, motion: { enabled: false } }
const cameras = Object.fromEntries(['yard', 'door'].map((name) => [name, { source: `demo:${name}`, ...notRecorded }]))

const camerasOf = async (client: TestClient) =>
  ((await client.get('/api/profile')).json as { allowed_cameras?: string[] }).allowed_cameras
describe.skipIf(!canCluster)('a backup restored to a database that instances use', () => {
  afterAll(stopAll)

  test('[OPS-1] [NODE-1] [NODE-2] no user gains a camera, sessions and streams end, and each camera has one owner with a newer epoch', async () => {
    const config = { cameras, auth: { roles: { guard: ['yard'] }, failed_login_rate_limit: null } }
    const cluster = await startCluster({ count: 2, config })
    const [one, other] = cluster.instances.map(({ service }) => service)
    const gill = await one!.user('gill', 'guard')
    await expect.poll(async () => Object.keys(await cluster.owners()).sort(), soon).toEqual(['door', 'yard'])
    await cluster.ask(
      `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, epoch)
        values ('elsewhere', 'yard', 0, 1, 1, 0, 0, 0, 'a.mp4', 41)`,
    )
    await backUp(one!, cluster.url)

    // After the backup: a wider role, another camera, another user.
    expect((await other!.internal.put('/api/roles/guard', { cameras: ['yard', 'door'] })).status).toBe(200)
    const vic = await other!.user('vic', 'admin')
    await expect.poll(() => camerasOf(gill), soon).toEqual(['yard', 'door'])
    const sockets = [gill, other!.gate.with(gill.headers), vic].map((client) => client.socket('/api/cameras/door/live'))
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    let open = sockets.length
    for (const socket of sockets) socket.on('close', () => open--)

    await restore(restoring(one!))
    await within(2_000, () => expect(open).toBe(0))
    for (const { gate } of [one!, other!])
      for (const client of [gill, vic]) expect(await statusOf(gate.with(client.headers))).toBe(401)

    for (const { gate, internal } of [one!, other!]) {
      const again = await signIn(gate, 'gill')
      // The restored version of the configuration applies within a second, like any other.
      await within(1_000, async () => expect(await camerasOf(again)).toEqual(['yard']))
      expect(await statusOf(again, '/api/cameras/door/latest.jpg')).toBe(403)
      const names = ((await internal.get('/api/users')).json as { username: string }[]).map(({ username }) => username)
      expect(names).not.toContain('vic')
    }
    await expect.poll(async () => Object.keys(await cluster.owners()).sort(), soon).toEqual(['door', 'yard'])
    const leases = await cluster.ask('select camera, epoch from camera_lease order by camera')
    expect(leases.map(({ camera, epoch }) => [camera, Number(epoch)])).toEqual([
      ['door', expect.any(Number)],
      ['yard', expect.toSatisfy((epoch: number) => epoch > 41)],
    ])
    // Both instances show every camera, wherever it is pulled now.
    for (const { internal } of [one!, other!])
      for (const name of ['yard', 'door'])
        await expect.poll(() => statusOf(internal, `/api/cameras/${name}/latest.jpg`), soon).toBe(200)
  })
})

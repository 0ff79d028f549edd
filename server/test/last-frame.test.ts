import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { findFfmpeg } from '../src/media/ffmpeg/find-ffmpeg.ts'
import { namingVersion } from './support/if-none-match.ts'
import { startRtspCamera, type RtspCamera } from './support/rtsp-camera.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { advanceUntil } from './support/test-clock.ts'

const ffmpeg = findFfmpeg() ?? 'ffmpeg'
const dark = { source: 'rtsp://127.0.0.1:1/x' }

let cam: RtspCamera
let service: InProcessService

const snapshot = (client: TestClient = service.internal, headers = {}, camera = 'yard') =>
  client.get(`/api/cameras/${camera}/latest.jpg?height=120`, headers)
/** The clock moves ten times as fast as the camera does. */
const until = (check: () => unknown) => advanceUntil(service.clock, check, { pause: 25, timeout: 60_000 })
const stateIs = (state: string, camera = 'yard') =>
  until(async () => expect((await service.internal.get(`/api/cameras/${camera}`)).json).toMatchObject({ state }))
const lastFolder = () => join(service.mediaDir, 'last')
const kept = () => (existsSync(lastFolder()) ? readdirSync(lastFolder()).toSorted() : [])
const keeps = (names: string[]) => until(() => expect(kept()).toEqual(names))

/** Changes config.yml as a user with an editor would. */
function configure(cameras: Record<string, object>): void {
  const config = parse(readFileSync(service.configFile, 'utf8')) as object
  writeFileSync(service.configFile, stringify({ ...config, cameras }))
}

beforeEach(async () => {
  cam = await startRtspCamera({ ffmpeg })
  service = await startService({
    config: {
      cameras: { yard: { source: cam.url(), title: 'Yard' }, office: dark },
      auth: { roles: { neighbor: ['yard'], clerk: ['office'] } },
    },
  })
  await stateIs('online')
})
afterEach(() => cam.stop())

test('[ROLE-4] the last frame of an offline camera stays visible, to roles with that camera', async () => {
  const neighbor = await service.user('nel', 'neighbor')
  const clerk = await service.user('cleo', 'clerk')
  await cam.die()
  await stateIs('offline')

  const first = await snapshot(neighbor)
  expect(first.status).toBe(200)
  expect(first.body.readUInt16BE(0)).toBe(0xffd8)
  const { etag, 'last-modified': at } = first.headers
  expect(Date.parse(at ?? '')).toBeLessThanOrEqual(service.clock.now())
  const again = await snapshot(neighbor)
  expect(again.headers).toMatchObject({ etag, 'last-modified': at })

  for (const named of namingVersion(String(etag))) {
    const unchanged = await snapshot(neighbor, { 'if-none-match': named })
    expect([unchanged.status, unchanged.body.length, unchanged.headers.etag], named).toEqual([304, 0, etag])
  }
  expect((await snapshot(neighbor, { 'if-none-match': '"1"' })).status).toBe(200)

  for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }]) {
    const refused = await snapshot(clerk, headers)
    expect(refused.status).toBe(403)
    expect(refused.headers).not.toHaveProperty('etag')
    expect((await snapshot(service.gate, headers)).status).toBe(401)
  }

  await cam.listen()
  await stateIs('online')
  expect((await snapshot(neighbor, { 'if-none-match': etag })).status).toBe(200)
})

test('it survives a stop or a kill of the service, in a file that no other local user can read', async () => {
  await cam.die()
  await stateIs('offline')
  await keeps(['yard.frame'])
  const before = await snapshot()
  await service.kill()
  service = await service.restart()
  await stateIs('offline')
  const killed = await snapshot()
  expect(killed.headers['last-modified']).toBe(before.headers['last-modified'])
  expect(killed.body).toEqual(before.body)

  await cam.listen()
  await stateIs('online')
  const online = await snapshot()
  await cam.die()
  await service.stop()
  const file = join(lastFolder(), 'yard.frame')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(lastFolder()).mode & 0o777).toBe(0o700)
  expect(readFileSync(file, 'latin1')).not.toContain(cam.password)
  service = await service.restart()
  await stateIs('offline')
  const stopped = await snapshot()
  expect(stopped.status).toBe(200)
  expect(Date.parse(stopped.headers['last-modified'] ?? '')).toBeGreaterThanOrEqual(
    Date.parse(online.headers['last-modified'] ?? ''),
  )
  // A camera that was never online has none.
  expect((await snapshot(undefined, {}, 'office')).status).toBe(503)
})

test('the last frame of another source, of a disabled camera or of a removed camera is deleted', async () => {
  await cam.die()
  await stateIs('offline')
  await keeps(['yard.frame'])

  configure({ yard: dark, office: dark })
  await keeps([])
  await stateIs('offline')
  expect((await snapshot()).status).toBe(503)

  const seen = async () => {
    configure({ yard: { source: cam.url() } })
    await cam.listen()
    await stateIs('online')
    await cam.die()
    await stateIs('offline')
    await keeps(['yard.frame'])
  }
  await seen()
  configure({ yard: { source: cam.url(), enabled: false } })
  await keeps([])
  expect((await snapshot()).status).toBe(503)

  await seen()
  configure({ office: dark })
  await keeps([])

  // The same while the service is stopped.
  await seen()
  await service.stop()
  configure({ yard: dark })
  service = await service.restart()
  await stateIs('offline')
  expect((await snapshot()).status).toBe(503)
  await service.stop()
  writeFileSync(join(lastFolder(), 'yard.frame.0123.tmp'), 'left by a crash')
  configure({ office: dark })
  service = await service.restart()
  await keeps([])
})

test('[CAM-4] a new camera with the name of a removed one never shows the last frame of the former', async () => {
  const neighbor = await service.user('nel', 'neighbor')
  await cam.die()
  await stateIs('offline')
  await keeps(['yard.frame'])
  const { etag } = (await snapshot(neighbor)).headers
  const file = join(lastFolder(), 'yard.frame')
  const frame = readFileSync(file)

  const showsNothing = async (guarded: number) => {
    await stateIs('offline')
    for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }]) {
      expect((await snapshot(undefined, headers)).status).toBe(503)
      expect((await snapshot(neighbor, headers)).status).toBe(guarded)
    }
  }
  const present = { office: dark, yard: { source: 'rtsp://127.0.0.1:1/another' } }
  configure({ office: dark })
  await keeps([])
  expect((await snapshot(neighbor)).status).toBe(403)
  configure(present)
  await showsNothing(403)
  expect((await service.internal.post('/api/roles/neighbor/confirm', { cameras: ['yard'] })).status).toBe(204)
  await showsNothing(503)

  // Even if its file is still there, for example restored from a backup.
  await service.stop()
  writeFileSync(file, frame)
  service = await service.restart()
  await showsNothing(503)
  configure({ office: dark })
  await keeps([])
  writeFileSync(file, frame)
  configure(present)
  await showsNothing(503)
})

test('a file with the name of another camera is not shown, nor is a corrupt one', async () => {
  await cam.die()
  await stateIs('offline')
  await keeps(['yard.frame'])
  await service.stop()
  const file = join(lastFolder(), 'yard.frame')
  copyFileSync(file, join(lastFolder(), 'office.frame'))
  configure({ yard: { source: cam.url() }, office: { source: cam.url() } })
  service = await service.restart()
  expect((await snapshot()).status).toBe(200)
  expect((await snapshot(undefined, {}, 'office')).status).toBe(503)

  await service.stop()
  writeFileSync(file, readFileSync(file).subarray(0, 40))
  service = await service.restart()
  expect((await snapshot()).status).toBe(503)
})

test('a camera without a snapshot isn’t a failure in the log', async () => {
  expect((await snapshot(undefined, {}, 'office')).status).toBe(503)
  await service.stop()
  expect(service.output()).not.toContain('request failed')
})

test('a disk without space costs only the last frame, and is logged once', async () => {
  await service.stop()
  rmSync(lastFolder(), { recursive: true, force: true })
  writeFileSync(lastFolder(), '')
  service = await service.restart()
  await stateIs('online')
  await cam.die()
  await stateIs('offline')
  await service.printed(/failed to save last frame/)
  expect((await snapshot()).status).toBe(200)
  expect(await service.stop()).toBe(0)
  expect(service.output().match(/failed to save last frame/g)).toHaveLength(1)
})

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let service: InProcessService
let guard: TestClient
let folder: string

beforeAll(async () => {
  service = await startService({
    config: { cameras: quietCameras, auth: { roles: { guard: ['yard'] } } },
  })
  guard = await service.user('gil', 'guard')
  folder = join(service.mediaDir, 'recordings')
})
afterAll(() => stopAll())

const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 100 })
const shown = async (camera: string): Promise<unknown> => (await service.internal.get(`/api/cameras/${camera}`)).json

async function turnOn(camera: string): Promise<void> {
  const { text } = await service.internal.get('/api/config/raw')
  const body = text.replace(new RegExp(`(  ${camera}:\\n    source: .*\\n    enabled: )false`), '$1true')
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
}

/** Blocks writing: a file takes the place of the folders of today and tomorrow. */
function blockDisk(): void {
  const days = [0, 86_400_000].map((later) => new Date(Date.now() + later).toISOString().slice(0, 10))
  for (const day of days) {
    rmSync(join(folder, day), { recursive: true, force: true })
    writeFileSync(join(folder, day), 'in the way')
  }
}

function freeDisk(): void {
  for (const name of readdirSync(folder)) if (/^\d/.test(name)) rmSync(join(folder, name), { recursive: true })
  mkdirSync(folder, { recursive: true })
}

test('a camera reports whether it is recorded, the reason if not, and changes as events; live view continues', async () => {
  expect(await shown('yard')).toMatchObject({ recording: false, recording_state: 'off' })

  const reported: object[] = []
  const socket = guard.socket('/api/events')
  onTestFinished(() => socket.terminate())
  socket.on('message', (data: Buffer) => void reported.push(JSON.parse(data.toString()) as object))
  await new Promise((resolve) => socket.once('open', resolve))

  blockDisk()
  await turnOn('yard')
  const paused = {
    state: 'online',
    recording: false,
    recording_state: 'paused',
    recording_detail: 'disk error',
    recording_reason: { code: 'disk-error' },
  }
  await until(async () => expect(await shown('yard')).toMatchObject(paused))
  await until(() =>
    expect(reported.at(-1)).toEqual({ type: 'camera', camera: 'yard', ...paused, motion_state: expect.any(String) }),
  )
  expect((await service.internal.get('/api/metrics')).text).toMatch(
    /gatehouse_camera_recording_paused\{camera="yard"\} 1/,
  )

  freeDisk()
  await until(async () => expect(await shown('yard')).toMatchObject({ state: 'online', recording_state: 'recording' }))
  await until(() => expect(reported.at(-1)).toMatchObject({ camera: 'yard', recording: true }))
  expect(reported.at(-1)).not.toHaveProperty('recording_reason')
})

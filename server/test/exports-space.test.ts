import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Export, ExportUsage } from '../src/exports/export-response.ts'
import type { DiskResponse } from '../src/recordings/storage.routes.ts'
import { stopAll } from './support/cleanups.ts'
import { holdExports, type HeldExports } from './support/held-exports.ts'
import { canMount, mount } from './support/mounts.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { startRtspCamera } from './support/rtsp-camera.ts'
import { ffmpeg, segmentsOf } from './support/seen-recordings.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const usageOf = async (client: TestClient): Promise<ExportUsage> =>
  (await client.get('/api/exports/usage')).json as ExportUsage
const reasonOf = ({ json }: Reply): { code: string; values?: Record<string, number | null> } =>
  (json as { reason: { code: string; values?: Record<string, number | null> } }).reason

/** Requests an export and waits for its end. @returns with the rejection if rejected */
async function exported(
  client: TestClient,
  body: object,
  { canFail }: { readonly canFail?: string } = {},
): Promise<{ done?: Export; refused?: Reply }> {
  const response = await client.post('/api/exports', body)
  if (response.status !== 202) return { refused: response }
  const { id } = response.json as { id: string }
  const one = await vi.waitFor(
    async () => {
      const now = (await client.get(`/api/exports/${id}`)).json as Export
      expect(['done', 'failed']).toContain(now.state)
      return now
    },
    { timeout: 90_000, interval: 50 },
  )
  if (one.reason && one.reason.code === canFail) return {}
  expect([one.state, one.reason]).toEqual(['done', undefined])
  return { done: one }
}

async function comesTo(at: TestClient, id: string, condition: object): Promise<void> {
  await vi.waitFor(async () => expect((await at.get(`/api/exports/${id}`)).json).toMatchObject(condition), {
    timeout: 60_000,
    interval: 50,
  })
}

async function limitPerUser(service: InProcessService, bytes: number): Promise<void> {
  const { text } = await service.internal.get('/api/config/raw')
  const body = text.replace(/export: .*/, `export: { max_gb_per_user: ${bytes / 1e9} }`)
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
}

/** Requests an export of the yard. @returns its id */
async function requested(at: TestClient, from: number): Promise<string> {
  const { status, json, text } = await at.post('/api/exports', { camera: 'yard', start: from + 1, end: from + 5 })
  expect(status, text).toBe(202)
  return (json as { id: string }).id
}

describe('limits of exports', () => {
  const cameras = {
    yard: { source: 'demo:yard', enabled: false },
    door: { source: 'demo:door', enabled: false },
  }
  const withLimits = (limits: object) => ({
    cameras,
    auth: { roles: { guard: ['yard'], porter: ['door'] } },
    export: limits,
  })

  async function start(limits: object, held?: HeldExports): Promise<{ service: InProcessService; from: number }> {
    const empty = await startService({ config: withLimits({}), ...(held && { held }) })
    await empty.stop()
    const from = Math.floor(Date.now() / 1000) - 3600
    for (const camera of ['yard', 'door'])
      await writeRecordings(empty.mediaDir, { camera, start: from * 1000, segments: 1 })
    const service = await empty.restart({ config: withLimits(limits) })
    await service.printed(/recordings reconciled/)
    return { service, from }
  }

  test('[ROLE-11] a user cannot exceed the limit per user, is rejected beforehand, and other users still have theirs', async () => {
    const { service, from } = await start({})
    const [gil, pia] = [await service.user('gil', 'guard'), await service.user('pia', 'porter')]
    const span = (camera: string) => ({ camera, start: from + 1, end: from + 5 })
    const first = (await exported(gil, span('yard'))).done
    expect(await usageOf(gil)).toEqual({
      own: { used: first?.bytes, limit: 10e9, left: 10e9 - first!.bytes! },
      state: 'free',
    })

    // Room for this export and most of another.
    const { text } = await service.internal.get('/api/config/raw')
    const put = async (max: number, key = 'max_gb_per_user') => {
      const body = text.replace('export: {}', `export: { ${key}: ${max / 1e9} }`)
      const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
      expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
    }
    await put(first!.bytes! * 1.2)
    expect(await usageOf(gil)).toMatchObject({ own: { used: first!.bytes }, state: 'near' })
    const { refused } = await exported(gil, span('yard'))
    expect([refused?.status, refused && reasonOf(refused).code]).toEqual([409, 'export-limit-own'])
    const values = refused && reasonOf(refused).values
    expect(values?.['left']).toBeCloseTo(first!.bytes! * 0.2, -1)
    expect(values?.['needed']).toBeGreaterThan(values?.['left'] ?? Infinity)
    await put(first!.bytes! * 20)
    const other = (await exported(pia, span('door'))).done
    expect(other).toBeDefined()

    // The total limit: a custom role is rejected, and sees no numbers of other users.
    const all = await usageOf(service.internal)
    expect(all.all?.used).toBeGreaterThan(all.own.used)
    await put((all.all?.used ?? 0) + 10, 'max_gb')
    const ofGuard = (await exported(gil, span('yard'))).refused
    expect(ofGuard && reasonOf(ofGuard)).toMatchObject({ code: 'export-limit-all', values: { left: null } })
    expect(await usageOf(gil)).toEqual({
      own: { used: first!.bytes, limit: 10e9, left: 10e9 - first!.bytes! },
      state: 'near',
    })
    const ofAdmin = (await exported(service.internal, span('yard'))).refused
    const reported = ofAdmin && reasonOf(ofAdmin).values
    expect(reported?.['left']).toBeCloseTo(10, 0)
    // Deleting makes room again.
    await put((reported?.['needed'] ?? 0) + 10, 'max_gb')
    expect((await exported(gil, span('yard'))).refused?.status).toBe(409)
    for (const id of [first!.id, other!.id])
      expect((await service.internal.delete(`/api/exports/${id}`)).status).toBe(204)
    expect((await exported(gil, span('yard'))).done).toBeDefined()
  })

  test('[ROLE-11] a limit of 0 allows no export at all', async () => {
    const { service, from } = await start({ max_gb: 0 })
    const none = (await exported(service.internal, { camera: 'yard', start: from + 1, end: from + 5 })).refused
    expect([none?.status, none && reasonOf(none).code]).toEqual([409, 'export-limit-all'])
    expect((await usageOf(service.internal)).state).toBe('full')
  })

  describe('apply to accepted exports', () => {
    const held = holdExports()
    afterAll(stopAll)
    const { hold, release } = held

    test('[ROLE-11] a lower limit fails waiting exports, and running ones finish', async () => {
      const { service, from } = await start({}, held)
      const gil = await service.user('gil', 'guard')
      hold()
      onTestFinished(release)
      const ids = [await requested(gil, from), await requested(gil, from), await requested(gil, from)]
      for (const id of ids.slice(0, 2)) await comesTo(gil, id, { state: 'running' })
      await limitPerUser(service, 1000)
      release()
      await comesTo(gil, ids[2]!, { state: 'failed', reason: { code: 'limit-reached' } })
      for (const id of ids.slice(0, 2)) await comesTo(gil, id, { state: 'done' })
    })

    test('[ROLE-11] an export that writes more than expected ends at the limit', async () => {
      const { service, from } = await start({}, held)
      const gil = await service.user('gil', 'guard')
      hold(2e6)
      onTestFinished(release)
      const id = await requested(gil, from)
      await comesTo(gil, id, { state: 'running' })
      const { used } = (await usageOf(gil)).own
      await limitPerUser(service, used + 1e6)
      await comesTo(gil, id, { state: 'failed', reason: { code: 'limit-reached' } })
      expect(await usageOf(gil)).toMatchObject({ own: { used: 0 } })
      expect(readdirSync(join(service.mediaDir, 'exports'))).toEqual([])
    })
  })
})

describe.skipIf(!canMount)('a small disk', () => {
  test('[ROLE-11] a custom role that exports in a loop is rejected, and other cameras keep recording', async () => {
    const cam = await startRtspCamera({ ffmpeg, size: '1280x720' })
    onTestFinished(() => cam.stop())
    const config = (enabled: boolean) => ({
      cameras: {
        yard: { source: 'demo:yard', enabled: false },
        door: { source: cam.url(), enabled },
      },
      auth: { roles: { guard: ['yard'] } },
    })
    const empty = await startService({ config: config(false) })
    await empty.stop()
    mount('-t', 'tmpfs', '-o', 'size=60m,mode=700', 'tmpfs', empty.mediaDir)
    const from = Math.floor(Date.now() / 1000) - 3600
    await writeRecordings(empty.mediaDir, {
      camera: 'yard',
      start: from * 1000,
      segments: 2,
      size: '640x360',
      bitrate: '4M',
    })
    const service = await empty.restart({ config: config(true) })
    await service.printed(/recordings reconciled/)
    const gil = await service.user('gil', 'guard')
    const doorCameraState = async (): Promise<string> => {
      const { recording_state, recording_reason } = (await service.internal.get('/api/cameras/door')).json as {
        recording_state: string
        recording_reason?: { code: string }
      }
      return [recording_state, recording_reason?.code].filter(Boolean).join(': ')
    }
    await vi.waitFor(async () => expect(await doorCameraState()).toBe('recording'), {
      timeout: 60_000,
      interval: 100,
    })

    // Exports as fast as possible; after the first rejection, until the other camera has recorded two more segments.
    let done = 0
    let refused: Reply | undefined
    let recorded = 0
    const pauses = new Set<string>()
    const segments = async (): Promise<number> => (await segmentsOf(service.internal, 'door')).length
    while (pauses.size === 0 && (!refused || (await segments()) < recorded + 2)) {
      // An export that was accepted ends, too, if the recordings need its space before it is done.
      const body = { camera: 'yard', start: from + 1, end: from + 19 }
      const outcome = await exported(gil, body, { canFail: 'disk-full' })
      if (outcome.done) done++
      if (outcome.refused) {
        if (!refused) recorded = await segments()
        // The first one: later on, the recording itself may give its space to newer ones.
        refused ??= outcome.refused
        await wait(200, 'asks again after a refusal')
      }
      // On a busy machine, it may wait for the camera, but never for space.
      const state = await doorCameraState()
      if (state.startsWith('paused')) pauses.add(state)
    }
    expect([...pauses]).toEqual([])
    expect(done).toBeGreaterThan(0)
    expect([refused?.status, refused && reasonOf(refused)]).toMatchObject([
      507,
      { code: 'export-no-space', values: { free: null } },
    ])

    const disk = (await service.internal.get('/api/recordings/disk')).json as DiskResponse
    expect(disk.reserve).toBeGreaterThan(20e6)
    expect(disk.exports).toBeLessThan(32e6)
    // The unused part of the half for recordings is free.
    expect(disk.free).toBeGreaterThan((disk.reserve ?? 0) - (disk.bytes ?? 0))
  })
})

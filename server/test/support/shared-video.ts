import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { makeSegment, seedRecordings } from './seeded-recordings.ts'
import { startService, type InProcessService } from './start-service.ts'
import type { TestClient } from './test-client.ts'

/** Unix seconds: the start of the newest of the segments, of ten seconds each. */
export const last = Math.floor(Date.now() / 1000) - 120
const count = 6
/** Unix seconds: the start of the oldest segment. */
export const first = last - (count - 1) * 10

/** Cameras `yard` and `door`, of a file with audio, which do not record. */
export const sharedCameras = Object.fromEntries(
  ['yard', 'door'].map((name) => [
    name,
    { source: 'file:tone.mp4', record: { enabled: false }, motion: { enabled: false } },
  ]),
)

const allow = ['live', 'audio', 'history', 'review', 'export', 'download']
/** Roles that can share, and one that cannot. */
export const sharingRoles = {
  sharer: { cameras: ['yard'], allow: [...allow, 'share'] },
  other: { cameras: ['door'], allow: [...allow, 'share'] },
  silent: { cameras: ['yard'], allow: ['live', 'share'] },
  guard: ['yard'],
}

/** Starts a service whose two cameras have live video and a minute of recordings. */
export async function startWithVideo(config: object): Promise<InProcessService> {
  const made = await startService({ config: { tls: { enabled: false }, cameras: sharedCameras, ...config } })
  await made.stop()
  const sample = join(made.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '1280x720', bitrate: '8000k', audio: true })
  copyFileSync(sample, join(made.mediaDir, 'tone.mp4'))
  for (const camera of Object.keys(sharedCameras)) seedRecordings(made, camera, { sample, count, last })
  return made.restart()
}

/** Exports the recordings of a camera. @returns the id, once the export is done */
export async function makeExport(client: TestClient, camera = 'yard'): Promise<string> {
  const { json } = await client.post('/api/exports', { camera, start: first, end: last + 10 })
  const { id } = json as { id: string }
  const done = async () => expect((await client.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' })
  await vi.waitFor(done, { timeout: 60_000, interval: 50 })
  return id
}

import { expect } from 'vitest'
import type { StorageResponse } from '../../src/recordings/storage.routes.ts'

/** Asks a service that a test can't reach as others do: in a container, on another machine. */
export interface Asking {
  get(path: string): Promise<{ readonly json: unknown }>
  post(path: string, body: object): Promise<{ readonly status: number; readonly json: unknown }>
}

const patient = { timeout: 240_000, interval: 500 }

/**
 * Waits until a camera has a recording, and exports its first five seconds.
 *
 * @returns the path of the export's video
 */
export async function exportRecording(camera: string, { get, post }: Asking): Promise<string> {
  const oldest = async () => {
    const { cameras } = (await get('/api/recordings/storage')).json as StorageResponse
    return cameras.find((each) => each.camera === camera)?.oldest
  }
  await expect.poll(oldest, patient).toBeTypeOf('number')
  const start = (await oldest())!
  const { status, json } = await post('/api/exports', { camera, start, end: start + 5 })
  expect(status).toBe(202)
  const path = `/api/exports/${(json as { id: string }).id}`
  const state = async () => ((await get(path)).json as { state: string }).state
  await expect.poll(state, patient).toBe('done')
  return `${path}/video.mp4`
}

import { join } from 'node:path'
import { expect } from 'vitest'
import { quietCameras } from './quiet-cameras.ts'
import { send, startS3, storageOf, type S3Server } from './s3-server.ts'
import { makeSegment, seedRecordings } from './seeded-recordings.ts'
import { filesOf } from './seen-recordings.ts'
import { startService, type InProcessService } from './start-service.ts'
import type { TestClient } from './test-client.ts'
import { advanceUntil } from './test-clock.ts'

/** Segments older than a day, and newer ones, of the camera yard. */
export const [old, recent] = [6, 3]
export interface Fixture {
  readonly s3: S3Server
  service: InProcessService
  readonly guard: TestClient
  /** Unix seconds: the start of the oldest segment, and the end of the old ones. */
  readonly from: number
  readonly to: number
}

export const range = ({ from, to }: Pick<Fixture, 'from' | 'to'>) => `after=${from - 5}&before=${to + 5}`

export const refuse: NonNullable<S3Server['fault']> = (_, response) => {
  send(response, 503, 'SlowDown')
  return true
}

/** The storage accepts nothing until its fault is taken away. */
export async function fixture(): Promise<Fixture> {
  let running: InProcessService | undefined
  const s3 = await startS3(() => running?.clock.now() ?? Date.now())
  s3.fault = refuse
  const config = {
    tls: { enabled: false },
    auth: { roles: { guard: ['yard'], other: ['door'] } },
    cameras: quietCameras,
    storage: storageOf(s3, {}, { after_hours: 24 }),
  }
  const first = await startService({ config })
  await first.stop()
  const now = Math.floor(Date.now() / 1000)
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '64x64', bitrate: '50k' })
  const last = now - 30 * 3600
  seedRecordings(first, 'yard', { sample, count: old, last })
  seedRecordings(first, 'yard', { sample, count: recent, last: now - 3600 })
  const service = (running = await first.restart())
  const made: Fixture = {
    s3,
    get service() {
      return running!
    },
    set service(next) {
      running = next
    },
    guard: await service.user('gus', 'guard'),
    from: last - (old - 1) * 10,
    to: last + 10,
  }
  return made
}

const recordings = (key: string): boolean => key.startsWith('recordings/')
export const stored = ({ s3 }: Fixture): string[] => [...s3.objects.keys()].filter(recordings)

/** Lets the storage work, and advances until all old segments are in the object storage, and only there. */
export function moved(made: Fixture): Promise<void> {
  made.s3.fault = undefined
  return advanceUntil(
    made.service.clock,
    () => {
      expect(stored(made)).toHaveLength(old)
      expect(filesOf(made.service).size).toBe(recent)
    },
    { step: 1000 },
  )
}

export async function segmentsOf({ guard, from, to }: Fixture): Promise<{ id: string }[]> {
  const { json } = await guard.get(`/api/cameras/yard/recordings?${range({ from, to })}`)
  return (json as { segments: { id: string }[] }).segments
}

import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { segmentFile } from '../src/recordings/segments/segment-name.ts'
import { stopAll } from './support/cleanups.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { signIn } from './support/sign-in.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

afterAll(() => stopAll())

test('[RATE-7] a recordings disk that hangs delays no login, and waiting requests continue afterwards', async () => {
  const count = 40
  const last = Math.floor(Date.now() / 1000) - 60
  const first = await startGatehouse({ config: { cameras: quietCameras, tls: { enabled: false } } })
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 2, size: '64x64', bitrate: '50k' })
  await first.user('ann')
  await first.stop()
  seedRecordings(first, 'yard', { sample, count, last })
  seedRecordings(first, 'door', { sample, count: 1, last })
  // Missing files are dropped from the index and logged: then the files have been scanned.
  seedRecordings(first, 'office', { sample, count: 1, last, rowsOnly: true })
  const service = await first.restart()
  await service.printed(/recordings reconciled/)
  const segmentsOf = async (camera: string): Promise<string[]> => {
    const { json } = await service.internal.get(
      `/api/cameras/${camera}/recordings?after=${last - 3600}&before=${last + 10}`,
    )
    const { segments } = json as { segments: { id: string }[] }
    return segments.map(({ id }) => `/api/cameras/${camera}/segments/${id}/init.mp4`)
  }
  const [hanging, [well = '']] = [await segmentsOf('yard'), await segmentsOf('door')]
  expect(hanging).toHaveLength(count)

  // Reading a pipe without a writer blocks in the kernel, as on an unreachable network disk.
  const files = hanging.map((_, each) =>
    join(service.mediaDir, 'recordings', segmentFile(cameraKey('yard'), (last - each * 10) * 1000)),
  )
  for (const file of files) rmSync(file)
  execFileSync('mkfifo', files)
  const responses = Promise.all([...hanging, well].map((path) => service.internal.get(path)))
  responses.catch(() => undefined)
  // Those requests have started once a later one is answered.
  expect((await service.internal.get('/api/health')).status).toBe(200)
  const ann = await signIn(service.gate, 'ann')
  expect((await ann.get('/api/profile')).status).toBe(200)
  const wrong = await service.internal.post('/api/config/check', 'cameras: 1', { 'content-type': 'text/yaml' })
  expect(wrong.status).toBe(200)

  for (const file of files) closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK))
  const done = setInterval(() => {
    for (const file of files) closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK))
  }, 50)
  const all = await responses.finally(() => clearInterval(done))
  // A file that can't be read isn't one that is missing.
  expect(all.map(({ status }) => status)).toEqual([...hanging.map(() => 503), 200])
})

import { quietCameras } from './quiet-cameras.ts'
import { makeSegment, seedRecordings } from './seeded-recordings.ts'
import { startService, type InProcessService } from './start-service.ts'

/** Start of the newest of the segments, of ten seconds each. */
export const last = Math.floor(Date.now() / 1000) - 60
export const count = 80
export const first = last - (count - 1) * 10

/** A stopped service with recordings and review items of two cameras, to be started by several tests. */
export async function withRecordings(config: object): Promise<InProcessService> {
  const service = await startService({ config: { cameras: quietCameras, tls: { enabled: false }, ...config } })
  await service.stop()
  const sample = `${service.dir}/sample.mp4`
  await makeSegment(sample, { seconds: 10, size: '320x180', bitrate: '100k' })
  for (const camera of ['yard', 'office']) seedRecordings(service, camera, { sample, count, last })
  return service.restart()
}

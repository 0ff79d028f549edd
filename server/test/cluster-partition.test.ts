import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { segmentOf } from '../src/recordings/segments/segment-file.ts'
import { segmentFile } from '../src/recordings/segments/segment-name.ts'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startClusterProcesses, type Cluster } from './support/cluster.ts'
import { stopwatch } from './support/own-time.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { makeSegment } from './support/seeded-recordings.ts'
import type { Gatehouse } from './support/start-gatehouse.ts'
import { statusOf, type TestClient } from './support/test-client.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const first = Math.floor(Date.now() / 1000) - 3600

/** A download that has begun. */
async function begun({ port, headers }: TestClient, path: string) {
  const sent = request({ host: '127.0.0.1', port, path, headers })
  sent.on('error', () => {})
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return {
    status: response.statusCode,
    /** Reads to the end. @returns whether all of it arrived */
    async finish() {
      const closed = new Promise((done) => void response.once('close', done))
      response.resume()
      await closed
      return response.complete
    },
  }
}

/** Gives an instance five minutes of a camera's recordings, large enough that a download takes a while. */
async function record({ ask, instances: [, owner] }: Cluster<Gatehouse>): Promise<void> {
  const folder = join(owner!.service.mediaDir, 'recordings')
  const sample = join(owner!.service.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x480', bitrate: '12M' })
  const volume = readFileSync(join(folder, '.library'), 'utf8').trim()
  for (let nth = 0; nth < 30; nth++) {
    const start = (first + nth * 10) * 1000
    const file = segmentFile(cameraKey('yard'), start)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(sample, join(folder, file))
    const found = (await segmentOf(folder, file))!
    await ask(
      `insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, epoch)
       values ('${volume}', 'yard', ${start}, ${found.end}, ${found.bytes}, ${found.initBytes}, 0, ${first}, '${file}', 1)`,
    )
  }
}

describe.skipIf(!canCluster)('an instance whose disk another one reads', () => {
  let gate: Gatehouse
  let owner: Gatehouse
  beforeAll(async () => {
    const cluster = await startClusterProcesses({ count: 2, config: { cameras: quietCameras } })
    await record(cluster)
    ;[gate, owner] = cluster.instances.map(({ service }) => service) as [Gatehouse, Gatehouse]
  })
  afterAll(stopAll)

  const segment = `/api/cameras/yard/segments/${first * 1000}/video.m4s?at=0`
  const isReadable = (timeout: number) =>
    expect.poll(() => statusOf(gate.internal, segment), { timeout, interval: 200 }).toBe(200)

  async function cutBy(signal: NodeJS.Signals): Promise<void> {
    const at = gate.internal
    await isReadable(60_000)
    const download = await begun(at, `/api/cameras/yard/clip.mp4?start=${first}&end=${first + 300}`)
    expect(download.status).toBe(200)
    owner.process.kill(signal)
    const elapsed = stopwatch('gatehouse_cluster_', gate.process.pid!)
    expect(await download.finish()).toBe(false)
    expect(await at.get(segment)).toMatchObject({ status: 503, json: { reason: { code: 'instance-unreachable' } } })
    expect(elapsed()).toBeLessThan(30_000)
    expect((await at.get('/api/cameras')).status).toBe(200)
  }

  test('[NODE-3] stopped by SIGSTOP, and continued in the middle of a download: the download is cut and nothing hangs', async () => {
    onTestFinished(() => void owner.process.kill('SIGCONT'))
    await cutBy('SIGSTOP')
    owner.process.kill('SIGCONT')
    await isReadable(90_000)
  })

  test('[NODE-3] killed in the middle of a download: the download is cut and nothing hangs', () => cutBy('SIGKILL'))
})

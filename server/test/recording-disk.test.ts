import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { aroundEach, describe, expect, test, vi } from 'vitest'
import { createFmp4Parser } from '../src/media/mp4/fmp4-parser.ts'
import { onThisTestFinished, separateCleanups } from './support/cleanups.ts'
import { canMount, fill, mount, remount } from './support/mounts.ts'
import { stopwatch } from './support/own-time.ts'
import { startRtspCamera } from './support/rtsp-camera.ts'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { decoded, expectAgreement, fetched, ffmpeg, filesOf, secondsIn, segmentsOf } from './support/seen-recordings.ts'
import type { Service } from './support/service.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const until = <T>(check: () => Promise<T> | T, seconds = 60): Promise<T> =>
  vi.waitFor(check, { timeout: seconds * 1000, interval: 100 })

/** Every frame that a viewer gets, by its time in the stream. */
async function watch(client: TestClient, camera: string): Promise<{ times: number[]; streams: () => number }> {
  const times: number[] = []
  let streams = 0
  const parser = createFmp4Parser({
    init: () => void streams++,
    fragment: ({ video, time }) => void (video && times.push(time)),
  })
  const socket = client.socket(`/api/cameras/${camera}/live`)
  onThisTestFinished(() => socket.terminate())
  socket.on('message', (data: Buffer, isBinary) => void (isBinary && parser.write(data)))
  await once(socket, 'open')
  return { times, streams: () => streams }
}

/** A camera that records to a separate small disk. @param old number of existing segments */
async function withCamera(
  old = 0,
): Promise<{ service: InProcessService; state: (condition: object) => Promise<void> }> {
  const cam = await startRtspCamera({ ffmpeg })
  onThisTestFinished(() => cam.stop())
  const config = { tls: { enabled: false }, cameras: { yard: { source: cam.url() } } }
  const service = await startService({
    config: { ...config, cameras: { yard: { source: cam.url(), enabled: false } } },
  })
  await service.stop()
  const folder = join(service.mediaDir, 'recordings')
  const volume = readFileSync(join(folder, '.library'))
  mount('-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder)
  writeFileSync(join(folder, '.library'), volume)
  if (old > 0) {
    const sample = join(service.dir, 'sample.mp4')
    await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '900k' })
    seedRecordings(service, 'yard', { sample, count: old, last: Math.floor(Date.now() / 1000) - 600 })
  }
  const again = await service.restart({ config })
  const state = (condition: object): Promise<void> =>
    until(async () => expect((await again.internal.get('/api/cameras/yard')).json).toMatchObject(condition))
  return { service: again, state }
}

const hashes = (service: Service): Map<string, string> =>
  new Map(
    [...filesOf(service).keys()]
      .filter((file) => file.endsWith('.mp4'))
      .map((file) => {
        const data = readFileSync(join(service.mediaDir, 'recordings', file))
        return [file, createHash('sha256').update(data).digest('hex')]
      }),
  )

// They mostly wait for video at its own speed, each with its own disk and camera.
describe.skipIf(!canMount)('the disk of recordings', { concurrent: true }, () => {
  aroundEach(separateCleanups)

  test('full, then read-only: recording pauses with the reason, resumes automatically, and no viewer misses a frame', async () => {
    const { service, state } = await withCamera()
    const folder = join(service.mediaDir, 'recordings')
    await state({ recording_state: 'recording' })
    const seen = await watch(service.internal, 'yard')
    // Two files can both be drafts: a finished segment is renamed only once it is on disk.
    await until(() => expect(hashes(service).size).toBeGreaterThanOrEqual(1))
    const before = hashes(service)

    const fullAt = Date.now() / 1000
    fill(join(folder, 'filler'))
    await state({ state: 'online', recording_state: 'paused', recording_reason: { code: 'disk-full' } })
    // It is retried in the meantime, and still paused.
    await wait(6000, 'a retry of the recorder, at the speed of the camera')
    await state({ state: 'online', recording_state: 'paused', recording_reason: { code: 'disk-full' } })
    rmSync(join(folder, 'filler'))
    const freeAt = Date.now() / 1000
    await state({ state: 'online', recording_state: 'recording' })

    mount('--bind', folder, folder)
    const readOnlyAt = Date.now() / 1000
    remount(folder, 'ro')
    await state({ state: 'online', recording_state: 'paused', recording_reason: { code: 'disk-read-only' } })
    remount(folder, 'rw')
    const writableAt = Date.now() / 1000
    await state({ state: 'online', recording_state: 'recording' })
    await wait(3000, 'some seconds of the recording that follows')

    const steps = seen.times.slice(1).map((time, i) => time - seen.times[i]!)
    expect(seen.streams()).toBe(1)
    expect(seen.times.at(-1)! - seen.times[0]!).toBeGreaterThan(25)
    expect(Math.max(...steps.map((step) => Math.abs(step - 0.1)))).toBeLessThan(0.05)

    const stoppedAt = Date.now() / 1000
    expect(await service.stop()).toBe(0)
    // Existing segments are unchanged, to the byte.
    const after = hashes(service)
    for (const [file, hash] of before) expect(after.get(file), file).toBe(hash)
    expectAgreement(service)
    expect([...filesOf(service).keys()].filter((file) => file.endsWith('.part'))).toEqual([])
    const again = await service.restart({ config: { cameras: { yard: { source: 'demo:yard', enabled: false } } } })
    const segments = await segmentsOf(again.internal, 'yard')
    for (const { id } of segments) expect((await decoded((await fetched(again, 'yard', id)).file)).complaints).toBe('')
    // Gaps are only where nothing could be written. On a busy machine, frames arrive late, and so does the next attempt.
    const missing = segments.slice(1).map(({ start }, i) => [segments[i]!.end, start] as const)
    for (const [from, to] of missing.filter(([from, to]) => to - from > 0.5)) {
      const full = from > fullAt - 5 && to < freeAt + 10
      const readOnly = from > readOnlyAt - 5 && to < writableAt + 10
      const when = `full from ${fullAt} to ${freeAt}, read-only from ${readOnlyAt} to ${writableAt}`
      expect(full || readOnly, `${from} to ${to}; ${when}`).toBe(true)
    }
    // Frames of the last seconds can still be on their way, more of them on a busy machine.
    expect(Math.abs(segments.at(-1)!.end - stoppedAt)).toBeLessThan(15)
    expect(secondsIn(segments)).toBeGreaterThan(15)
  })

  test('full, with a limit below its contents: the oldest segments are deleted immediately', async () => {
    const { service, state } = await withCamera(5)
    const folder = join(service.mediaDir, 'recordings')
    await state({ recording_state: 'recording' })
    const [oldest] = [...filesOf(service).keys()].sort()
    fill(join(folder, 'filler'))
    await state({ recording_state: 'paused', recording_reason: { code: 'disk-full' } })
    const { text } = await service.internal.get('/api/config/raw')
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    const body = `${text}\nrecording:\n  max_gb: 0.0001\n`
    const elapsed = stopwatch()
    expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
    await until(() => expect(filesOf(service).has(oldest!)).toBe(false))
    await state({ recording_state: 'recording' })
    // Does not wait for the next round.
    expect(elapsed()).toBeLessThan(25_000)
  })
})

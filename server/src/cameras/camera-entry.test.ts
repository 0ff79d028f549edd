import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import type { PullPlace } from '../shared/cluster/camera-leases.ts'
import { createCameraEntry } from './camera-entry.ts'

const unused = () => {
  throw new Error('not used here')
}

test.each<[where: string, place: PullPlace, followed: number]>([
  ['is pulled here', { kind: 'here', epoch: 1 }, 1],
  ['another instance pulls', { kind: 'elsewhere', instance: 'two', epoch: 1 }, 0],
  ['no instance pulls', { kind: 'nowhere' }, 0],
])('the live stream is followed for polled snapshots of a camera that %s: %o', async (_where, place, followed) => {
  const clock = createTestClock()
  let at = 1
  let follows = 0
  const entry = createCameraEntry({
    key: cameraKey('yard'),
    setting: { source: 'demo:yard', title: '', enabled: true },
    camera: {
      status: { state: 'connecting', resolution: null, fps: null, codec: null },
      reported: undefined,
      counts: { since: 0, restarts: 0, bytes: 0, pid: undefined },
      viewers: 0,
      frame: undefined,
      latestFrame: () => Promise.resolve({ at, mp4: [] }),
      forget: unused,
      watch: unused,
      follow: () => ((follows += 1), () => undefined),
      lend: unused,
      show: unused,
      stop: unused,
    },
    jpegEncoder: { jpegOf: (frame) => Promise.resolve(Buffer.from(`jpeg ${frame.at}`)) },
    startJpegDecoder: () => ({ begin() {}, fragment: () => false, end() {}, stop() {} }),
    storedFrame: () => Promise.resolve(undefined),
    clock,
  })
  entry.place = place
  await entry.snapshots.latest()
  await clock.advance(2000)
  at = 2
  expect(await entry.snapshots.latest()).toEqual({ jpeg: Buffer.from('jpeg 2'), at: 2 })
  expect(Math.sign(follows)).toBe(followed)
})

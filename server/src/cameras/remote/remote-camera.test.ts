import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { createBroadcaster, type Broadcaster } from '../../media/live/broadcaster.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import { systemRandom } from '../../shared/random.ts'
import type { ReportedCamera } from './camera-report.ts'
import { createRemoteCamera, type RemoteCamera } from './remote-camera.ts'
import { createReportedCameras, type ReportedCameras } from './reported-cameras.ts'

const online: ReportedCamera = {
  state: 'online',
  resolution: '1280x720',
  fps: 25,
  codec: 'avc1.4D401F',
  recording: true,
  recording_state: 'recording',
  motion_state: 'active',
}
const one = { kind: 'elsewhere', instance: 'one', epoch: 1 } as const
const two = { kind: 'elsewhere', instance: 'two', epoch: 2 } as const

let clock: TestClock
let reports: ReportedCameras
let broadcaster: Broadcaster
let camera: RemoteCamera
/** The instances that were asked for a stream, in order. */
let opened: string[]
let notices: string[]
let changes: number

beforeEach(() => {
  clock = createTestClock()
  reports = createReportedCameras()
  broadcaster = createBroadcaster()
  opened = []
  notices = []
  changes = 0
  const client: InnerClient = {
    request(instance, { path, ticket, signal }) {
      opened.push(`${instance} ${path} ${ticket.camera}`)
      const body = new Readable({ read() {} })
      signal?.addEventListener('abort', () => body.destroy())
      return Promise.resolve({ status: 200, headers: {}, body })
    },
  }
  const others = { client, reports, keyOf: (name: string) => `key of ${name}` }
  const onChange = () => void changes++
  camera = createRemoteCamera({ name: 'yard', others, broadcaster, clock, log: silent, random: systemRandom, onChange })
  const viewer = {
    waiting: 0,
    onClose: () => {},
    close: () => {},
    send: (data: string | Uint8Array) => void notices.push(String(data)),
  }
  broadcaster.join(viewer, 'first', true)
})

test('[NODE-3] a camera is as the instance that pulls it reports, and each change notifies once', () => {
  reports.connected('one')
  camera.show(one)
  expect(camera.status.state).toBe('connecting')
  reports.receive('one', { key: 'key of yard', camera: online })
  expect(camera.status).toEqual({ state: 'online', resolution: '1280x720', fps: 25, codec: 'avc1.4D401F' })
  expect(camera.reported).toEqual(online)
  const before = changes
  reports.receive('one', { key: 'key of yard', camera: online })
  reports.receive('one', { key: 'key of door', camera: { ...online, fps: 5 } })
  reports.receive('two', { key: 'key of yard', camera: { ...online, fps: 5 } })
  expect(changes).toBe(before)
  reports.receive('one', { key: 'key of yard', camera: { ...online, recording: false } })
  expect(changes).toBe(before + 1)
})

test('[NODE-3] a camera whose instance is away is offline, and says so to its viewers', () => {
  reports.connected('one')
  camera.show(one)
  reports.receive('one', { key: 'key of yard', camera: online })
  reports.away('one')
  expect(camera.status).toMatchObject({ state: 'offline', problem: { code: 'instance-away' } })
  expect(camera.reported).toBeUndefined()
  expect(notices.at(-1)).toContain('"instance-away"')
})

test('[NODE-3] a camera that no instance pulls is offline after a while, unless one takes it over', async () => {
  camera.show({ kind: 'nowhere' })
  expect(camera.status.state).toBe('connecting')
  await clock.advance(14_000)
  camera.show(one)
  await clock.advance(10_000)
  expect(camera.status.state).toBe('connecting')
  camera.show({ kind: 'nowhere' })
  await clock.advance(15_000)
  expect(camera.status).toMatchObject({ state: 'offline', problem: { code: 'no-instance' } })
  expect(notices.at(-1)).toContain('"no-instance"')
})

test('[NODE-3] the stream comes from the instance that pulls the camera now, and only while someone needs it', async () => {
  camera.show(one)
  expect(opened).toEqual([])
  const release = camera.demand()
  expect(opened).toEqual(['one /live key of yard'])
  camera.show(two)
  expect(opened.slice(1)).toEqual(['two /live key of yard'])
  camera.show(undefined)
  await clock.advance(60_000)
  expect(opened).toHaveLength(2)
  release()
  await clock.advance(10_000)
  camera.show(one)
  expect(opened).toHaveLength(2)
  expect(clock.pending()).toBe(0)
})

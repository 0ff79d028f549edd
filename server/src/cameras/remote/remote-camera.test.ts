import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { createBroadcaster, type Broadcaster } from '../../media/live/broadcaster.ts'
import type { Fragment } from '../../media/mp4/fragment.ts'
import type { InitSegment } from '../../media/mp4/init-segment.ts'
import type { InnerClient, InnerResponse } from '../../shared/cluster/inner-client.ts'
import { encodeFrame } from '../../shared/cluster/message-frames.ts'
import { systemRandom } from '../../shared/random.ts'
import type { ReportedCamera } from './camera-report.ts'
import { createRemoteCamera, type RemoteCamera } from './remote-camera.ts'
import { createReportedCameras, type ReportedCameras } from './reported-cameras.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

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

const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }
const key: Fragment = {
  data: Buffer.from('key frame'),
  key: true,
  video: true,
  time: 0,
  duration: 1,
  samples: 1,
  first: { start: 0, end: 9 },
}

const away = (): Promise<InnerResponse> => Promise.reject(new Error('unreachable'))
const respond = (status: number, body: Buffer | string) => (): Promise<InnerResponse> =>
  Promise.resolve({ status, headers: {}, body: Readable.from([body]) })
const noFrame = respond(404, '{"code":"not-found"}')
const frameOf = (at: number) => respond(200, Buffer.concat([String(at), init.data, key.data].map(encodeFrame)))

let clock: TestClock
let reports: ReportedCameras
let broadcaster: Broadcaster
let camera: RemoteCamera
/** The instances that were asked for a stream, in order. */
let opened: string[]
/** The bodies of their streams. */
let streams: Readable[]
/** Answers requests for a frame. */
let frame: () => Promise<InnerResponse>
let notices: string[]
let changes: number

beforeEach(() => {
  clock = createTestClock()
  reports = createReportedCameras()
  broadcaster = createBroadcaster()
  opened = []
  streams = []
  frame = away
  notices = []
  changes = 0
  const client: InnerClient = {
    request(instance, { path, ticket, signal }) {
      if (path === '/frame') return frame()
      opened.push(`${instance} ${path} ${ticket.camera}`)
      const body = new Readable({ read() {} })
      streams.push(body)
      signal?.addEventListener('abort', () => body.destroy())
      return Promise.resolve({ status: 200, headers: {}, body })
    },
  }
  const others = { client, reports, keyOf: (name: string) => cameraKey(`key of ${name}`) }
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

test('[NODE-3] a camera whose instance is unavailable is offline, and says so to its viewers', () => {
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

/** A frame that is requested is reused for a second. */
async function frameLater() {
  await clock.advance(1_100)
  return camera.frame()
}

/** The instance that pulls the camera says that there is no video. */
async function end(): Promise<void> {
  streams[0]!.push(encodeFrame('{"state":"connecting"}'))
  await expect.poll(() => broadcaster.held).toBeUndefined()
}

describe('[NODE-3] the last frame of a camera whose stream has ended', () => {
  beforeEach(async () => {
    camera.show(one)
    camera.demand()
    await clock.advance(0)
    broadcaster.begin(init)
    broadcaster.push(key, 42)
    expect(await camera.frame()).toMatchObject({ at: 42 })
  })

  test('is shown as long as the instance that pulls it can’t be reached', async () => {
    await end()
    expect(await camera.frame()).toMatchObject({ at: 42 })
    frame = respond(200, encodeFrame('43'))
    expect(await frameLater()).toMatchObject({ at: 42 })
    frame = frameOf(44)
    expect(await frameLater()).toMatchObject({ at: 44 })
    frame = away
    expect(await frameLater()).toMatchObject({ at: 44 })
  })

  test('is no longer shown once that instance has answered that it has none, as after a change of the source', async () => {
    await end()
    frame = noFrame
    expect(await camera.frame()).toBeUndefined()
    frame = away
    expect(await frameLater()).toBeUndefined()
  })

  test('is no longer shown after a change of the source, even while that instance can’t be reached', async () => {
    await end()
    camera.forget()
    expect(await camera.frame()).toBeUndefined()
  })

  test('one requested before the change, or of the stream that began before it, is not shown either', async () => {
    frame = frameOf(43)
    camera.forget()
    expect(await camera.frame()).toMatchObject({ at: 43 })
    const late = Promise.withResolvers<InnerResponse>()
    frame = () => late.promise
    await clock.advance(1_100)
    const requested = camera.frame()
    camera.forget()
    late.resolve(await frameOf(44)())
    expect(await requested).toBeUndefined()
    frame = noFrame
    expect(await camera.frame()).toBeUndefined()
  })
})

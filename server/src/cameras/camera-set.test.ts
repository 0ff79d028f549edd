import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { noConsumer, startCameras, settingsOf } from '../../test/support/cameras-alone.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import { encodeFrame } from '../shared/cluster/message-frames.ts'
import type { CameraEntry } from './camera-entry.ts'
import { createCameraSet } from './camera-set.ts'
import { createReportedCameras } from './remote/reported-cameras.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { scopedCamera } from '../../test/support/scoped.ts'

const placeOf = () => ({ kind: 'elsewhere', instance: 'one', epoch: 1 }) as const

test('[CAM-4] [NODE-1] a camera that replaced another one of its name in one step has its own consumers, and none of the former viewers', async () => {
  const keys = new Map([['yard', 'yard']])
  const keyOf = (name: string) => cameraKey(keys.get(name) ?? name)
  const resolved: string[] = []
  const consumerOf = (name: string) => (resolved.push(keyOf(name)), noConsumer)
  const { cameras } = startCameras({ yard: 'demo:yard', door: 'demo:door' }, { ffmpeg: undefined, keyOf }, consumerOf)
  const closed: string[] = []
  const watch = (name: string) =>
    cameras.watch(
      scopedCamera(name),
      { waiting: 0, send() {}, onClose() {}, close: (code) => void closed.push(`${name} ${code}`) },
      true,
    )
  watch('yard')
  watch('door')

  keys.set('yard', 'yard~2')
  cameras.apply(settingsOf({ yard: 'demo:office', door: 'demo:door' }))
  expect(resolved).toEqual(['yard', 'door', 'yard~2'])
  await expect.poll(() => closed).toEqual(['yard 1001'])
  expect(cameras.sourceOf('yard')).toBe('demo:office')

  watch('yard')
  cameras.apply(settingsOf({ yard: 'demo:door', door: 'demo:door' }))
  expect(resolved).toHaveLength(3)
  expect(closed).toHaveLength(1)
  expect(cameras.responseOf('yard').state).not.toBe('disabled')
})

test('[NODE-3] the last frame that another instance sent is not shown once the source is another one, and is while it is the same', async () => {
  const body = Buffer.concat(['42', Buffer.from('init'), Buffer.from('key frame')].map(encodeFrame))
  let isAway = false
  const client: InnerClient = {
    request: () =>
      isAway
        ? Promise.reject(new Error('unreachable'))
        : Promise.resolve({ status: 200, headers: {}, body: Readable.from([body]) }),
  }
  const others = { client, reports: createReportedCameras(), keyOf: cameraKey }
  const { cameras } = startCameras({ yard: 'demo:yard' }, { ffmpeg: undefined, others, placeOf })
  const seen: number[] = []
  const request = () => cameras.latest(scopedCamera('yard'), undefined, (at) => seen.push(at) > 0)
  await request()
  isAway = true
  cameras.apply(settingsOf({ yard: 'demo:yard' }))
  await request()
  expect(seen).toEqual([42, 42])
  cameras.apply(settingsOf({ yard: 'demo:door' }))
  await expect(request()).rejects.toMatchObject({ code: 'unavailable' })
  expect(seen).toHaveLength(2)
})

test('everything made from the former source is dropped once the source is another one, and nothing while it is the same', () => {
  const dropped: string[] = []
  const part = (name: string) => ({ forget: () => void dropped.push(name) })
  const set = createCameraSet({
    mediaDir: '/media',
    keyOf: cameraKey,
    placeOf: () => ({ kind: 'nowhere' }),
    create: (key, setting) =>
      ({
        key,
        setting,
        camera: { ...part('frames'), show: () => Promise.resolve() },
        snapshots: part('snapshots'),
        hls: part('segments'),
        mjpeg: part('repeated frames'),
      }) as unknown as CameraEntry,
    forgetFrame: (name) => void dropped.push(`stored frame of ${name}`),
  })
  set.apply(settingsOf({ yard: 'demo:yard' }).cameras)
  set.apply(settingsOf({ yard: 'demo:yard' }).cameras)
  expect(dropped).toEqual([])
  set.apply(settingsOf({ yard: 'demo:door' }).cameras)
  expect(dropped.toSorted()).toEqual(['frames', 'repeated frames', 'segments', 'snapshots', 'stored frame of yard'])
})

import { expect, test } from 'vitest'
import { cameraKey, type CameraKey } from '../shared/camera/camera-keys.ts'
import { pullCameras } from './pull-cameras.ts'

const yard = cameraKey('yard')

test('[NODE-2] a lease that comes or goes while the cameras begin to be pulled is followed', () => {
  const listeners = new Set<(camera: CameraKey) => void>()
  const moved: string[] = []
  const stop = pullCameras({
    leases: {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    cluster: undefined,
    registry: { nameOf: () => 'yard' },
    features: [{ moved: (camera) => void moved.push(camera) }],
    pull: () => listeners.forEach((listener) => listener(yard)),
  })
  expect(moved).toEqual(['yard'])
  stop()
  expect(listeners.size).toBe(0)
})

test('[NODE-2] a camera is released once each feature has left it, and then has saved all of it', async () => {
  const done: string[] = []
  let release: ((camera: CameraKey) => Promise<unknown>) | undefined
  const feature = (name: string) => ({
    async moved() {
      await Promise.resolve()
      done.push(`${name} left`)
    },
    async settled() {
      await Promise.resolve()
      done.push(`${name} saved`)
    },
  })
  pullCameras({
    leases: { subscribe: () => () => {} },
    cluster: { onRelease: (settled) => void (release = settled) },
    registry: { nameOf: () => 'yard' },
    features: [feature('recordings'), feature('cameras')],
    pull: () => {},
  })
  await release!(yard)
  expect(done).toEqual(['recordings left', 'cameras left', 'recordings saved', 'cameras saved'])
})

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { CameraSettings } from '../../src/cameras/camera-set.ts'
import { createCameras, type Cameras, type CamerasDeps } from '../../src/cameras/cameras.ts'
import { findFfmpeg } from '../../src/media/ffmpeg/find-ffmpeg.ts'
import type { StreamConsumer } from '../../src/media/stream-consumer.ts'
import { systemClock } from '../../src/shared/time/clock.ts'
import type { Log } from '../../src/shared/log.ts'
import { systemRandom } from '../../src/shared/random.ts'
import { onThisTestFinished } from './cleanups.ts'
import { unaudited } from './unaudited.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

/** The available ffmpeg programs: the first in PATH, and the one that npm installed. */
export const programs = [...new Set([findFfmpeg(), findFfmpeg({ PATH: '' })])].filter((file) => file !== undefined)
export const [ffmpeg = 'ffmpeg'] = programs

/** The folder of their videos. Test files that share a process share it, so it's only removed with that of the run. */
export const media = mkdtempSync(join(tmpdir(), 'gatehouse-'))

interface Seen {
  readonly cameras: Cameras
  /** The log output, as text. */
  readonly logged: () => string
}

export const noConsumer: StreamConsumer = { begin: () => {}, fragment: () => {}, end: () => {} }

const backoff = { first: 200, max: 1000 }

/** For tests of stalls. With it, a busy machine can cause one too. */
export const stallsSoon = { stallAfter: 2500, keyFrameAfter: 120_000, backoff }

/** Starts cameras without the rest of the service, with short intervals. */
export function startCameras(
  settings: Record<string, string>,
  more: Partial<CamerasDeps> = {},
  consumerOf: (camera: string) => StreamConsumer = () => noConsumer,
): Seen {
  let text = ''
  const print = (fields: object, message: string): void => void (text += `${message} ${JSON.stringify(fields)}\n`)
  const log: Log = { debug: print, info: print, warn: print, error: print, enabled: () => true }
  const cameras = createCameras({
    audit: unaudited,
    ...settingsOf(settings),
    ffmpeg,
    mediaDir: media,
    frameKey: Buffer.alloc(32),
    others: undefined,
    keyOf: cameraKey,
    placeOf: () => ({ kind: 'here', epoch: 0 }),
    clock: systemClock,
    random: systemRandom,
    log,
    times: { stallAfter: 30_000, keyFrameAfter: 120_000, backoff },
    ...more,
  })
  onThisTestFinished(() => cameras.stop())
  const off = { consumerOf: () => noConsumer, statusOf: () => ({ state: 'off' }) as const, subscribe: () => {} }
  cameras.pull({ recordings: off, motion: off, review: { consumerOf } })
  return { cameras, logged: () => text }
}

export const settingsOf = (sources: Record<string, string>): { cameras: CameraSettings } => ({
  cameras: new Map(
    Object.entries(sources).map(([name, source]) => [name, { source, title: null, enabled: source !== 'off' }]),
  ),
})

export const until = (check: () => void | Promise<void>, timeout = 60_000): Promise<void> =>
  vi.waitFor(check, { timeout, interval: 50 })
export const online = (cameras: Cameras, name: string): Promise<void> =>
  until(() => expect(cameras.responseOf(name)).toMatchObject({ state: 'online' }))
export const offline = (cameras: Cameras, name: string, detail: RegExp): Promise<void> =>
  until(() =>
    expect(cameras.responseOf(name)).toMatchObject({ state: 'offline', detail: expect.stringMatching(detail) }),
  )

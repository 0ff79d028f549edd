import { join } from 'node:path'
import { inScope, type CameraScope } from '../access/grant.ts'
import type { Route } from '../http/route.ts'
import { createDemo } from '../media/demo.ts'
import type { Viewer } from '../media/fan-out.ts'
import { endOrphans } from '../media/ffmpeg-child.ts'
import type { Output } from '../media/output.ts'
import { createStills } from '../media/still.ts'
import { parseCameraSource, type CameraSource } from '../shared/camera-source.ts'
import type { Clock } from '../shared/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { createCamera, type Camera, type CameraCounts, type CameraState, type CameraTimes } from './camera.ts'
import { cameraRoutes } from './cameras.routes.ts'
import { createTrial } from './camera-trial.ts'
import { createPictures, type Picture, type Pictures } from './pictures.ts'

/** Of the `cameras` section, what is needed here. Placeholders in the source are filled. */
export interface CameraSetting {
  readonly source: string
  readonly title?: string | null | undefined
  readonly enabled: boolean
}

export type CameraSettings = ReadonlyMap<string, CameraSetting>

/** A camera as the API shows it. */
export interface CameraView {
  readonly name: string
  readonly title: string
  readonly state: CameraState
  readonly detail?: string
  readonly resolution: string | null
  readonly fps: number | null
  readonly recording: boolean
}

/** A camera in numbers. */
export interface CameraFigures extends CameraView, CameraCounts {
  readonly viewers: number
}

export interface CamerasParts {
  readonly cameras: CameraSettings
  /** undefined where none is installed: then every camera is offline, and says so. */
  readonly ffmpeg: string | undefined
  readonly mediaDir: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** What else is made of each camera's stream. */
  readonly outputsOf?: (camera: string) => readonly Output[]
  readonly times?: Partial<CameraTimes>
}

export interface Cameras {
  readonly routes: readonly Route[]
  exists(name: string): boolean
  names(scope: CameraScope): string[]
  list(scope: CameraScope): CameraView[]
  figures(scope: CameraScope): CameraFigures[]
  view(name: string): CameraView
  watch(name: string, viewer: Viewer): void
  latest(name: string, height?: number): Promise<Picture>
  /** Starts, changes and ends what differs from before; the rest runs on. Holds at once; children follow. */
  apply(settings: CameraSettings): void
  /** @returns once no child is left. */
  stop(): Promise<void>
}

export const usualTimes: CameraTimes = { stallAfter: 20_000, backoff: { first: 1000, most: 30_000 } }

interface Entry {
  setting: CameraSetting
  readonly camera: Camera
  readonly pictures: Pictures
}

/** All cameras of the configuration in force. Ends orphans of an earlier process first. */
export function createCameras(parts: CamerasParts): Cameras {
  const { ffmpeg, mediaDir, clock, random, log } = parts
  const orphans = endOrphans()
  if (orphans > 0) log.warn({ orphans }, 'ended what an earlier run left behind')
  const times = { ...usualTimes, ...parts.times }
  const demo = createDemo({ ffmpeg: ffmpeg ?? '', folder: join(mediaDir, 'demo') })
  const stills = createStills({ ffmpeg: ffmpeg ?? '' })
  const source = { mediaDir, demo }
  const cameraNamed = (name: string, outputs: readonly Output[]): Camera =>
    createCamera({ name, ffmpeg, source, outputs, times, clock, random, log })
  let entries = new Map<string, Entry>()
  let stopped = false
  /** Old children that are not gone yet. */
  const leaving = new Set<Promise<void>>()
  const follow = (change: Promise<void>): void => {
    leaving.add(change)
    void change.finally(() => leaving.delete(change))
  }

  const entryOf = (name: string): Entry => {
    const entry = entries.get(name)
    if (!entry) throw new ServiceError('not-found', 'No such camera.')
    return entry
  }

  const cameras: Omit<Cameras, 'routes'> = {
    exists: (name) => entries.has(name),
    names: (scope) => [...entries.keys()].filter((name) => inScope(scope, name)),
    list: (scope) => [...entries].filter(([name]) => inScope(scope, name)).map(([name, entry]) => viewOf(name, entry)),
    figures: (scope) =>
      [...entries]
        .filter(([name]) => inScope(scope, name))
        .map(([name, entry]) => {
          const { counts, viewers } = entry.camera
          return { ...viewOf(name, entry), ...counts, viewers }
        }),
    view: (name) => viewOf(name, entryOf(name)),
    watch: (name, viewer) => entryOf(name).camera.watch(viewer),
    latest: async (name, height) => entryOf(name).pictures.latest(height),
    apply(settings) {
      if (stopped) return
      const before = entries
      // A new Map, so that the order is the new one's.
      entries = new Map()
      for (const [name, setting] of settings) {
        let entry = before.get(name)
        if (!entry) {
          const camera = cameraNamed(name, parts.outputsOf?.(name) ?? [])
          entry = { setting, camera, pictures: createPictures({ camera, stills, clock }) }
          follow(camera.show(sourceOf(setting, mediaDir)))
        } else if (entry.setting.source !== setting.source || entry.setting.enabled !== setting.enabled) {
          follow(entry.camera.show(sourceOf(setting, mediaDir)))
        }
        entry.setting = setting
        entries.set(name, entry)
      }
      for (const [name, { camera }] of before) if (!settings.has(name)) follow(camera.stop())
    },
    async stop() {
      stopped = true
      await Promise.all([...leaving, ...[...entries.values()].map(({ camera }) => camera.stop())])
    },
  }
  const trial = createTrial({ cameraNamed: () => cameraNamed('(trial)', []), mediaDir, stills })
  cameras.apply(parts.cameras)
  return { ...cameras, routes: cameraRoutes({ cameras, trial }) }
}

function sourceOf({ source, enabled }: CameraSetting, mediaDir: string): CameraSource | undefined {
  if (!enabled) return undefined
  const parsed = parseCameraSource(source, mediaDir)
  // The configuration was checked by the same function.
  if ('problem' in parsed) throw new Error(`a camera's source ${parsed.problem}`)
  return parsed
}

function viewOf(name: string, { setting, camera }: Entry): CameraView {
  const { state, detail, resolution, fps } = camera.status
  const title = setting.title ?? name
  return { name, title, state, ...(detail !== undefined && { detail }), resolution, fps, recording: false }
}

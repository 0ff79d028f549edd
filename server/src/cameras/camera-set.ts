import { parseCameraSource, type CameraSource } from '../shared/camera/camera-source.ts'
import { ServiceError } from '../shared/errors.ts'
import type { PullPlace } from '../shared/cluster/camera-leases.ts'
import type { CameraEntry, CameraSetting } from './camera-entry.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export type CameraSettings = ReadonlyMap<string, CameraSetting>

export interface CameraSetDeps {
  readonly mediaDir: string
  /** The key of the camera that has a name now. */
  readonly keyOf: (name: string) => CameraKey
  /** Where a camera's video is read from now. */
  readonly placeOf: (name: string) => PullPlace
  readonly create: (name: string, setting: CameraSetting) => CameraEntry
  /** The stored frame of a camera is of another source, or the camera no longer exists. */
  readonly forgetFrame: (name: string) => void
}

/** The cameras of the active configuration. */
export interface CameraSet {
  /** In the order of the configuration. */
  all(): ReadonlyMap<string, CameraEntry>
  /** @throws ServiceError `not-found` */
  named(name: string): CameraEntry
  /** Starts, changes and ends cameras that differ from before; the others keep running. Immediate; children follow. */
  apply(settings: CameraSettings): void
  /** Follows a camera whose place may have changed. @returns once no child of the old place is running */
  moved(name: string): Promise<void>
  /** @returns once no child is running. */
  stop(): Promise<void>
}

export function createCameraSet({ mediaDir, keyOf, placeOf, create, forgetFrame }: CameraSetDeps): CameraSet {
  let entries = new Map<string, CameraEntry>()
  let stopped = false
  /** Old children that are still exiting. */
  const leaving = new Set<Promise<void>>()
  const follow = (change: Promise<void>): void => {
    leaving.add(change)
    void change.finally(() => leaving.delete(change))
  }
  const show = (name: string, entry: CameraEntry, setting: CameraSetting): void => {
    entry.place = placeOf(name)
    follow(entry.camera.show(sourceOf(setting, mediaDir), entry.place))
  }

  const start = (name: string, setting: CameraSetting): CameraEntry => {
    const entry = create(name, setting)
    show(name, entry, setting)
    return entry
  }
  const update = (name: string, entry: CameraEntry, setting: CameraSetting): void => {
    if (entry.setting.source !== setting.source || entry.setting.enabled !== setting.enabled) {
      show(name, entry, setting)
      // Frames of another source or of a disabled camera are never shown.
      entry.camera.forget()
      entry.hls.forget()
      entry.snapshots.forget()
      entry.mjpeg.forget()
      entry.kept = undefined
      forgetFrame(name)
    }
    entry.setting = setting
  }
  const end = (name: string, { camera, hls, mjpeg }: CameraEntry): void => {
    hls.forget()
    mjpeg.close()
    follow(camera.stop())
    forgetFrame(name)
  }

  return {
    all: () => entries,
    named(name) {
      const entry = entries.get(name)
      if (!entry) throw new ServiceError('not-found', { reason: 'no-such-camera' })
      return entry
    },
    apply(settings) {
      if (stopped) return
      const before = entries
      // With another key, it is another camera: this instance missed the version that removed the former one (CAM-4).
      const knownAs = (name: string): CameraEntry | undefined => {
        const entry = before.get(name)
        return entry?.key === keyOf(name) ? entry : undefined
      }
      for (const [name, entry] of before) if (!settings.has(name) || !knownAs(name)) end(name, entry)
      // A new Map, so that its order is that of the new settings.
      entries = new Map()
      for (const [name, setting] of settings) {
        const known = knownAs(name)
        if (known) update(name, known, setting)
        entries.set(name, known ?? start(name, setting))
      }
    },
    async moved(name) {
      const entry = entries.get(name)
      if (!entry || stopped) return
      if (JSON.stringify(placeOf(name)) !== JSON.stringify(entry.place)) show(name, entry, entry.setting)
      await Promise.all(leaving)
    },
    async stop() {
      stopped = true
      for (const { mjpeg } of entries.values()) mjpeg.close()
      await Promise.all([...leaving, ...[...entries.values()].map(({ camera }) => camera.stop())])
    },
  }
}

function sourceOf({ source, enabled }: CameraSetting, mediaDir: string): CameraSource | undefined {
  if (!enabled) return undefined
  const parsed = parseCameraSource(source, mediaDir)
  // The configuration was checked by the same function.
  if ('problem' in parsed) throw new Error(`a camera's source: ${parsed.problem.message}`)
  return parsed
}

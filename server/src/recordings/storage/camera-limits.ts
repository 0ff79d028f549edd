import type { CameraKey, CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { RecordingSettings } from '../recording.config.ts'

/** Maximum age and size of recordings; `null`: no limit for this camera. */
export interface Limits {
  readonly days: number | null
  /** 10⁹ bytes each. */
  readonly gigabytes: number | null
}

/** Recording limits from the active configuration. Cameras are identified by key. */
export interface CameraLimits {
  /** Of all cameras together. The days apply to every camera without its own. */
  whole(): Limits
  of(camera: CameraKey): Limits
  /** Days that recordings of any camera are kept at most. */
  longest(): number
  /** Of what is in the object storage: 10⁹ bytes each; `null`: no limit. */
  stored(): number | null
  /** False for a removed camera too. */
  isEnabled(camera: CameraKey): boolean
  /** Whether only motion is kept. */
  isMotionOnly(camera: CameraKey): boolean
}

export function cameraLimits(settings: () => RecordingSettings, keys: Pick<CameraKeys, 'nameOf'>): CameraLimits {
  const settingOf = (camera: CameraKey) => settings().cameras.get(keys.nameOf(camera))
  return {
    whole() {
      const { retain_days: days, max_gb: gigabytes } = settings().recording
      return { days, gigabytes }
    },
    of(camera) {
      const { retain_days: days, max_gb: gigabytes } = settingOf(camera)?.record ?? { retain_days: null, max_gb: null }
      return { days, gigabytes }
    },
    longest() {
      const ofCameras = [...settings().cameras.values()].map(({ record }) => record.retain_days ?? 0)
      return Math.max(settings().recording.retain_days, ...ofCameras)
    },
    stored: () => settings().storage.tier.max_gb,
    isEnabled(camera) {
      const setting = settingOf(camera)
      return settings().recording.enabled && setting !== undefined && setting.enabled && setting.record.enabled
    },
    isMotionOnly: (camera) => settingOf(camera)?.record.mode === 'motion',
  }
}

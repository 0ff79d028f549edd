import type { CameraKey, CameraKeys } from '../shared/camera/camera-keys.ts'
import type { ReviewSettings } from './review.config.ts'

/** Days that review items are kept. */
export interface ItemRetention {
  /** Of a camera, by its key. */
  of(camera: CameraKey): number
  /** Of the camera whose items are kept longest. */
  longest(): number
}

export function itemRetention(settings: () => ReviewSettings, { nameOf }: Pick<CameraKeys, 'nameOf'>): ItemRetention {
  const daysOf = (ownDays: number | null | undefined): number => {
    const { review, recording } = settings()
    return review.retain_days ?? ownDays ?? recording.retain_days
  }
  return {
    of: (camera) => daysOf(settings().cameras.get(nameOf(camera))?.record.retain_days),
    longest: () =>
      Math.max(daysOf(null), ...[...settings().cameras.values()].map(({ record }) => daysOf(record.retain_days))),
  }
}

import type { CameraKeys } from '../shared/camera/camera-keys.ts'

/** Names of cameras by the keys under which a credential has them. */
export interface CameraNames extends Pick<CameraKeys, 'nameOf'> {
  /** Increases with every change. */
  readonly version: number
}

import type { CameraKey } from '../camera/camera-keys.ts'

/** The instance that pulls a camera. */
export interface CameraOwner {
  readonly instance: string
  /** Grows with every change of owner: the fencing token. */
  readonly epoch: number
}

/**
 * Which instance pulls which camera. Each camera is pulled by one at a time (NODE-2). Takes camera keys.
 */
export interface CameraLeases {
  /**
   * The epoch with which this instance may pull the camera and write what it records, by its own monotonic clock;
   * undefined: it may not.
   */
  ownEpoch(camera: CameraKey): number | undefined
  /** The instance that pulls the camera, as last seen in the database; undefined: none. */
  ownerOf(camera: CameraKey): CameraOwner | undefined
  /** Calls the listener with each camera whose owner changed. @returns a function that ends the subscription */
  subscribe(listener: (camera: CameraKey) => void): () => void
}

/** Leases of a single instance, which pulls every camera. */
export const everyCamera = (instance: string): CameraLeases => ({
  ownEpoch: () => 0,
  ownerOf: () => ({ instance, epoch: 0 }),
  subscribe: () => () => {},
})

/** Leases of an instance that pulls no camera, and can't reach those that do. */
export const noCamera: CameraLeases = {
  ownEpoch: () => undefined,
  ownerOf: () => undefined,
  subscribe: () => () => {},
}

/** Where a camera's video is read from now. */
export type PullPlace =
  /** Here, from the camera. */
  | { readonly kind: 'here'; readonly epoch: number }
  /** From the instance that pulls it. */
  | { readonly kind: 'elsewhere'; readonly instance: string; readonly epoch: number }
  | { readonly kind: 'nowhere' }

/** @param camera key of the camera */
export function pullPlaceOf(leases: CameraLeases, self: string, camera: CameraKey): PullPlace {
  const epoch = leases.ownEpoch(camera)
  if (epoch !== undefined) return { kind: 'here', epoch }
  const owner = leases.ownerOf(camera)
  return owner && owner.instance !== self ? { kind: 'elsewhere', ...owner } : { kind: 'nowhere' }
}

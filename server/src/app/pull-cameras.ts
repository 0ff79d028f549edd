import type { Cluster } from '../cluster/cluster.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { CameraLeases } from '../shared/cluster/camera-leases.ts'
import type { Feature } from './feature.ts'

export interface PullCamerasDeps {
  readonly leases: Pick<CameraLeases, 'subscribe'>
  readonly cluster: Pick<Cluster, 'onRelease'> | undefined
  readonly registry: Pick<CameraKeys, 'nameOf'>
  /** What works on the streams of cameras, and the cameras. */
  readonly features: readonly Pick<Feature, 'moved' | 'settled'>[]
  /** Begins to pull the cameras whose leases this instance has. */
  readonly pull: () => void
}

/**
 * Begins to pull cameras, and to follow their leases as they come and go. The leases are followed first, so that none is
 * missed that comes or goes while the cameras begin.
 *
 * @returns a function that ends the following
 */
export function pullCameras({ leases, cluster, registry, features, pull }: PullCamerasDeps): () => void {
  const moved = async (camera: string): Promise<void> => {
    await Promise.all(features.map(async (feature) => feature.moved?.(camera)))
  }
  const stop = leases.subscribe((key) => void moved(registry.nameOf(key)))
  cluster?.onRelease(async (key) => {
    const camera = registry.nameOf(key)
    await moved(camera)
    for (const feature of features) await feature.settled?.(camera)
  })
  pull()
  return stop
}

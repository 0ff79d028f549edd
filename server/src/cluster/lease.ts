import type { CameraKey } from '../shared/camera/camera-keys.ts'
import type { Instance } from '../shared/cluster/instances.ts'

/** Milliseconds. */
export const leaseTimes = {
  /** How long a lease is valid by the database's clock. */
  valid: 6_000,
  /** Between two renewals. */
  renew: 2_000,
  /** How long before its end, by its own clock, an instance stops using a lease that it couldn't renew. */
  margin: 1_000,
  /** How long the instances must have been the same, and a camera at its owner, before the camera moves for balance. */
  settled: 600_000,
} as const

/** A row of `camera_lease`. Times are Unix milliseconds of the database's clock. */
export interface Lease {
  readonly camera: CameraKey
  readonly instance: string | null
  readonly epoch: number
  readonly validUntil: number
  readonly since: number
  readonly requested: string | null
  /** Whether the row has been the same for as long as a lease is valid, by the own steady clock: no one renews it. */
  readonly isUnrenewed?: boolean
}

/** What one read of the database shows. */
export interface ClusterView {
  /** The database's clock, Unix milliseconds. */
  readonly now: number
  readonly instances: readonly Instance[]
  readonly leases: ReadonlyMap<CameraKey, Lease>
}

/** A camera that some instance should pull. */
export interface CameraToPull {
  readonly camera: CameraKey
  /** Labels that its instance must have. */
  readonly labels: readonly string[]
}

/** Whether a lease is in use: an instance has it, and it hasn't expired. */
export const isValid = (lease: Lease | undefined, now: number): lease is Lease & { readonly instance: string } =>
  lease !== undefined && lease.instance !== null && lease.isUnrenewed !== true && lease.validUntil > now

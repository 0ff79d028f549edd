import { cameraKey } from '../../src/shared/camera/camera-keys.ts'
import type { Instance } from '../../src/shared/cluster/instances.ts'
import type { ClusterView, Lease } from '../../src/cluster/lease.ts'

/** A recorder as the database shows it, for tests. */
export const recorder = (id: string, more: Partial<Instance> = {}): Instance => ({
  id,
  name: id,
  address: `https://${id}:7443`,
  jobs: ['gate', 'recorder'],
  labels: [],
  capacity: null,
  version: '1.0.0',
  volume: `volume of ${id}`,
  startedAt: 0,
  seenAt: 0,
  drainedAt: null,
  state: 'running',
  ...more,
})

export const lease = (camera: string, instance: string | null, more: Partial<Lease> = {}): Lease => ({
  camera: cameraKey(camera),
  instance,
  epoch: 1,
  validUntil: instance === null ? 0 : Number.MAX_SAFE_INTEGER,
  since: 0,
  requested: null,
  ...more,
})

export const viewOf = (now: number, instances: readonly Instance[], leases: readonly Lease[]): ClusterView => ({
  now,
  instances,
  leases: new Map(leases.map((each) => [each.camera, each])),
})

export const camerasNamed = (...names: readonly string[]) =>
  names.map((name) => ({ camera: cameraKey(name), labels: [] }))

import type { Instance } from '../shared/cluster/instances.ts'
import type { InstanceTable } from '../store/tables.ts'
import { isValid, leaseTimes, type Lease } from './lease.ts'

/** State of an instance at a time of the database's clock. */
export function stateOf(
  { id, seen_at: seenAt, stopped_at: stoppedAt, drained_at: drainedAt }: InstanceTable,
  now: number,
  leases: readonly Lease[],
): Instance['state'] {
  if (stoppedAt !== null || now - seenAt > leaseTimes.valid) return 'away'
  if (drainedAt === null) return 'running'
  return leases.some((lease) => isValid(lease, now) && lease.instance === id) ? 'draining' : 'drained'
}

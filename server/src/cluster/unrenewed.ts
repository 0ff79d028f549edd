import type { CameraKey } from '../shared/camera/camera-keys.ts'
import { leaseTimes, type ClusterView } from './lease.ts'

/**
 * What an instance saw of the rows of leases and instances: what each had, and since when. Times are of the own steady
 * clock, milliseconds.
 */
export interface SeenRows {
  readonly leases: ReadonlyMap<CameraKey, SeenRow>
  readonly instances: ReadonlyMap<string, SeenRow>
}

interface SeenRow {
  readonly value: string
  readonly since: number
}

export const noRowsSeen: SeenRows = { leases: new Map(), instances: new Map() }

export interface Read {
  readonly view: ClusterView
  /** Before the read was sent, and after its answer. */
  readonly sentAt: number
  readonly receivedAt: number
}

/** Milliseconds until the next row will be marked, if it stays as it is; none for those that are marked already. */
export const untilUnrenewed = ({ leases }: SeenRows, elapsed: number): number =>
  Math.min(...[...leases.values()].map(({ since }) => since + leaseTimes.valid - elapsed).filter((wait) => wait > 0))

/**
 * Marks what no instance has written again for as long as a lease is valid: its end by the database's clock can be hours
 * away, if that clock was set back. An instance that pulls a camera renews its lease more often, or has stopped by now.
 */
export function markUnrenewed(
  before: SeenRows,
  { view, sentAt, receivedAt }: Read,
): { readonly seen: SeenRows; readonly view: ClusterView } {
  const seenSince = (known: SeenRow | undefined, value: string): SeenRow =>
    known?.value === value ? known : { value, since: receivedAt }
  const isOld = ({ since }: SeenRow): boolean => sentAt - since >= leaseTimes.valid
  const seen = {
    leases: new Map(
      [...view.leases.values()].map(({ camera, instance, epoch, validUntil }) => [
        camera,
        seenSince(before.leases.get(camera), `${instance} ${epoch} ${validUntil}`),
      ]),
    ),
    instances: new Map(view.instances.map(({ id, seenAt }) => [id, seenSince(before.instances.get(id), `${seenAt}`)])),
  }
  const leases = [...view.leases].map(
    ([camera, lease]) => [camera, { ...lease, isUnrenewed: isOld(seen.leases.get(camera)!) }] as const,
  )
  const instances = view.instances.map((each) =>
    isOld(seen.instances.get(each.id)!) ? { ...each, state: 'away' as const } : each,
  )
  return { seen, view: { ...view, instances, leases: new Map(leases) } }
}

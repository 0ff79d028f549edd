import type { InstanceView } from '../../../../server/src/api-types.ts'

/** Bytes of several instances together; null if none of them has reported it. */
export interface DiskTotals {
  /** Recordings on their disks. */
  readonly recordings: number | null
  readonly free: number | null
  readonly total: number | null
  /** Recordings in the object storage. */
  readonly objects: number | null
}

/** @param instances those that are away count with what they last reported */
export function totalsOf(instances: readonly Pick<InstanceView, 'load'>[]): DiskTotals {
  const sum = (figure: keyof NonNullable<InstanceView['load']>): number | null => {
    const known = instances.flatMap(({ load }) => load?.[figure] ?? [])
    return known.length === 0 ? null : known.reduce((all, each) => all + each, 0)
  }
  return {
    recordings: sum('recordings_bytes'),
    free: sum('disk_free_bytes'),
    total: sum('disk_total_bytes'),
    objects: sum('objects_bytes'),
  }
}

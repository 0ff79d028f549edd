import type { InstanceResponse } from '../../../../server/src/api-types.ts'

type Reporting = Pick<InstanceResponse, 'load' | 'last_seen_at'>

/** Bytes of several instances together; null if none of them has reported it. */
export interface DiskTotals {
  /** Recordings on their disks. */
  readonly recordings: number | null
  readonly free: number | null
  readonly total: number | null
  /** Recordings in the object storage. */
  readonly objects: number | null
}

/**
 * A disk that several instances use counts once, as the one reported that was seen last.
 *
 * @param instances those that are unavailable count with what they last reported
 */
export function totalsOf(instances: readonly Reporting[]): DiskTotals {
  const disks = byDisk(instances).flatMap((users) => lastReport(users) ?? [])
  return {
    recordings: sumOf(instances.map(({ load }) => load?.recordings_bytes)),
    free: sumOf(disks.map((disk) => disk.disk_free_bytes)),
    total: sumOf(disks.map((disk) => disk.disk_total_bytes)),
    objects: sumOf(instances.map(({ load }) => load?.objects_bytes)),
  }
}

/** Whether a disk has the recordings of several instances. */
export const shareDisk = (instances: readonly Reporting[]): boolean =>
  byDisk(instances).some((users) => users.length > 1)

/**
 * Bytes that the recordings of instances can use on their disks.
 *
 * @param given bytes that each of them can use
 */
export function roomOfAll(instances: readonly Reporting[], given: number): number {
  const rooms = byDisk(instances).map((users) => {
    const { recordings, free } = totalsOf(users)
    const all = given * users.length
    return recordings === null || free === null ? all : Math.min(all, recordings + free)
  })
  return rooms.reduce((sum, each) => sum + each, 0)
}

/** Instances by disk. Those that don't know theirs are alone. */
const byDisk = (instances: readonly Reporting[]): Reporting[][] => [
  ...Map.groupBy(instances, (instance) => instance.load?.disk_id ?? instance).values(),
]

const lastReport = (users: readonly Reporting[]): InstanceResponse['load'] | undefined =>
  users
    .filter(({ load }) => load && load.disk_total_bytes !== null)
    .toSorted((one, other) => Date.parse(other.last_seen_at) - Date.parse(one.last_seen_at))[0]?.load

function sumOf(figures: readonly (number | null | undefined)[]): number | null {
  const known = figures.filter((each) => typeof each === 'number')
  return known.length === 0 ? null : known.reduce((all, each) => all + each, 0)
}

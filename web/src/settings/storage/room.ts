import type { DiskResponse, InstanceResponse } from '../../../../server/src/api-types.ts'
import { roomOfAll } from './instance-disks.ts'

export const gigabyte = 1_000_000_000

/** Whether the amounts of cameras contain what other instances have recorded. */
export const readsOthers = (instances: readonly InstanceResponse[]): boolean =>
  instances.some(({ current, address }) => current && address !== null)

/** Bytes that the shown recordings can use on disks and in the object storage; infinite if only their age limits them. */
export function wholeRoomOf(disk: DiskResponse, instances: readonly InstanceResponse[]): number {
  const recorders = instances.filter(
    ({ jobs, state, drained_at: drained }) => jobs.includes('recorder') && state !== 'away' && drained === null,
  )
  const isShared = readsOthers(instances) && recorders.length > 0
  const room = isShared ? roomOfAll(recorders, disk.limits.max_gb * gigabyte) : roomOf(disk)
  const { object_storage: storage } = disk
  if (!storage) return room
  const { max_gb: given } = storage.limits
  return given === null ? Number.POSITIVE_INFINITY : room + (isShared ? recorders.length : 1) * given * gigabyte
}

/** Bytes that recordings can use on the disk: their limit, or less if the disk has less. */
export function roomOf({ limits, bytes: taken, free }: DiskResponse): number {
  const given = limits.max_gb * gigabyte
  return taken === null || free === null ? given : Math.min(given, taken + free)
}

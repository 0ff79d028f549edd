import type { CameraKey } from '../shared/camera/camera-keys.ts'
import { createHash } from 'node:crypto'
import type { Instance } from '../shared/cluster/instances.ts'
import type { Lease, CameraToPull } from './lease.ts'

/** What the choice of a camera's instance depends on. */
export type Candidate = Pick<Instance, 'id' | 'address' | 'jobs' | 'labels' | 'capacity' | 'state'>

/** Weight of an instance without a limit. */
const usualWeight = 32

/** Whether an instance gets cameras: it runs, records, can be reached, and isn't drained. */
export const isRecorder = (instance: Candidate): boolean => instance.state === 'running' && couldRecord(instance)

/** Whether an instance gets cameras, or would once it's back, or no longer drained. */
export const couldRecord = ({ address, jobs }: Pick<Candidate, 'address' | 'jobs'>): boolean =>
  address !== null && jobs.includes('recorder')

/** Whether an instance has the labels that a camera requires. */
export const hasLabels = ({ labels }: Pick<Candidate, 'labels'>, { labels: required }: CameraToPull): boolean =>
  required.every((label) => labels.includes(label))

/**
 * Score of a camera at an instance: the highest one is preferred (weighted rendezvous hashing). If an instance comes or
 * goes, only the cameras that it gets or had change their place.
 */
export function scoreOf(camera: CameraKey, { id, capacity }: Pick<Candidate, 'id' | 'capacity'>): number {
  const hash = createHash('sha256').update(`${camera} ${id}`).digest()
  // Between 0 and 1, neither included.
  const uniform = (hash.readUIntBE(0, 6) + 0.5) / 2 ** 48
  return -(capacity ?? usualWeight) / Math.log(uniform)
}

/** Number of cameras by instance. */
export type Loads = Map<string, number>

const hasRoom = ({ id, capacity }: Candidate, loads: Loads): boolean =>
  capacity === null || (loads.get(id) ?? 0) < capacity

/**
 * The instances that can pull a camera, the preferred one first: the one that an admin chose, then by score. An instance
 * without room is left out, unless it was chosen.
 */
export function ranked(
  toPull: CameraToPull,
  requested: string | null,
  instances: readonly Candidate[],
  loads: Loads,
): string[] {
  const { camera } = toPull
  return instances
    .filter((each) => isRecorder(each) && hasLabels(each, toPull) && (each.id === requested || hasRoom(each, loads)))
    .map(({ id, capacity }) => ({ id, score: id === requested ? Infinity : scoreOf(camera, { id, capacity }) }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)
}

/** Counts a camera more for an instance. */
export const count = (loads: Loads, instance: string): void => void loads.set(instance, (loads.get(instance) ?? 0) + 1)

/**
 * Where each camera would be if all were placed again. Each instance computes the same from the same rows.
 *
 * @returns instances by camera; cameras that none can pull are left out
 */
export function idealPlaces(
  toPull: readonly CameraToPull[],
  leases: ReadonlyMap<CameraKey, Pick<Lease, 'requested'>>,
  instances: readonly Candidate[],
): Map<CameraKey, string> {
  const requestedOf = ({ camera }: CameraToPull) => leases.get(camera)?.requested ?? null
  const loads: Loads = new Map()
  const places = new Map<CameraKey, string>()
  const sorted = toPull.toSorted(
    (one, other) =>
      Number(requestedOf(one) === null) - Number(requestedOf(other) === null) || (one.camera < other.camera ? -1 : 1),
  )
  for (const each of sorted) {
    const [first] = ranked(each, requestedOf(each), instances, loads)
    if (first === undefined) continue
    places.set(each.camera, first)
    count(loads, first)
  }
  return places
}

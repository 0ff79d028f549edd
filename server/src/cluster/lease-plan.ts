import type { CameraKey } from '../shared/camera/camera-keys.ts'
import { isValid, leaseTimes, type ClusterView, type CameraToPull } from './lease.ts'
import { count, hasLabels, idealPlaces, isRecorder, ranked, type Loads } from './placement.ts'

/** What is remembered from plan to plan. Times are of the database's clock. */
export interface PlanMemory {
  /** Since when a camera has been without a valid lease. */
  readonly vacantSince: ReadonlyMap<CameraKey, number>
  /** The recorders, and since when they have been the same. */
  readonly recorders: string
  readonly recordersSince: number
  /** When the balance was last checked. */
  readonly balancedAt: number
}

export const nothingSeen: PlanMemory = { vacantSince: new Map(), recorders: '', recordersSince: 0, balancedAt: 0 }

export interface PlanInput {
  readonly self: string
  readonly toPull: readonly CameraToPull[]
  readonly view: ClusterView
  /** The leases that this instance has. */
  readonly held: ReadonlyMap<CameraKey, { readonly leaving: boolean }>
  readonly memory: PlanMemory
}

export interface LeasePlan {
  readonly take: readonly CameraKey[]
  readonly release: readonly CameraKey[]
  readonly memory: PlanMemory
}

/** Milliseconds between balance checks. */
const balanceInterval = 20_000

/** Which cameras an instance takes and hands over, after it read the database. */
export function planLeases(input: PlanInput): LeasePlan {
  const memory = remember(input)
  const vacant = vacantCameras(input)
  const take = camerasToTake(input, vacant, memory)
  const must = camerasToGiveUp(input)
  // One at a time, and none while a camera waits for an instance.
  const isCalm =
    must.length === 0 && !isAnyAwaited(input, vacant) && [...input.held.values()].every(({ leaving }) => !leaving)
  const move = isCalm ? cameraToMove(input, memory) : undefined
  const looked = isCalm && isBalanceDue(input, memory)
  return {
    take,
    release: move === undefined ? must : [move],
    memory: looked ? { ...memory, balancedAt: input.view.now } : memory,
  }
}

function remember({ view, memory, ...input }: PlanInput): PlanMemory {
  const { now } = view
  const recorders = view.instances
    .filter(isRecorder)
    .map(({ id, capacity, labels }) => JSON.stringify([id, capacity, labels]))
    .sort()
    .join()
  // A clock that was set back must not delay forever.
  const isSame = recorders === memory.recorders && memory.recordersSince <= now
  const vacant = vacantCameras({ view, memory, ...input })
  return {
    vacantSince: new Map(vacant.map(({ camera }) => [camera, Math.min(now, memory.vacantSince.get(camera) ?? now)])),
    recorders,
    recordersSince: isSame ? memory.recordersSince : now,
    balancedAt: Math.min(now, memory.balancedAt),
  }
}

const vacantCameras = ({ toPull, view, self, held }: PlanInput): CameraToPull[] =>
  toPull.filter(({ camera }) => {
    const lease = view.leases.get(camera)
    return !held.has(camera) && (!isValid(lease, view.now) || lease.instance === self)
  })

/** Number of valid leases by instance. */
function loadsOf({ leases, now }: ClusterView): Loads {
  const loads: Loads = new Map()
  for (const lease of leases.values()) if (isValid(lease, now)) count(loads, lease.instance)
  return loads
}

/**
 * Vacant cameras for which this instance comes first, and those that the ones before it didn't take in time. Its own
 * leases from before a restart are taken at once.
 */
function camerasToTake({ self, view }: PlanInput, vacant: readonly CameraToPull[], memory: PlanMemory): CameraKey[] {
  const { now, leases, instances } = view
  const loads = loadsOf(view)
  const me = instances.find(({ id }) => id === self)
  if (!me || !isRecorder(me)) return []
  return vacant
    .toSorted((one, other) => (one.camera < other.camera ? -1 : 1))
    .filter((each) => {
      const lease = leases.get(each.camera)
      // It counts already.
      if (isValid(lease, now) && lease.instance === self && hasLabels(me, each)) return true
      const order = ranked(each, lease?.requested ?? null, instances, loads)
      const [first] = order
      if (first !== undefined) count(loads, first)
      const waited = now - (memory.vacantSince.get(each.camera) ?? now)
      const place = order.indexOf(self)
      return place >= 0 && place * leaseTimes.renew <= waited
    })
    .map(({ camera }) => camera)
}

/** Whether an instance can take one of these cameras. Those that none can take, for example without its labels, don't count. */
function isAnyAwaited({ view }: PlanInput, vacant: readonly CameraToPull[]): boolean {
  const loads = loadsOf(view)
  return vacant.some((each) => {
    const requested = view.leases.get(each.camera)?.requested ?? null
    return ranked(each, requested, view.instances, loads).length > 0
  })
}

/** Cameras that this instance must not have: not configured, without its labels, or requested for another one. */
function camerasToGiveUp({ self, toPull, view, held }: PlanInput): CameraKey[] {
  const byKey = new Map(toPull.map((each) => [each.camera, each]))
  const me = view.instances.find(({ id }) => id === self)
  return [...held.keys()].filter((camera) => {
    const each = byKey.get(camera)
    if (!each || (me && !hasLabels(me, each))) return true
    const requested = view.leases.get(camera)?.requested ?? null
    if (requested === null || requested === self) return false
    const target = view.instances.find(({ id }) => id === requested)
    return target !== undefined && isRecorder(target) && hasLabels(target, each)
  })
}

const isBalanceDue = ({ view: { now } }: PlanInput, { recordersSince, balancedAt }: PlanMemory): boolean =>
  now - recordersSince >= leaseTimes.settled && now - balancedAt >= balanceInterval

/** One camera to hand over because this instance is drained, has too many, or, rarely, for balance. */
function cameraToMove(input: PlanInput, memory: PlanMemory): CameraKey | undefined {
  const { self, view, held } = input
  const me = view.instances.find(({ id }) => id === self)
  if (!me) return undefined
  if (me.drainedAt !== null) return cameraForAnother(input, null)
  if (me.capacity !== null && held.size > me.capacity) return cameraForAnother(input, self)
  return isBalanceDue(input, memory) ? cameraOutOfPlace(input) : undefined
}

/** A held camera that another instance can take, and that no admin moved to `pinned`. */
function cameraForAnother({ self, toPull, view, held }: PlanInput, pinned: string | null): CameraKey | undefined {
  const loads = loadsOf(view)
  const others = view.instances.filter(({ id }) => id !== self)
  return toPull.find((each) => {
    const requested = view.leases.get(each.camera)?.requested ?? null
    const isPinned = pinned !== null && requested === pinned
    return held.has(each.camera) && !isPinned && ranked(each, requested, others, loads).length > 0
  })?.camera
}

/** A held camera that would be elsewhere if all were placed again, and has been here for long. */
function cameraOutOfPlace({ self, toPull, view, held }: PlanInput): CameraKey | undefined {
  const ideal = idealPlaces(toPull, view.leases, view.instances)
  const loads = loadsOf(view)
  loads.set(self, (loads.get(self) ?? 1) - 1)
  return toPull.find((each) => {
    const lease = view.leases.get(each.camera)
    const place = ideal.get(each.camera)
    if (!held.has(each.camera) || !lease || place === undefined || place === self) return false
    // Otherwise, this instance would be the first to take it again.
    const isNext = ranked(each, lease.requested, view.instances, loads)[0] === place
    return isNext && view.now - lease.since >= leaseTimes.settled
  })?.camera
}

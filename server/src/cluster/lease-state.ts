import type { CameraKey } from '../shared/camera/camera-keys.ts'
import { unchanged, type Step } from '../shared/with-web/step.ts'
import { leaseTimes, type ClusterView, type CameraToPull } from './lease.ts'
import { couldRecord } from './placement.ts'
import { nothingSeen, planLeases, type PlanMemory } from './lease-plan.ts'

/** A camera that this instance has a lease for. */
export interface Held {
  readonly epoch: number
  /** Until when it may be pulled, milliseconds of the own steady clock. */
  readonly until: number
  /** It isn't pulled anymore, and is handed over once its last recording is in the index. */
  readonly leaving: boolean
}

/** The leases of one instance. */
export interface LeaseState {
  readonly held: ReadonlyMap<CameraKey, Held>
  /** What the last heartbeat read; undefined before the first one. */
  readonly view: ClusterView | undefined
  readonly memory: PlanMemory
  readonly stopping: boolean
}

export type LeaseEvent =
  /** A heartbeat succeeded. `sentAt`: own steady clock before it was sent. `renewed`: cameras whose lease it renewed. */
  | {
      readonly kind: 'heartbeat'
      readonly view: ClusterView
      readonly renewed: readonly CameraKey[]
      readonly sentAt: number
    }
  /** Cameras that this instance got, with their epochs. */
  | { readonly kind: 'taken'; readonly epochs: ReadonlyMap<CameraKey, number>; readonly sentAt: number }
  /** Cameras that this instance no longer has a lease for. */
  | { readonly kind: 'released'; readonly cameras: readonly CameraKey[] }
  /** No camera is pulled from now on, and none taken. The leases are kept until everything recorded is in the index. */
  | { readonly kind: 'stopping' }

export type LeaseEffect =
  | { readonly kind: 'take'; readonly cameras: readonly CameraKey[] }
  /** Wait until what was recorded is in the index, then end these leases. */
  | { readonly kind: 'release'; readonly cameras: readonly CameraKey[] }

export type LeaseStep = Step<LeaseState, LeaseEffect>

/** What a step depends on besides state and event. */
export interface LeaseFacts {
  /** Id of this instance. */
  readonly self: string
  /** The cameras of the active configuration that are enabled. */
  readonly toPull: readonly CameraToPull[]
}

export const noLeases: LeaseState = { held: new Map(), view: undefined, memory: nothingSeen, stopping: false }

/** One step of the leases of an instance. Decides what to take and to hand over; the caller carries it out. */
export function step(before: LeaseState, event: LeaseEvent, facts: LeaseFacts): LeaseStep {
  switch (event.kind) {
    case 'heartbeat':
      return afterHeartbeat(before, event, facts)
    case 'taken':
      return unchanged(withTaken(before, event, facts.self))
    case 'released':
      return unchanged(withoutReleased(before, event.cameras))
    case 'stopping':
      return unchanged({ ...before, stopping: true })
  }
}

function afterHeartbeat(
  before: LeaseState,
  { view, renewed, sentAt }: Extract<LeaseEvent, { kind: 'heartbeat' }>,
  { self, toPull }: LeaseFacts,
): LeaseStep {
  const until = sentAt + leaseTimes.valid - leaseTimes.margin
  // What wasn't renewed has another owner.
  const held = new Map(
    renewed.flatMap((camera) => {
      const lease = before.held.get(camera)
      return lease ? [[camera, { ...lease, until }] as const] : []
    }),
  )
  const state = { ...before, held, view }
  if (before.stopping) return unchanged(state)
  const plan = planLeases({ self, toPull, view, held, memory: before.memory })
  const released = release({ ...state, memory: plan.memory }, plan.release)
  const taking: LeaseEffect[] = plan.take.length > 0 ? [{ kind: 'take', cameras: plan.take }] : []
  return { state: released.state, effects: [...released.effects, ...taking] }
}

function withTaken(
  { held, view, ...rest }: LeaseState,
  { epochs, sentAt }: Extract<LeaseEvent, { kind: 'taken' }>,
  self: string,
): LeaseState {
  const until = sentAt + leaseTimes.valid - leaseTimes.margin
  const taken = [...epochs].map(([camera, epoch]) => [camera, { epoch, until, leaving: false }] as const)
  return { ...rest, held: new Map([...held, ...taken]), view: view && withLeases(view, epochs, self) }
}

/** What the next heartbeat will read. */
function withLeases(view: ClusterView, epochs: ReadonlyMap<CameraKey, number>, instance: string): ClusterView {
  const { now } = view
  const leases = new Map(view.leases)
  for (const [camera, epoch] of epochs) {
    const requested = leases.get(camera)?.requested ?? null
    leases.set(camera, { camera, instance, epoch, validUntil: now + leaseTimes.valid, since: now, requested })
  }
  return { ...view, leases }
}

function withoutReleased({ held, view, ...rest }: LeaseState, cameras: readonly CameraKey[]): LeaseState {
  const leases = new Map(view?.leases)
  for (const camera of cameras) {
    const lease = leases.get(camera)
    if (lease && held.has(camera)) leases.set(camera, { ...lease, instance: null, validUntil: 0 })
  }
  return { ...rest, held: without(held, cameras), view: view && { ...view, leases } }
}

function release(state: LeaseState, cameras: readonly CameraKey[]): LeaseStep {
  const leaving = cameras.filter((camera) => state.held.get(camera)?.leaving === false)
  if (leaving.length === 0) return unchanged(state)
  const held = new Map(state.held)
  for (const camera of leaving) held.set(camera, { ...held.get(camera)!, leaving: true })
  return { state: { ...state, held }, effects: [{ kind: 'release', cameras: leaving }] }
}

const without = <T>(all: ReadonlyMap<CameraKey, T>, keys: readonly CameraKey[]): ReadonlyMap<CameraKey, T> =>
  new Map([...all].filter(([key]) => !keys.includes(key)))

/**
 * Whether this instance goes on without renewals: it is configured to, or no other instance is a recorder, so that none
 * would take over. One that was unavailable counts: it may be back, and this instance wouldn't know.
 */
export const keepsRecording = ({ view }: LeaseState, onDatabaseLoss: 'stop' | 'keep', self: string): boolean =>
  onDatabaseLoss === 'keep' ||
  (view !== undefined && !view.instances.some((each) => each.id !== self && couldRecord(each)))

/** The epoch with which a camera may be pulled at a time of the own steady clock; undefined: it may not. */
export function ownEpoch(
  { held, stopping }: LeaseState,
  camera: CameraKey,
  elapsed: number,
  keeps: boolean,
): number | undefined {
  const lease = held.get(camera)
  return !stopping && lease && !lease.leaving && (keeps || elapsed < lease.until) ? lease.epoch : undefined
}

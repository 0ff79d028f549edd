import { createBus } from '../shared/bus.ts'
import type { CameraLeases, CameraOwner } from '../shared/cluster/camera-leases.ts'
import type { StopTimer } from '../shared/time/clock.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { ClusterStore, Heartbeat, HeldLease, UnrenewedLease } from './cluster-store.sql.ts'
import { isValid, type ClusterView, type CameraToPull } from './lease.ts'
import { keepsRecording, noLeases, ownEpoch, step, type LeaseEffect, type LeaseEvent } from './lease-state.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export interface LeasesDeps extends Runtime {
  /** Id of this instance. */
  readonly self: string
  readonly store: Pick<ClusterStore, 'take' | 'release'>
  /** The cameras of the active configuration that are enabled. */
  readonly toPull: () => readonly CameraToPull[]
  readonly onDatabaseLoss: () => 'stop' | 'keep'
  /** Runs statements one after the other, heartbeats included. */
  readonly serialized: <T>(work: () => Promise<T>) => Promise<T>
}

export interface Leases extends CameraLeases {
  /** The last read of the database, with what this instance changed since; undefined before the first one. */
  view(): ClusterView | undefined
  /** What the next heartbeat renews. */
  held(): HeldLease[]
  /** @param sentAt own steady clock before the heartbeat was sent, milliseconds */
  heartbeat(heartbeat: Heartbeat, sentAt: number): void
  /** Sets what is awaited before a lease ends: once everything that was recorded of a camera is in the index. */
  onRelease(settled: (camera: CameraKey) => Promise<unknown>): void
  /** The configuration has changed, and with it maybe what is done without the database. */
  changed(): void
  /** No camera is pulled here from now on. The leases are kept. */
  leave(): void
  stop(): void
}

/** Milliseconds that a release waits for recordings. */
const longestWait = 3_000

/** The leases of this instance. The decisions are in `lease-state.ts`; this carries them out. */
export function createLeases(deps: LeasesDeps): Leases {
  const { self, store, toPull, onDatabaseLoss, serialized, clock, log } = deps
  const bus = createBus<CameraKey>(log)
  let state = noLeases
  let known = new Map<CameraKey, string>()
  let stopTimer: StopTimer | undefined
  let settled: ((camera: CameraKey) => Promise<unknown>) | undefined

  const keeps = (): boolean => keepsRecording(state, onDatabaseLoss(), self)
  const epochAt = (camera: CameraKey, elapsed: number) => ownEpoch(state, camera, elapsed, keeps())
  const ownerOf = (camera: CameraKey): CameraOwner | undefined => {
    const lease = state.view?.leases.get(camera)
    return isValid(lease, state.view?.now ?? 0) ? { instance: lease.instance, epoch: lease.epoch } : undefined
  }

  const dispatch = (event: LeaseEvent): void => {
    // Also if it's renewed now: a camera's stream may have ended in between.
    if ([...state.held.values()].some(({ until }) => until <= clock.elapsed())) lost()
    const { state: next, effects } = step(state, event, { self, toPull: toPull() })
    state = next
    publishChanges()
    for (const effect of effects) carryOut(effect)
  }
  const carryOut = (effect: LeaseEffect): void => {
    switch (effect.kind) {
      case 'take':
        return void serialized(takeAll(effect.cameras)).catch(failed)
      case 'release':
        return void release(effect.cameras).catch(failed)
    }
  }
  const failed = (err: unknown): void => log.warn({ err }, 'failed to take or release camera leases')

  const takeAll = (cameras: readonly CameraKey[]) => {
    const known = cameras.flatMap((camera) => state.view?.leases.get(camera) ?? [])
    const unrenewed = known.filter(({ isUnrenewed }) => isUnrenewed)
    return () => take(cameras, unrenewed)
  }
  const take = async (cameras: readonly CameraKey[], unrenewed: readonly UnrenewedLease[]): Promise<void> => {
    const sentAt = clock.elapsed()
    const epochs = await store.take(self, cameras, unrenewed)
    if (epochs.size === 0) return
    log.info({ cameras: [...epochs.keys()] }, 'cameras taken')
    dispatch({ kind: 'taken', epochs, sentAt })
  }
  const release = async (cameras: readonly CameraKey[]): Promise<void> => {
    log.info({ cameras }, 'cameras handed over')
    const held = new Set(cameras)
    const leaving = heldLeases().filter(([camera]) => held.has(camera))
    const waited = new AbortController()
    await Promise.race([
      Promise.allSettled(cameras.map((camera) => settled?.(camera) ?? Promise.resolve())),
      clock.sleep(longestWait, waited.signal),
    ]).finally(() => waited.abort())
    try {
      await serialized(() => store.release(self, leaving))
    } finally {
      // If the database is unavailable, the leases expire.
      dispatch({ kind: 'released', cameras })
    }
  }
  const heldLeases = (): HeldLease[] => [...state.held].map(([camera, { epoch }]) => [camera, epoch])

  /** Publishes the cameras whose owner is another one than before, and looks again when the next lease ends. */
  const publishChanges = (): void => {
    // The same time for both: a lease that ends in between would never be looked at again.
    const elapsed = clock.elapsed()
    const cameras = new Set([...state.held.keys(), ...(state.view?.leases.keys() ?? []), ...known.keys()])
    const before = known
    known = new Map()
    for (const camera of cameras) {
      const owner = ownerOf(camera)
      known.set(camera, `${epochAt(camera, elapsed) ?? ''} ${owner?.instance ?? ''} ${owner?.epoch ?? ''}`)
    }
    for (const [camera, now] of known) if (now !== (before.get(camera) ?? '  ')) bus.publish(camera)
    lookAtEnd(elapsed)
  }
  const lookAtEnd = (elapsed: number): void => {
    stopTimer?.()
    const ends = [...state.held.values()].map(({ until }) => until).filter((until) => until > elapsed)
    if (ends.length > 0) stopTimer = clock.after(Math.min(...ends) - elapsed, lost)
  }
  const lost = (): void => {
    if (!keeps() && state.held.size > 0) log.warn({ count: state.held.size }, 'camera leases not renewed in time')
    publishChanges()
  }

  return {
    ownEpoch: (camera) => epochAt(camera, clock.elapsed()),
    ownerOf,
    subscribe: (listener) => bus.subscribe(listener),
    view: () => state.view,
    held: heldLeases,
    heartbeat: ({ view, renewed }, sentAt) => dispatch({ kind: 'heartbeat', view, renewed, sentAt }),
    onRelease: (wait) => void (settled = wait),
    changed: publishChanges,
    leave: () => dispatch({ kind: 'stopping' }),
    stop: () => stopTimer?.(),
  }
}

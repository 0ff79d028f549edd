import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameraKey, type CameraKey } from '../shared/camera/camera-keys.ts'
import { isValid, leaseTimes, type ClusterView, type Lease } from './lease.ts'
import { keepsRecording, noLeases, ownEpoch, step, type LeaseEffect, type LeaseState } from './lease-state.ts'
import { camerasNamed, recorder } from '../../test/support/test-cluster.ts'
import { markUnrenewed, noRowsSeen } from './unrenewed.ts'

/** A database and instances that share it, with time, delays, stops and lost answers chosen at random. */
const cameras = ['yard', 'door', 'office'].map(cameraKey)
const ids = ['a', 'b', 'c']
const toPull = camerasNamed(...cameras)

/** The table, with the statements of `cluster-store.sql.ts`. */
class Database {
  readonly rows = new Map<CameraKey, Lease>()
  readonly seen = new Map<string, number>()
  /** Milliseconds that its clock differs from the true time. */
  jump = 0

  heartbeat(id: string, now: number, held: ReadonlyMap<CameraKey, number>) {
    this.seen.set(id, now)
    const renewed = [...held].flatMap(([camera, epoch]) => {
      const row = this.rows.get(camera)
      if (row?.instance !== id || row.epoch !== epoch) return []
      this.rows.set(camera, { ...row, validUntil: now + leaseTimes.valid })
      return [camera]
    })
    const instances = [...this.seen].map(([each, seenAt]) =>
      recorder(each, { seenAt, state: now - seenAt > leaseTimes.valid ? 'away' : 'running' }),
    )
    return { view: { now, instances, leases: new Map(this.rows) }, renewed }
  }
  take(id: string, now: number, taken: readonly CameraKey[], view: ClusterView | undefined) {
    const epochs = new Map<CameraKey, number>()
    for (const camera of taken) {
      const row = this.rows.get(camera)
      const seen = view?.leases.get(camera)
      const isSame = seen?.epoch === row?.epoch && seen?.validUntil === row?.validUntil
      if (row && isValid(row, now) && row.instance !== id && !(seen?.isUnrenewed && isSame)) continue
      const epoch = (row?.epoch ?? 0) + 1
      const requested = row?.requested ?? null
      this.rows.set(camera, { camera, instance: id, epoch, validUntil: now + leaseTimes.valid, since: now, requested })
      epochs.set(camera, epoch)
    }
    return epochs
  }
  release(id: string, held: ReadonlyMap<CameraKey, number>) {
    for (const [camera, epoch] of held) {
      const row = this.rows.get(camera)
      if (row?.instance === id && row.epoch === epoch) this.rows.set(camera, { ...row, instance: null, validUntil: 0 })
    }
  }
}

type Action =
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** A round of one instance, whose answers come late or not at all. */
  | { readonly kind: 'round'; readonly id: string; readonly delay: number; readonly isLost: boolean }
  | { readonly kind: 'move'; readonly camera: CameraKey; readonly to: string }
  | { readonly kind: 'jump'; readonly milliseconds: number }

/** @param jumps milliseconds by which the database's clock is set at most, back and forward */
const action = ({ back, forward }: { readonly back: number; readonly forward: number }): fc.Arbitrary<Action> =>
  fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.integer({ min: 1, max: 7000 }) }),
    fc.record({
      kind: fc.constant('round' as const),
      id: fc.constantFrom(...ids),
      delay: fc.integer({ min: 0, max: 3000 }),
      isLost: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('move' as const), camera: fc.constantFrom(...cameras), to: fc.constantFrom(...ids) }),
    ...(back + forward > 0
      ? [fc.record({ kind: fc.constant('jump' as const), milliseconds: fc.integer({ min: -back, max: forward }) })]
      : []),
  )

class World {
  time = 0
  readonly database = new Database()
  readonly states = new Map<string, LeaseState>(ids.map((id) => [id, noLeases]))
  readonly seen = new Map(ids.map((id) => [id, noRowsSeen]))

  now = () => this.time + this.database.jump
  epochs = (id: string) => new Map([...this.states.get(id)!.held].map(([camera, { epoch }]) => [camera, epoch]))
  /** The epoch with which an instance pulls a camera now. */
  pulls = (id: string, camera: CameraKey) => {
    const state = this.states.get(id)!
    return ownEpoch(state, camera, this.time, state.view !== undefined && keepsRecording(state, 'stop', id))
  }
  dispatch(id: string, event: Parameters<typeof step>[1]): readonly LeaseEffect[] {
    const { state, effects } = step(this.states.get(id)!, event, { self: id, toPull })
    this.states.set(id, state)
    return effects
  }
  run(each: Action): void {
    switch (each.kind) {
      case 'wait':
        this.time += each.milliseconds
        return
      case 'jump':
        this.database.jump += each.milliseconds
        return
      case 'move': {
        const row = this.database.rows.get(each.camera)
        if (row) this.database.rows.set(each.camera, { ...row, requested: each.to })
        return
      }
      case 'round':
        return this.round(each)
    }
  }
  private round({ id, delay, isLost }: Extract<Action, { kind: 'round' }>): void {
    const sentAt = this.time
    const answer = this.database.heartbeat(id, this.now(), this.epochs(id))
    this.time += delay
    if (isLost) return
    const { seen, view } = markUnrenewed(this.seen.get(id)!, { view: answer.view, sentAt, receivedAt: this.time })
    this.seen.set(id, seen)
    for (const effect of this.dispatch(id, { kind: 'heartbeat', renewed: answer.renewed, view, sentAt })) {
      const takingAt = this.time
      if (effect.kind === 'take') {
        const epochs = this.database.take(id, this.now(), effect.cameras, view)
        this.time += delay
        this.dispatch(id, { kind: 'taken', epochs, sentAt: takingAt })
      } else {
        const held = new Map([...this.epochs(id)].filter(([camera]) => effect.cameras.includes(camera)))
        this.database.release(id, held)
        this.dispatch(id, { kind: 'released', cameras: effect.cameras })
      }
    }
  }
}

test('[NODE-2] no two instances ever have a valid lease of one camera', () => {
  fc.assert(
    fc.property(fc.array(action({ back: 0, forward: 0 }), { maxLength: 80, size: 'max' }), (actions) => {
      const world = new World()
      // All are known from the start: an instance that knows no other one keeps its cameras.
      for (const id of ids) world.run({ kind: 'round', id, delay: 0, isLost: true })
      for (const each of actions) {
        world.run(each)
        for (const camera of cameras) {
          const row = world.database.rows.get(camera)
          for (const id of ids) {
            const epoch = world.pulls(id, camera)
            // Who pulls a camera has the lease, by the database's clock.
            if (epoch !== undefined)
              expect([row?.instance, row?.epoch, isValid(row, world.now())]).toEqual([id, epoch, true])
          }
        }
      }
    }),
    { numRuns: 400 },
  )
})

test('[NODE-2] once all instances report regularly, each camera has an instance', () => {
  fc.assert(
    fc.property(fc.array(action({ back: 20_000, forward: 20_000 }), { maxLength: 40, size: 'max' }), (actions) => {
      const world = new World()
      for (const each of actions) world.run(each)
      for (let round = 0; round < 8; round += 1) {
        for (const id of ids) world.run({ kind: 'round', id, delay: 10, isLost: false })
        world.run({ kind: 'wait', milliseconds: leaseTimes.renew })
      }
      for (const camera of cameras) expect(ids.filter((id) => world.pulls(id, camera) !== undefined)).toHaveLength(1)
    }),
    { numRuns: 200 },
  )
})

test('[NODE-2] if the database’s clock is set back, still no two instances pull one camera', () => {
  fc.assert(
    fc.property(fc.array(action({ back: 20_000, forward: 0 }), { maxLength: 80, size: 'max' }), (actions) => {
      const world = new World()
      for (const id of ids) world.run({ kind: 'round', id, delay: 0, isLost: true })
      for (const each of actions) {
        world.run(each)
        for (const camera of cameras)
          expect(ids.filter((id) => world.pulls(id, camera) !== undefined).length).toBeLessThan(2)
      }
    }),
    { numRuns: 2000 },
  )
})

test('[NODE-2] the cameras of an instance that died are taken within ten seconds, even if the database’s clock is set back an hour', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1_000, 4_000, 7_000, 3_600_000), fc.constantFrom(...ids), (back, dead) => {
      const world = new World()
      const alive = ids.filter((id) => id !== dead)
      const rounds = (some: readonly string[], count: number) => {
        for (let round = 0; round < count; round += 1) {
          for (const id of some) world.run({ kind: 'round', id, delay: 10, isLost: false })
          world.run({ kind: 'wait', milliseconds: leaseTimes.renew })
        }
      }
      rounds(ids, 8)
      world.run({ kind: 'jump', milliseconds: -back })
      rounds(alive, 5)
      for (const camera of cameras) expect(alive.filter((id) => world.pulls(id, camera) !== undefined)).toHaveLength(1)
    }),
  )
})

import { describe, expect, test } from 'vitest'
import { cameraKey, type CameraKey } from '../shared/camera/camera-keys.ts'
import type { Instance } from '../shared/cluster/instances.ts'
import { leaseTimes, type CameraToPull, type Lease } from './lease.ts'
import { keepsRecording, noLeases, ownEpoch, step, type LeaseEffect, type LeaseState } from './lease-state.ts'
import { scoreOf } from './placement.ts'
import { camerasNamed, lease, recorder, viewOf } from '../../test/support/test-cluster.ts'

const self = 'a'
const minute = 60_000
const [yard, door] = [cameraKey('yard'), cameraKey('door')]
/** A camera whose first choice is an instance. */
const preferring = (instance: string): CameraKey => {
  const other = instance === 'a' ? 'b' : 'a'
  for (let nth = 0; ; nth += 1) {
    const camera = cameraKey(`camera${nth}`)
    if (scoreOf(camera, { id: instance, capacity: null }) > scoreOf(camera, { id: other, capacity: null }))
      return camera
  }
}
const [mine, theirs] = [preferring('a'), preferring('b')]

interface Situation {
  readonly instances: readonly Instance[]
  readonly leases: readonly Lease[]
  readonly toPull?: readonly CameraToPull[]
  readonly held?: readonly CameraKey[]
  readonly now?: number
}

/** A heartbeat of `a`. */
function heartbeat(
  { instances, leases, toPull = camerasNamed(mine, theirs), held = [], now = 0 }: Situation,
  before: LeaseState = noLeases,
) {
  const had = new Map(held.map((camera) => [camera, { epoch: 1, until: 0, leaving: false }]))
  return step(
    { ...before, held: new Map([...had, ...before.held]) },
    { kind: 'heartbeat', view: viewOf(now, instances, leases), renewed: held, sentAt: now },
    { self, toPull },
  )
}
const take = (...cameras: CameraKey[]): LeaseEffect => ({ kind: 'take', cameras })
const release = (...cameras: CameraKey[]): LeaseEffect => ({ kind: 'release', cameras })
const both = [recorder('a'), recorder('b')]

describe('[NODE-2] what an instance takes', () => {
  test.each<[string, Situation, LeaseEffect[]]>([
    ['alone, every camera', { instances: [recorder('a')], leases: [] }, [take(mine, theirs)]],
    ['of two, those that it is preferred for', { instances: both, leases: [] }, [take(mine)]],
    ['nothing that has an owner', { instances: both, leases: [lease(mine, 'b')], toPull: camerasNamed(mine) }, []],
    ['what expired', { instances: both, leases: [lease(mine, 'b', { validUntil: 5 })], now: 6 }, [take(mine)]],
    ['what was given up', { instances: both, leases: [lease(mine, null)] }, [take(mine)]],
    [
      'of an instance that is unavailable, everything once it has expired',
      {
        instances: [recorder('a'), recorder('b', { state: 'away' })],
        leases: [lease(theirs, 'b', { validUntil: 5 })],
        now: 6,
      },
      [take(mine, theirs)],
    ],
    ['its own from before a restart', { instances: both, leases: [lease(theirs, 'a')] }, [take(mine, theirs)]],
    [
      'what an admin moved to it',
      { instances: both, leases: [lease(theirs, null, { requested: 'a' })] },
      [take(mine, theirs)],
    ],
    ['nothing if it is drained', { instances: [recorder('a', { state: 'drained', drainedAt: 1 })], leases: [] }, []],
    ['nothing if it does not record', { instances: [recorder('a', { jobs: ['gate'] })], leases: [] }, []],
    [
      'no more than its capacity',
      { instances: [recorder('a', { capacity: 1 })], leases: [] },
      [take([mine, theirs].sort()[0]!)],
    ],
    [
      'nothing that requires other labels',
      { instances: [recorder('a')], leases: [], toPull: [{ camera: yard, labels: ['house'] }] },
      [],
    ],
  ])('%s', (_what, situation, expected) => {
    const { effects } = heartbeat(situation)
    const sorted = effects.map((each) => ({ ...each, cameras: each.cameras.toSorted() }))
    expect(sorted).toEqual(expected.map((each) => ({ ...each, cameras: each.cameras.toSorted() })))
  })

  test('what the preferred instance does not take within two seconds', () => {
    const situation = { instances: both, leases: [], toPull: camerasNamed(theirs) }
    const first = heartbeat({ ...situation, now: 1000 })
    expect(first.effects).toEqual([])
    expect(heartbeat({ ...situation, now: 2999 }, first.state).effects).toEqual([])
    expect(heartbeat({ ...situation, now: 3000 }, first.state).effects).toEqual([take(theirs)])
  })
})

describe('[NODE-2] what an instance hands over', () => {
  const held = [mine, theirs]
  const leases = held.map((camera) => lease(camera, 'a'))
  const draining = recorder('a', { state: 'draining', drainedAt: 1 })
  test.each<[string, Situation, LeaseEffect[]]>([
    ['nothing for balance at once', { instances: both, leases, held }, []],
    ['a camera that was removed', { instances: both, leases, held, toPull: camerasNamed(mine) }, [release(theirs)]],
    [
      'a camera that an admin moved to another one',
      { instances: both, leases: [lease(mine, 'a', { requested: 'b' }), lease(theirs, 'a')], held },
      [release(mine)],
    ],
    [
      'nothing to an instance that is unavailable',
      {
        instances: [recorder('a'), recorder('b', { state: 'away' })],
        leases: [lease(mine, 'a', { requested: 'b' }), lease(theirs, 'a')],
        held,
      },
      [],
    ],
    ['one camera if it is drained', { instances: [draining, recorder('b')], leases, held }, [release(mine)]],
    ['none if it is drained and no other can pull them', { instances: [draining], leases, held }, []],
    [
      'one camera if it has too many',
      { instances: [recorder('a', { capacity: 1 }), recorder('b')], leases, held },
      [release(mine)],
    ],
    [
      'none while a camera waits for an instance',
      { instances: [draining, recorder('b')], leases: [lease(mine, 'a')], held: [mine] },
      [],
    ],
    [
      'one camera if it is drained, beside a camera whose labels no instance has',
      {
        instances: [draining, recorder('b')],
        leases,
        held,
        toPull: [...camerasNamed(mine, theirs), { camera: yard, labels: ['house'] }],
      },
      [release(mine)],
    ],
    [
      'one camera if it has too many, beside a camera for which no instance has room',
      {
        instances: [recorder('a', { capacity: 1, labels: ['house'] }), recorder('b', { capacity: 1 })],
        leases,
        held,
        toPull: [...camerasNamed(mine, theirs), { camera: yard, labels: ['house'] }],
      },
      [release(mine)],
    ],
  ])('%s', (_what, situation, expected) => {
    expect(heartbeat(situation).effects).toEqual(expected)
  })

  test('one camera for balance after ten minutes without a change', () => {
    const before = heartbeat({ instances: both, leases, held, now: 1 })
    const later = (now: number, instances = both) => heartbeat({ instances, leases, held, now }, before.state)
    expect(later(10 * minute).effects).toEqual([])
    expect(later(10 * minute + 1).effects).toEqual([release(theirs)])
    expect(later(10 * minute + 1, [...both, recorder('c')]).effects).toEqual([])
  })

  test('one camera for balance, beside one for which no instance has room', () => {
    const full = [recorder('a', { capacity: 2, labels: ['house'] }), recorder('b', { capacity: 2 })]
    const toPull = [...camerasNamed(mine, theirs), { camera: yard, labels: ['house'] }]
    const before = heartbeat({ instances: full, leases, held, toPull, now: 1 })
    const { effects } = heartbeat({ instances: full, leases, held, toPull, now: 10 * minute + 1 }, before.state)
    expect(effects).toEqual([release(theirs)])
  })

  test('no second camera while one is leaving', () => {
    const situation = { instances: [draining, recorder('b')], leases, held }
    const first = heartbeat(situation)
    expect(heartbeat(situation, first.state).effects).toEqual([])
    expect(ownEpoch(first.state, mine, 0, false)).toBeUndefined()
    expect(ownEpoch(first.state, theirs, 0, false)).toBe(1)
  })
})

describe('[NODE-2] a lease', () => {
  const facts = { self, toPull: camerasNamed(yard) }
  const view = viewOf(0, [recorder('a'), recorder('b')], [])
  const taken = step({ ...noLeases, view }, { kind: 'taken', epochs: new Map([[yard, 7]]), sentAt: 100 }, facts).state

  test('can be used until one second before its end, by the own clock', () => {
    const end = 100 + leaseTimes.valid - leaseTimes.margin
    expect(ownEpoch(taken, yard, end - 1, false)).toBe(7)
    expect(ownEpoch(taken, yard, end, false)).toBeUndefined()
    expect(ownEpoch(taken, yard, end, true)).toBe(7)
    expect(ownEpoch(taken, door, 0, true)).toBeUndefined()
  })
  test('is lost if it was not renewed, even if it would be kept', () => {
    const { state } = step(taken, { kind: 'heartbeat', view, renewed: [], sentAt: 200 }, facts)
    expect(ownEpoch(state, yard, 200, true)).toBeUndefined()
  })
  test('is used again once it is renewed late', () => {
    const { state } = step(taken, { kind: 'heartbeat', view, renewed: [yard], sentAt: 60_000 }, facts)
    expect(ownEpoch(state, yard, 60_001, false)).toBe(7)
  })
  test('is not used while the instance stops', () => {
    const { state, effects } = step(taken, { kind: 'stopping' }, facts)
    expect(effects).toEqual([])
    expect(ownEpoch(state, yard, 100, true)).toBeUndefined()
    const next = step(
      state,
      { kind: 'heartbeat', view, renewed: [yard], sentAt: 200 },
      { self, toPull: [...camerasNamed(yard, mine)] },
    )
    expect(next.effects).toEqual([])
  })
  test.each([
    ['stop', both, false],
    ['keep', both, true],
    ['stop', [recorder('a')], true],
    ['stop', [recorder('a'), recorder('b', { state: 'away' })], false],
    ['stop', [recorder('a'), recorder('b', { state: 'drained' })], false],
    ['stop', [recorder('a'), recorder('b', { address: null })], true],
    ['stop', [recorder('a'), recorder('b', { jobs: ['gate'] as const })], true],
  ] as const)('is kept without the database with `%s` and %o: %s', (policy, instances, expected) => {
    expect(keepsRecording({ ...noLeases, view: viewOf(0, instances, []) }, policy, self)).toBe(expected)
  })
})

import { expect, test } from 'vitest'
import { scopeOf, type Grant } from '../access/grant.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import type { Instance } from '../shared/cluster/instances.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import type { Cluster } from './cluster.ts'
import { instanceRoutes, type InstanceResponse, type InstanceRoutesDeps } from './instances.routes.ts'

const lease = (camera: string) =>
  [cameraKey(camera), { camera: cameraKey(camera), instance: '1', validUntil: 2, requested: '1' }] as const

interface Given {
  readonly instance?: Partial<Instance>
  /** What it last reported. */
  readonly reported?: ReturnType<Cluster['loadOf']>
  readonly isUnreachable?: boolean
}

/** An instance that pulls the yard and the office, as a caller sees it. */
async function shownTo(cameras: Grant['cameras'], given: Given = {}): Promise<InstanceResponse[]> {
  const running = { address: 'https://one', state: 'running', jobs: [], labels: [] } as const
  const instance = { id: '1', ...running, startedAt: 0, seenAt: 0, drainedAt: null, ...given.instance }
  const view = { now: 1, instances: [instance], leases: new Map([lease('yard'), lease('office')]) }
  const deps = {
    cluster: { view: () => view, instances: { self: '1' }, loadOf: () => given.reported },
    keys: { nameOf: (key: string) => key },
    isUnreachable: () => given.isUnreachable ?? false,
  } as unknown as InstanceRoutesDeps
  const [list] = instanceRoutes(deps)
  const caller = { scope: scopeOf({ actions: new Set(), cameras }) } as Caller
  return (await list!.handle!({} as Input<never>, caller)) as InstanceResponse[]
}

test('[KEY-2] a token for one camera sees of the cameras of an instance only this one', async () => {
  expect(await shownTo('all')).toMatchObject([{ cameras: ['office', 'yard'], requested: ['office', 'yard'] }])
  expect(await shownTo(new Set(['yard']))).toMatchObject([{ cameras: ['yard'], requested: ['yard'] }])
})

test.each<[string, Partial<Instance>, boolean]>([
  ['that runs', {}, true],
  ['that was stopped', { state: 'away' }, false],
  ['without an address, which had one before', { address: null }, false],
])('[NODE-3] an instance %s: whether it can’t be reached', async (_which, instance, unreachable) => {
  expect(await shownTo('all', { instance, isUnreachable: true })).toMatchObject([{ unreachable }])
})

test('an instance that was stopped has no outdated configuration, whatever it last reported', async () => {
  const reported = { config_outdated: true, protocol: null } as ReturnType<Cluster['loadOf']>
  expect(await shownTo('all', { reported })).toMatchObject([{ config_outdated: true }])
  expect(await shownTo('all', { reported, instance: { state: 'away' } })).toMatchObject([{ config_outdated: false }])
})

import { expect, test } from 'vitest'
import { scopeOf, type Grant } from '../access/grant.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { instanceRoutes, type InstanceResponse, type InstanceRoutesDeps } from './instances.routes.ts'

const lease = (camera: string) =>
  [cameraKey(camera), { camera: cameraKey(camera), instance: '1', validUntil: 2, requested: '1' }] as const

/** An instance that pulls the yard and the office, as a caller sees it. */
async function shownTo(cameras: Grant['cameras']): Promise<InstanceResponse[]> {
  const instance = { id: '1', jobs: [], labels: [], startedAt: 0, seenAt: 0, drainedAt: null }
  const view = { now: 1, instances: [instance], leases: new Map([lease('yard'), lease('office')]) }
  const deps = {
    cluster: { view: () => view, instances: { self: '1' }, loadOf: () => undefined },
    keys: { nameOf: (key: string) => key },
    isUnreachable: () => false,
  } as unknown as InstanceRoutesDeps
  const [list] = instanceRoutes(deps)
  const caller = { scope: scopeOf({ actions: new Set(), cameras }) } as Caller
  return (await list!.handle!({} as Input<never>, caller)) as InstanceResponse[]
}

test('[KEY-2] a token for one camera sees of the cameras of an instance only this one', async () => {
  expect(await shownTo('all')).toMatchObject([{ cameras: ['office', 'yard'], requested: ['office', 'yard'] }])
  expect(await shownTo(new Set(['yard']))).toMatchObject([{ cameras: ['yard'], requested: ['yard'] }])
})

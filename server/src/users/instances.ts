import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { StopTimer } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { InstanceRow, InstanceStore } from './instance-store.sql.ts'
import { moment, Timestamp } from './views.ts'

/** Instances that share a database report themselves there. */
export interface Instances {
  readonly routes: readonly Route[]
  stop(): Promise<void>
}

export interface InstancesDeps extends Runtime {
  /** undefined if the database is not shared. */
  readonly store: InstanceStore | undefined
  /** Display name: host name and port. */
  readonly name: string
  readonly random: Random
}

/** Milliseconds between reports. */
const interval = 5000

const Instance = Type.Object({
  id: Type.String(),
  name: Type.String(),
  current: Type.Boolean({ description: 'Whether this instance sent the response.' }),
  started_at: Timestamp,
  last_seen_at: Timestamp,
})
export type InstanceView = Static<typeof Instance>

export function createInstances({ store, name, clock, random, log }: InstancesDeps): Instances {
  const id = random.bytes(16).toString('hex')
  let stopTimer: StopTimer | undefined
  let reporting: Promise<void> = Promise.resolve()
  let stopped = false

  const shown = (one: InstanceRow): InstanceView => ({
    id: one.id,
    name: one.name,
    current: one.id === id,
    started_at: moment(one.startedAt),
    last_seen_at: moment(one.seenAt),
  })

  const report = async (to: InstanceStore): Promise<void> => {
    try {
      await to.report({ id, name })
    } catch (err) {
      log.debug({ err }, 'failed to report instance')
    }
    schedule(interval)
  }
  const schedule = (wait: number): void => {
    stopTimer?.()
    if (stopped || !store) return
    stopTimer = clock.after(wait, () => {
      reporting = report(store)
    })
  }
  schedule(0)

  return {
    routes: [
      route({
        method: 'GET',
        path: '/api/instances',
        access: { service: 'roles.manage' },
        schema: {
          summary: 'List the instances that share the database; empty if not shared.',
          response: { 200: Type.Array(Instance) },
        },
        handle: async () => (store ? (await store.running()).map(shown) : []),
      }),
    ],
    async stop() {
      stopped = true
      stopTimer?.()
      await reporting
      await store?.remove(id).catch(() => undefined)
    },
  }
}

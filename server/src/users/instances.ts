import type { CustomRole } from '../access/role.ts'
import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { StopTimer } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { InstanceRow, InstanceStore } from './instance-store.sql.ts'
import { differingRoles, hashedRoles } from './role-differences.ts'
import { moment, Timestamp } from './views.ts'

/**
 * Instances that share a database report themselves there. Each has its own config.yml, so their roles can differ.
 * Differences are logged and shown, but change no user's role (ROLE-7).
 */
export interface Instances {
  readonly routes: readonly Route[]
  /** Reports the roles again, because they may have changed. */
  changed(): void
  stop(): Promise<void>
}

export interface InstancesDeps extends Runtime {
  /** undefined if the database is not shared. */
  readonly store: InstanceStore | undefined
  /** Display name: host name and port. */
  readonly name: string
  /** The custom roles of the configuration. */
  readonly customRoles: () => ReadonlyMap<string, CustomRole>
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
  role_differences: Type.Array(
    Type.Object({
      role: Type.String(),
      difference: Type.Enum(['missing-here', 'missing-there', 'other-cameras']),
    }),
    { description: 'Custom roles that differ between its config.yml and that of the responding instance.' },
  ),
})
export type InstanceView = Static<typeof Instance>

export function createInstances({ store, name, customRoles, clock, random, log }: InstancesDeps): Instances {
  const id = random.bytes(16).toString('hex')
  let stopTimer: StopTimer | undefined
  let reporting: Promise<void> = Promise.resolve()
  /** Milliseconds until the next report, after the current one has ended. */
  let next = interval
  let stopped = false
  let reported = ''

  const shown = (one: InstanceRow, ours: ReadonlyMap<string, string>): InstanceView => ({
    id: one.id,
    name: one.name,
    current: one.id === id,
    started_at: moment(one.startedAt),
    last_seen_at: moment(one.seenAt),
    role_differences: one.id === id ? [] : [...differingRoles(ours, one.roles)],
  })
  const views = async (from: InstanceStore): Promise<InstanceView[]> => {
    const ours = hashedRoles(customRoles())
    return (await from.running()).map((one) => shown(one, ours))
  }

  /** Logs each change of the differences once. */
  const logDifferences = (instances: readonly InstanceView[]): void => {
    const differing = instances.filter(({ role_differences: differences }) => differences.length > 0)
    const now = JSON.stringify(differing.map((one) => [one.name, one.role_differences]))
    if (now === reported) return
    if (differing.length === 0 && reported !== '') log.info({}, 'roles are the same on all instances again')
    reported = differing.length === 0 ? '' : now
    for (const { name: instance, role_differences: roles } of differing) {
      log.warn({ instance, roles }, 'roles differ between instances: use the same config.yml on both')
    }
  }

  const report = async (to: InstanceStore): Promise<void> => {
    next = interval
    try {
      await to.report({ id, name, roles: hashedRoles(customRoles()) })
      logDifferences(await views(to))
    } catch (err) {
      log.debug({ err }, 'failed to report instance')
    }
    schedule(next)
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
          summary:
            'List the instances that share the database and the differences of their roles; empty if not shared.',
          response: { 200: Type.Array(Instance) },
        },
        handle: () => (store ? views(store) : []),
      }),
    ],
    changed() {
      next = 0
      schedule(0)
    },
    async stop() {
      stopped = true
      stopTimer?.()
      await reporting
      await store?.remove(id).catch(() => undefined)
    },
  }
}

import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import type { InstanceRow, InstanceStore } from './instance-store.sql.ts'
import { differingRoles, hashedRoles } from './role-differences.ts'
import { moment, Timestamp } from './views.ts'

/**
 * Instances that share one database report themselves in it. Each has a config.yml of its own, so their roles can
 * differ: that is logged and shown, and changes no one's role (ROLE-7).
 */
export interface Instances {
  readonly routes: readonly Route[]
  /** Reports the roles once more: they may be others. */
  changed(): void
  stop(): Promise<void>
}

export interface InstancesDeps {
  /** undefined where the database belongs to one instance alone. */
  readonly store: InstanceStore | undefined
  /** The machine's, for people. */
  readonly name: string
  /** As the configuration lists them. */
  readonly customRoles: () => ReadonlyMap<string, readonly string[]>
  readonly random: Random
  readonly log: Log
}

/** Milliseconds between two reports. */
const interval = 5000

const Instance = Type.Object({
  id: Type.String(),
  name: Type.String(),
  current: Type.Boolean({ description: 'It is the one that responds.' }),
  started_at: Timestamp,
  last_seen_at: Timestamp,
  role_differences: Type.Array(
    Type.Object({
      role: Type.String(),
      difference: Type.Enum(['missing-here', 'missing-there', 'other-cameras']),
    }),
    { description: 'Custom roles that its config.yml gives otherwise than the one of the instance that responds.' },
  ),
})
export type InstanceView = Static<typeof Instance>

export function createInstances({ store, name, customRoles, random, log }: InstancesDeps): Instances {
  const id = random.bytes(16).toString('hex')
  let timer: NodeJS.Timeout | undefined
  let reporting: Promise<void> = Promise.resolve()
  /** Milliseconds until the next report, once the one under way has ended. */
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

  /** Logged once for each change of what differs. */
  const logDifferences = (instances: readonly InstanceView[]): void => {
    const differing = instances.filter(({ role_differences: differences }) => differences.length > 0)
    const now = JSON.stringify(differing.map((one) => [one.name, one.role_differences]))
    if (now === reported) return
    if (differing.length === 0 && reported !== '') log.info({}, 'roles are the same on every instance again')
    reported = differing.length === 0 ? '' : now
    for (const { name: instance, role_differences: roles } of differing) {
      log.warn({ instance, roles }, 'roles differ from those of another instance: give both the same config.yml')
    }
  }

  const report = async (to: InstanceStore): Promise<void> => {
    next = interval
    try {
      await to.report({ id, name, roles: hashedRoles(customRoles()) })
      logDifferences(await views(to))
    } catch (err) {
      log.debug({ err }, 'this instance could not report itself')
    }
    schedule(next)
  }
  const schedule = (wait: number): void => {
    clearTimeout(timer)
    if (stopped || !store) return
    timer = setTimeout(() => {
      reporting = report(store)
    }, wait).unref()
  }
  schedule(0)

  return {
    routes: [
      route({
        method: 'GET',
        path: '/api/instances',
        access: { service: 'roles.manage' },
        schema: {
          summary: 'Instances that share the database, and in which roles they differ; none where it is not shared.',
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
      clearTimeout(timer)
      await reporting
      await store?.remove(id).catch(() => undefined)
    },
  }
}

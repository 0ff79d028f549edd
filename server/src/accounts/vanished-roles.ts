import type { Fact } from '../access/fact.ts'
import type { Roles } from '../access/role.ts'
import { byTheService } from '../shared/audit.ts'
import type { Log } from '../shared/log.ts'
import type { AccountStore, Reassigned } from './account-store.ts'

/** ROLE-7: whoever holds a role that no longer exists becomes `viewer`. Until then the role grants nothing. */
export interface VanishedRoles {
  /** Looks once, after whatever looks already; throws where the database does not answer. */
  reassign(): Promise<void>
  /** Looks until the database has answered. */
  reassignSoon(): void
  /** Whoever is reassigned while some work runs that makes a role vanish, and after it. */
  during(work: () => Promise<unknown>): Promise<readonly Reassigned[]>
  stop(): void
}

export interface VanishedRolesParts {
  readonly store: Pick<AccountStore, 'reassignVanished'>
  readonly roles: () => Roles
  readonly publish: (fact: Fact) => void
  readonly log: Log
}

/** Milliseconds between two tries while the database does not answer. */
const tryAgainAfter = 1000

export function createVanishedRoles({ store, roles, publish, log }: VanishedRolesParts): VanishedRoles {
  const watchers = new Set<(moved: readonly Reassigned[]) => void>()
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const look = async (): Promise<void> => {
    const moved = await store.reassignVanished(roles().names, ({ name, role }) => {
      return { ...byTheService, action: 'user.reassign', result: 'ok', target: name, detail: `${role} → viewer` }
    })
    for (const { name } of moved) publish({ kind: 'user', key: name.toLowerCase() })
    for (const watch of watchers) watch(moved)
    if (moved.length > 0) {
      log.warn({ users: moved.map(({ name }) => name) }, 'users held a role that no longer exists, and are viewer now')
    }
  }
  const reassign = (): Promise<void> => {
    const mine = last.then(look)
    last = mine.catch(() => undefined)
    return mine
  }
  const reassignSoon = (): void => {
    clearTimeout(timer)
    reassign().catch((err: unknown) => {
      log.error({ err }, 'users of vanished roles cannot be reassigned yet; their roles grant nothing')
      if (!stopped) timer = setTimeout(reassignSoon, tryAgainAfter).unref()
    })
  }

  return {
    reassign,
    reassignSoon,
    async during(work) {
      const all: Reassigned[] = []
      const watch = (moved: readonly Reassigned[]) => void all.push(...moved)
      watchers.add(watch)
      try {
        await work()
        await reassign()
      } finally {
        watchers.delete(watch)
      }
      return all
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

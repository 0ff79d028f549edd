import type { Invalidation } from '../access/invalidation.ts'
import type { Roles } from '../access/role.ts'
import { byTheService, type Audit } from '../shared/audit.ts'
import type { Log } from '../shared/log.ts'
import type { AccountStore, Holder } from './account-store.ts'

/** Reports users whose role is missing from the configuration: it grants nothing, and stays theirs (ROLE-7). */
export interface OrphanedRoles {
  /** Looks now. @throws ServiceError `unavailable` where the database does not answer */
  check(): Promise<void>
  /** Looks again if that change can have made or ended an orphan. */
  onChange(fact: Invalidation): void
  stop(): void
}

export interface OrphanedRolesDeps {
  readonly store: Pick<AccountStore, 'orphans'>
  readonly roles: () => Roles
  readonly audit: Audit
  readonly log: Log
}

/** Users named in the log and the audit log. */
const limit = 100

/** Milliseconds: several changes are looked at together, and the deletion of a role has time to move its users. */
const delay = 1000

export function createOrphanedRoles({ store, roles, audit, log }: OrphanedRolesDeps): OrphanedRoles {
  let reported = ''
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const check = async (): Promise<void> => {
    const found = byRole(await store.orphans(roles().names, limit))
    const now = JSON.stringify([...found])
    if (now === reported) return
    reported = now
    if (found.size === 0) log.info({}, 'no users of missing roles any more')
    for (const [role, users] of found) {
      log.warn({ role, users }, 'role missing from config.yml: its users can see nothing until it is back')
      audit.record({ ...byTheService, action: 'role.missing', result: 'failed', target: role, detail: users.join(' ') })
    }
  }
  const checkLater = (): void => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      check().catch((err: unknown) => {
        log.warn({ err }, 'users of missing roles are not known yet; their roles grant nothing')
        checkLater()
      })
    }, delay).unref()
  }

  return {
    async check() {
      reported = '[]'
      await check()
    },
    onChange(fact) {
      if (fact.kind !== 'session') checkLater()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Their names by role. */
function byRole(holders: readonly Holder[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  for (const { name, role } of holders) users.set(role, [...(users.get(role) ?? []), name])
  return users
}

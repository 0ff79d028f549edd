import type { Invalidation } from '../../access/invalidation.ts'
import type { Roles } from '../../access/role.ts'
import { byTheService, type Audit } from '../../shared/audit/audit.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { AccountStore } from '../accounts/account-store.ts'

/** Reports users whose role is missing from the configuration. They keep the role, but it grants nothing (ROLE-7). */
export interface OrphanedRoles {
  /** Checks now. @throws ServiceError `unavailable` if the database does not respond */
  check(): Promise<void>
  /** Checks again if the change can affect orphaned users. */
  onChange(invalidation: Invalidation): void
  stop(): void
}

export interface OrphanedRolesDeps extends Runtime {
  readonly store: Pick<AccountStore, 'orphans'>
  readonly roles: () => Roles
  readonly audit: Audit
}

/** Max users of a role that are named in the log and the audit log. */
const limit = 100

/** Milliseconds before a check, so that several changes share one and a role deletion can move its users first. */
const delay = 1000

export function createOrphanedRoles({ store, roles, audit, clock, log }: OrphanedRolesDeps): OrphanedRoles {
  let reported = ''
  let stopTimer: StopTimer | undefined
  let stopped = false

  const check = async (): Promise<void> => {
    const found = await store.orphans(roles().names, limit)
    const now = JSON.stringify(found)
    if (now === reported) return
    reported = now
    if (found.length === 0) log.info({}, 'no users with missing roles anymore')
    for (const { role, users, count } of found) {
      log.warn({ role, users, count }, 'role missing from config.yml: its users have no access until it is restored')
      audit.record({
        ...byTheService,
        action: 'role.missing',
        result: 'failure',
        target: role,
        detail: count > users.length ? `${count}: ${users.join(' ')}` : users.join(' '),
      })
    }
  }
  const checkLater = (): void => {
    stopTimer?.()
    if (stopped) return
    stopTimer = clock.after(delay, () => {
      check().catch((err: unknown) => {
        log.warn({ err }, 'failed to check for missing roles; retrying')
        checkLater()
      })
    })
  }

  return {
    async check() {
      reported = '[]'
      await check()
    },
    onChange(invalidation) {
      if (invalidation.kind !== 'session') checkLater()
    },
    stop() {
      stopped = true
      stopTimer?.()
    },
  }
}

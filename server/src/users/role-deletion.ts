import type { Invalidation } from '../access/invalidation.ts'
import type { Roles } from '../access/role.ts'
import type { Actor, AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { createSemaphore } from '../shared/semaphore.ts'
import type { AccountStore, RoleDeletionNote } from './account-store.ts'

/**
 * Deletes custom roles (ROLE-7). A role is in config.yml and its users are in the database, so a deletion is noted in
 * the database first; then the file changes; then the users become `viewer` and the note goes, in one transaction. Until
 * then the role grants nothing. Only a note makes anyone `viewer`: a role that is missing for another reason does not.
 */
export interface RoleDeletion {
  /**
   * @param write removes the role from the file
   * @returns the names of the users who are `viewer` now
   */
  remove(role: string, by: Actor, write: () => Promise<unknown>): Promise<readonly string[]>
  /** Runs a change of the file that makes or changes a role, and then forgets that it was to be deleted. */
  make<Result>(role: string, write: () => Promise<Result>): Promise<Result>
  /**
   * Ends the deletions that this instance began and was kept from ending. A role that is still in the file stays, with
   * its users; a role that is not loses them to `viewer`.
   *
   * @throws ServiceError `unavailable` where the database does not answer
   */
  settle(): Promise<void>
  stop(): void
}

export interface RoleDeletionDeps {
  readonly store: Pick<
    AccountStore,
    'beginRoleDeletion' | 'roleDeletions' | 'cancelRoleDeletion' | 'finishRoleDeletion'
  >
  /** Names this instance, also after a restart; undefined where it has no name yet. `make` gives it one. */
  readonly owner: (make?: 'make') => Promise<string | undefined>
  readonly roles: () => Roles
  readonly publish: (fact: Invalidation) => void
  readonly clock: Clock
  readonly log: Log
}

/** Milliseconds between two tries while the database does not answer. */
const retryAfter = 1000

export function createRoleDeletion(deps: RoleDeletionDeps): RoleDeletion {
  const { store, owner, roles, publish, clock, log } = deps
  const serialized = createSemaphore(1)
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const finish = async ({ role, owner: mine }: RoleDeletionNote): Promise<readonly string[]> => {
    const names = await store.finishRoleDeletion(role, mine, entriesOf)
    if (names === undefined) return []
    for (const name of names) publish({ kind: 'user', key: name.toLowerCase() })
    if (names.length > 0) log.warn({ role, users: names }, 'users of deleted roles moved to viewer')
    return names
  }

  const settle = async (): Promise<void> => {
    const mine = await owner()
    if (mine === undefined) return
    for (const note of await store.roleDeletions(mine)) {
      if (roles().exists(note.role)) await store.cancelRoleDeletion(note.role, mine)
      else await finish(note)
    }
  }

  /** Tries until the database has answered. */
  const settleLater = (): void => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      serialized(settle).catch((err: unknown) => {
        log.error({ err }, 'deletion of a role not finished yet; the role grants nothing')
        settleLater()
      })
    }, retryAfter).unref()
  }

  return {
    remove: (role, by, write) =>
      serialized(async () => {
        const note = { role, owner: (await owner('make')) ?? '', at: clock.now(), by }
        await store.beginRoleDeletion(note)
        try {
          await write()
        } catch (error) {
          await settle().catch(settleLater)
          throw error
        }
        return finish(note).catch((error: unknown) => {
          settleLater()
          throw error
        })
      }),
    make: (role, write) =>
      serialized(async () => {
        const result = await write()
        await store.cancelRoleDeletion(role)
        return result
      }),
    settle: () => serialized(settle),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** By whom the role was deleted, also where the service finished it later. */
const entriesOf = ({ role, by, users }: RoleDeletionNote & { readonly users: readonly string[] }): AuditEntry[] => [
  { ...by, action: 'role.delete', result: 'ok', target: role },
  ...users.map((name): AuditEntry => {
    return { ...by, action: 'user.reassign', result: 'ok', target: name, detail: `${role} → viewer` }
  }),
]

import pLimit from 'p-limit'
import type { Invalidation } from '../../access/invalidation.ts'
import type { Roles } from '../../access/role.ts'
import type { RequestedChange } from '../../config/config-store.ts'
import type { Actor, AuditEntry } from '../../shared/audit/audit.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Within } from '../accounts/account-sql.ts'
import type {
  AccountStore,
  InvitationsEnded,
  Reassigned,
  ReassignedUser,
  RoleDeletionNote,
} from '../accounts/account-store.ts'
import type { Runtime } from '../../shared/runtime.ts'

/** Deletes custom roles (ROLE-7). */
export interface RoleDeletion {
  /**
   * @param write removes the role from the configuration, together with the steps that it is given
   * @returns the names of the users who were moved to `viewer`.
   */
  remove(role: string, by: Actor, write: (steps: RoleSteps) => Promise<unknown>): Promise<readonly string[]>
  /**
   * Creates or changes a role in the configuration with `write`, then cancels its deletion. Invitations for an earlier role
   * with this name end, also one that was created while that role was being deleted.
   */
  make<Result>(role: string, by: Actor, write: (steps: RoleSteps) => Promise<Result>): Promise<Result>
  /**
   * Finishes this instance's interrupted deletions. A role that is still in the configuration keeps its users; the users of
   * a role that isn't are moved to `viewer`.
   *
   * @throws ServiceError `unavailable` if the database does not respond
   */
  settle(): Promise<void>
  stop(): void
}

/** What is done with the change of the configuration: before it, or in its transaction if it has one. */
export type RoleSteps = Pick<RequestedChange<Within>, 'beforeWrite' | 'alongside'>

export interface RoleDeletionDeps extends Runtime {
  readonly store: Pick<
    AccountStore,
    'beginRoleDeletion' | 'roleDeletions' | 'cancelRoleDeletion' | 'finishRoleDeletion' | 'endInvitations'
  >
  /** Returns this instance's permanent id; undefined if it has none yet. With `make`, creates one. */
  readonly owner: (make?: 'make') => Promise<string | undefined>
  readonly roles: () => Roles
  readonly publish: (invalidation: Invalidation) => void
}

/** Milliseconds between retries while the database does not respond. */
const retryAfter = 1000

/**
 * Deletes roles from the configuration. A role is there and its users are in the database, so a deletion has three
 * steps: a note in the database, the change of the configuration, and one transaction that moves the users to `viewer` and deletes
 * the note. Until then the role grants nothing. Without a note, users of a missing role keep that role.
 */
export function createRoleDeletion(deps: RoleDeletionDeps): RoleDeletion {
  const { store, owner, roles, clock, log } = deps
  const serialized = pLimit(1)
  let stopTimer: StopTimer | undefined
  let stopped = false

  const finish = async ({ role, owner: mine }: RoleDeletionNote): Promise<readonly string[]> => {
    const users = await store.finishRoleDeletion(role, mine, entriesOf)
    return users === undefined ? [] : reportReassigned(role, users, deps)
  }

  const settle = async (): Promise<void> => {
    const mine = await owner()
    if (mine === undefined) return
    for (const note of await store.roleDeletions(mine)) {
      if (roles().exists(note.role)) await store.cancelRoleDeletion(note.role, mine)
      else await finish(note)
    }
  }

  /** Retries until the database responds. */
  const settleLater = (): void => {
    stopTimer?.()
    if (stopped) return
    stopTimer = clock.after(retryAfter, () => {
      serialized(settle).catch((err: unknown) => {
        log.error({ err }, 'failed to finish role deletion; retrying')
        settleLater()
      })
    })
  }

  return {
    remove: (role, by, write) =>
      serialized(async () => {
        const note = { role, owner: (await owner('make')) ?? '', at: clock.now(), by }
        try {
          await write({ beforeWrite: () => store.beginRoleDeletion(note) })
        } catch (error) {
          await settle().catch(settleLater)
          throw error
        }
        return finish(note).catch((error: unknown) => {
          settleLater()
          throw error
        })
      }),
    make: (role, by, write) =>
      serialized(async () => {
        const result = await write({
          async beforeWrite() {
            if (!roles().exists(role)) await store.endInvitations(role, invitationEntries(role, by))
          },
        })
        await store.cancelRoleDeletion(role)
        return result
      }),
    settle: () => serialized(settle),
    stop() {
      stopped = true
      stopTimer?.()
    },
  }
}

/** Ends what was cached of users who were moved to `viewer`, and logs them. @returns their names */
function reportReassigned(
  role: string,
  users: readonly ReassignedUser[],
  { publish, log }: Pick<RoleDeletionDeps, 'publish' | 'log'>,
): readonly string[] {
  const names = users.map(({ name }) => name)
  for (const { key } of users) publish({ kind: 'user', key })
  if (names.length > 0) log.warn({ role, users: names }, 'users of deleted roles moved to viewer')
  return names
}

export interface SharedRoleDeletionDeps extends Pick<RoleDeletionDeps, 'roles' | 'publish' | 'log'> {
  /** Moves all users of a role to `viewer` and ends the invitations for it, with the audit entries. @returns those users */
  readonly reassign: (
    role: string,
    entries: (done: Reassigned) => readonly AuditEntry[],
    within: Within,
  ) => Promise<readonly ReassignedUser[]>
  /** Ends the invitations for a role that is about to be created, with the audit entries. */
  readonly endInvitations: (
    role: string,
    entries: (invitations: InvitationsEnded) => readonly AuditEntry[],
    within: Within,
  ) => Promise<void>
  /** Finishes what an earlier version, with its roles in config.yml, has left. */
  readonly earlier: Pick<RoleDeletion, 'settle' | 'stop'>
}

/** Deletes roles from a document in the same database as the users: one transaction changes both. */
export function createSharedRoleDeletion(deps: SharedRoleDeletionDeps): RoleDeletion {
  const { reassign, endInvitations, earlier, roles, publish, log } = deps
  return {
    async remove(role, by, write) {
      let moved: readonly ReassignedUser[] = []
      await write({
        async alongside(within) {
          moved = await reassign(role, (done) => entriesOf({ role, by, ...done }), within)
        },
      })
      return reportReassigned(role, moved, { publish, log })
    },
    make: (role, by, write) =>
      write({
        async alongside(within) {
          if (!roles().exists(role)) await endInvitations(role, invitationEntries(role, by), within)
        },
      }),
    settle: () => earlier.settle(),
    stop: () => earlier.stop(),
  }
}

/** The audit entries name the admin who deleted the role, even if the service finished the deletion later. */
const entriesOf = ({
  role,
  by,
  users,
  invitations,
}: Pick<RoleDeletionNote, 'role' | 'by'> & Reassigned): AuditEntry[] => [
  { ...by, action: 'role.delete', result: 'success', target: role },
  ...users.map((name): AuditEntry => {
    return { ...by, action: 'user.reassign', result: 'success', target: name, detail: `${role} → viewer` }
  }),
  ...invitationEntries(role, by)(invitations),
]

const invitationEntries =
  (role: string, by: Actor) =>
  (invitations: InvitationsEnded): AuditEntry[] =>
    invitations.map((target) => ({ ...by, action: 'invitation.revoke', result: 'success', target, detail: role }))

import { roleDeletionFrom } from './account-rows.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { userInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { InvitationsEnded, Reassigned, ReassignedUser, RoleDeletions } from './account-store.ts'
import { nextRoleGeneration } from './role-generation.sql.ts'

/**
 * Ends the invitations for a role: another role that gets its name later is one that no one was invited to (LINK-4). Nor is
 * it the role of a request that is still on its way.
 */
async function revokeInvitations(role: string, within: Within): Promise<InvitationsEnded> {
  await nextRoleGeneration(role, within)
  const ended = await within
    .updateTable('invitation')
    .set({ ended: 'revoked' })
    .where('role', '=', role)
    .where('ended', 'is', null)
    .returning('username')
    .execute()
  return ended.map(({ username }) => username)
}

/** Ends the invitations for a role that is about to be created, with the audit entries. */
export const invitationEnd =
  ({ audit, serialized }: AccountSql) =>
  async (
    role: string,
    entries: (invitations: InvitationsEnded) => readonly AuditEntry[],
    within: Within,
  ): Promise<void> => {
    await serialized(within)
    for (const entry of entries(await revokeInvitations(role, within))) await audit.insert(entry, within)
  }

/** Moves all users of a role to `viewer` and ends the invitations for it, with the audit entries. @returns those users */
export const reassignment =
  ({ audit, serialized, announce }: AccountSql) =>
  async (
    role: string,
    entries: (done: Reassigned) => readonly AuditEntry[],
    within: Within,
  ): Promise<ReassignedUser[]> => {
    await serialized(within)
    const users = await within
      .updateTable('user')
      .set({ role: 'viewer' })
      .where('role', '=', role)
      .returning(['key', 'name'])
      .execute()
    await announce(users.map(userInvalidation), within)
    const invitations = await revokeInvitations(role, within)
    const done = { users: users.map(({ name }) => name), invitations }
    for (const entry of entries(done)) await audit.insert(entry, within)
    return users
  }

export function roleDeletions(sql: AccountSql): RoleDeletions {
  const { db, transaction, serialized } = sql
  const reassign = reassignment(sql)
  const endInvitations = invitationEnd(sql)
  return {
    async beginRoleDeletion({ role, owner, at, by }) {
      const noted = { deleted_at: at, deleted_by: JSON.stringify(by) }
      await db
        .insertInto('deleted_role')
        .values({ role, owner, ...noted })
        .onConflict((conflict) => conflict.columns(['role', 'owner']).doUpdateSet(noted))
        .execute()
    },

    async roleDeletions(owner) {
      const rows = await db
        .selectFrom('deleted_role')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('deleted_at')
        .orderBy('role')
        .execute()
      return rows.map(roleDeletionFrom)
    },

    async cancelRoleDeletion(role, owner) {
      await db
        .deleteFrom('deleted_role')
        .where('role', '=', role)
        .$call((query) => (owner === undefined ? query : query.where('owner', '=', owner)))
        .execute()
    },

    finishRoleDeletion: (role, owner, entries) =>
      transaction(async (within) => {
        await serialized(within)
        const noted = await within
          .deleteFrom('deleted_role')
          .where('role', '=', role)
          .where('owner', '=', owner)
          .returningAll()
          .executeTakeFirst()
        if (!noted) return undefined
        return reassign(role, (done) => entries({ ...roleDeletionFrom(noted), ...done }), within)
      }),

    endInvitations: (role, entries) => transaction((within) => endInvitations(role, entries, within)),
  }
}

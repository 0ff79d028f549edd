import { roleDeletionFrom } from './account-rows.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { userInvalidation, type AccountSql, type Within } from './account-sql.ts'
import type { ReassignedUser, RoleDeletions } from './account-store.ts'

/** Moves all users of a role to `viewer`, with the audit entries. @returns those users */
export const reassignment =
  ({ audit, serialized, announce }: AccountSql) =>
  async (
    role: string,
    entries: (users: readonly string[]) => readonly AuditEntry[],
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
    // A role that gets its name later is another one, which no one was invited to.
    await within
      .updateTable('invitation')
      .set({ ended: 'revoked' })
      .where('role', '=', role)
      .where('ended', 'is', null)
      .execute()
    for (const entry of entries(users.map(({ name }) => name))) await audit.insert(entry, within)
    return users
  }

export function roleDeletions(sql: AccountSql): RoleDeletions {
  const { db, transaction, serialized } = sql
  const reassign = reassignment(sql)
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
        return reassign(role, (users) => entries({ ...roleDeletionFrom(noted), users }), within)
      }),
  }
}

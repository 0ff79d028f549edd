import type { Within } from './account-sql.ts'
import type { ExistingRole } from './account-store.ts'

const rowOf = (role: string): string => `role_generation:${role}`

/**
 * How often a role with this name was created or deleted through the API: two roles with one name differ in it. Never for
 * the built-in roles, and not by an edit of the configuration, which is to restore what it had removed (ROLE-7).
 *
 * The row of a deleted role stays: without it, a request that began before the deletion would find the same number again
 * after an edit of the configuration brought the role back, and give someone a role that isn't the one it was for.
 */
export async function roleGeneration(role: string, within: Pick<Within, 'selectFrom'>): Promise<number> {
  const row = await within.selectFrom('meta').select('value').where('key', '=', rowOf(role)).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Begins another generation, in a serialized transaction. */
export async function nextRoleGeneration(role: string, within: Within): Promise<void> {
  const value = String((await roleGeneration(role, within)) + 1)
  await within
    .insertInto('meta')
    .values({ key: rowOf(role), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Whether it is still the role that was found to exist. In a serialized transaction, until its commit. */
export const isSameRole = async ({ role, generation }: ExistingRole, within: Within): Promise<boolean> =>
  (await roleGeneration(role, within)) === generation

import type { Config } from '../app/config/config.ts'
import { builtinRoles } from '../access/role.ts'
import type { AccountStore, ExistingRole } from '../users/accounts/account-store.ts'
import { noSuchRole } from '../users/user-problems.ts'
import { CommandError } from './exit-codes.ts'

/** @throws CommandError `usage` if the configuration has no such role (USER-4) */
export async function existingRole(
  role: string,
  { auth }: Pick<Config, 'auth'>,
  accounts: Pick<AccountStore, 'roleGeneration'>,
): Promise<ExistingRole> {
  const roles = [...builtinRoles, ...auth.roles.keys()]
  if (!roles.includes(role)) throw new CommandError('usage', `role: ${noSuchRole(roles).message}`)
  return { role, generation: await accounts.roleGeneration(role) }
}

import type { Roles } from '../../access/role.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import type { AccountStore, ExistingRole } from '../accounts/account-store.ts'
import type { UserReasons } from '../reasons.ts'
import { noSuchRole } from '../user-problems.ts'

export interface ExistingRoleDeps {
  readonly roles: () => Pick<Roles, 'exists' | 'names'>
  readonly store: Pick<AccountStore, 'roleGeneration'>
}

/** The role that a request gives to someone. @throws ServiceError `invalid-request` if there is none with this name */
export async function requireRole(role: string, { roles, store }: ExistingRoleDeps): Promise<ExistingRole> {
  // First: of a role that ends in between, this is an earlier one, and the change is refused.
  const generation = await store.roleGeneration(role)
  if (!roles().exists(role)) throw invalidField('role', noSuchRole(roles().names))
  return { role, generation }
}

/** The role was deleted while the request waited, and another one may have its name by now. */
export const roleReplaced = (): ServiceError => new ServiceError<UserReasons>('conflict', { reason: 'role-changed' })

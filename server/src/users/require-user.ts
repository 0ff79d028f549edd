import type { Owner } from '../access/identity.ts'
import type { OwnerOf } from '../access/rule.ts'
import type { Caller } from '../http/caller.ts'
import type { AccountStore } from './accounts/account-store.ts'
import { databaseOwner, type User } from './user.ts'
import { userKey } from './user-name.ts'
import { noSuchUser } from './user-problems.ts'

export async function userNamed(name: string, store: Pick<AccountStore, 'userByKey'>): Promise<User | undefined> {
  const key = userKey(name)
  return key === undefined ? undefined : store.userByKey(key)
}

/** The user as the owner of what a path names. */
export async function ownerNamed(name: string, store: Pick<AccountStore, 'userByKey'>): Promise<Owner | undefined> {
  const user = await userNamed(name, store)
  return user && databaseOwner(user)
}

/** How a rule finds the user in a path. */
export const userInPath = (store: Pick<AccountStore, 'userByKey'>): OwnerOf => ({
  of: 'path',
  name: 'username',
  find: (name) => ownerNamed(name, store),
})

/**
 * The user in the path of a request that changes it.
 *
 * @throws ServiceError `not-found`, also if the name is that of another user than the one for whom it was allowed
 */
export async function requireSameUser(
  name: string,
  store: Pick<AccountStore, 'userByKey'>,
  { owner }: Pick<Caller, 'owner'>,
): Promise<User> {
  const user = await requireUser(name, store)
  if (user.id !== owner?.userId) throw noSuchUser()
  return user
}

/** @throws ServiceError `not-found` */
export async function requireUser(name: string, store: Pick<AccountStore, 'userByKey'>): Promise<User> {
  const user = await userNamed(name, store)
  if (!user) throw noSuchUser()
  return user
}

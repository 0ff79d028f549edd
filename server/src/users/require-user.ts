import type { AccountStore } from './accounts/account-store.ts'
import type { User } from './user.ts'
import { userKey } from './user-name.ts'
import { noSuchUser } from './user-problems.ts'

export async function userNamed(name: string, store: Pick<AccountStore, 'userByKey'>): Promise<User | undefined> {
  const key = userKey(name)
  return key === undefined ? undefined : store.userByKey(key)
}

/** @throws ServiceError `not-found` */
export async function requireUser(name: string, store: Pick<AccountStore, 'userByKey'>): Promise<User> {
  const user = await userNamed(name, store)
  if (!user) throw noSuchUser()
  return user
}

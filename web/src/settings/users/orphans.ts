import type { UserResponse } from '../../../../server/src/api-types.ts'

type User = Pick<UserResponse, 'username' | 'key' | 'role' | 'provider'>

/** A role that does not exist, and the users who have it. */
export interface Orphans {
  readonly role: string
  readonly names: readonly string[]
  /** Those whom an admin can give another role: not those of an identity provider, which decides their role. */
  readonly local: readonly { readonly key: string; readonly name: string }[]
}

/** Groups users by role. */
export const byRole = (users: readonly User[]): readonly Orphans[] =>
  [...Map.groupBy(users, ({ role }) => role)].map(([role, some]) => ({
    role,
    names: some.map(({ username }) => username),
    local: some.filter(({ provider }) => provider === null).map(({ key, username: name }) => ({ key, name })),
  }))

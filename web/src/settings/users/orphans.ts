import type { UserResponse } from '../../../../server/src/api-types.ts'

/** A role that does not exist, and the users who have it. */
export interface Orphans {
  readonly role: string
  readonly names: readonly string[]
}

/** Groups users by role. */
export const byRole = (users: readonly Pick<UserResponse, 'username' | 'role'>[]): readonly Orphans[] =>
  [...Map.groupBy(users, ({ role }) => role)].map(([role, some]) => ({
    role,
    names: some.map(({ username }) => username),
  }))

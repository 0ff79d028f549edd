import type { RoleView } from '../roles/roles.ts'
import type { UserView } from './people.ts'

/** A role that does not exist, and the users who have it. */
export interface Orphans {
  readonly role: string
  readonly names: readonly string[]
}

/** The users whose role does not exist, by that role. */
export function orphansOf(
  users: readonly Pick<UserView, 'username' | 'role'>[],
  roles: readonly Pick<RoleView, 'name'>[],
): readonly Orphans[] {
  const existing = new Set(roles.map(({ name }) => name))
  const found = new Map<string, string[]>()
  for (const { username, role } of users) {
    if (!existing.has(role)) found.set(role, [...(found.get(role) ?? []), username])
  }
  return [...found].map(([role, names]) => ({ role, names }))
}

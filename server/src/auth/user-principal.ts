import type { Principal } from '../access/identity.ts'
import { methodOf, type User } from '../users/user.ts'

/** A user of the database as a caller, with neither a session nor a credential that limits what the role allows. */
export const userPrincipal = (user: Pick<User, 'id' | 'name' | 'key' | 'role' | 'provider'>): Principal => ({
  kind: 'authenticated',
  authMethod: methodOf(user),
  name: user.name,
  key: user.key,
  userId: user.id,
  role: user.role,
  session: undefined,
})

import { useQuery } from '@tanstack/react-query'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { usersQuery } from '../../../users/users.ts'
import { staysAdmin } from '../../../users/user-status.ts'

/** Admins that are compared; of a service with more, it refuses itself. */
const max = 100

/** Whether no other admin is one on whom others can rely, as far as is known: the service decides. */
export function useLastAdmin({ key, role, provider }: UserResponse): boolean {
  const counts = role === 'admin' && provider === null
  const { data } = useQuery({ ...usersQuery({ role: 'admin', max }), enabled: counts })
  if (!counts || data === undefined || data.total > data.users.length) return false
  return !data.users.some((other) => other.key !== key && staysAdmin(other))
}

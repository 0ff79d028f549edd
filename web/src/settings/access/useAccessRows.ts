import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { loadOf, type Load } from '../../api/load.ts'
import { useNow } from '../../lib/useNow.ts'
import { usersFound, usersQuery } from '../../users/users.ts'
import { fitting, rowsOfRoles, rowsOfUsers, type AccessFilter, type AccessRow } from './effective-access.ts'

/** Rows shown at first, and added per press of the button. */
export const perPage = 50

interface AccessFound {
  readonly rows: readonly AccessRow[]
  /** Number of matching rows, shown or not. */
  readonly total: number
}

/** The rows to show. `busy`: more rows are loading. */
export function useAccessRows(
  filter: AccessFilter,
  roles: readonly RoleResponse[],
): { readonly found: Load<AccessFound>; readonly busy: boolean } {
  const max = filter.page * perPage
  const now = useNow(10_000)
  const query = useQuery({
    ...usersQuery({ ...usersOf(filter), max }),
    placeholderData: keepPreviousData,
    enabled: filter.rows === 'users',
  })
  if (filter.rows === 'roles') {
    const fit = fitting(rowsOfRoles(roles, now), filter)
    const value = { rows: fit.slice(0, max), total: fit.length }
    return { found: { state: 'ready', value, stale: false }, busy: false }
  }
  const users = loadOf(query)
  if (users.state !== 'ready') return { found: users, busy: false }
  const value = { rows: rowsOfUsers(users.value.users, roles, now), total: users.value.total }
  return { found: { ...users, value }, busy: query.isPlaceholderData }
}

/** Prints every matching row, shown or not. `rows`: all of them, while the print view is open. */
export function usePrint(filter: AccessFilter, roles: readonly RoleResponse[]) {
  const [rows, setRows] = useState<readonly AccessRow[]>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (filter.rows === 'roles') return fitting(rowsOfRoles(roles, Date.now()), filter)
      return rowsOfUsers((await usersFound({ ...usersOf(filter), max: Infinity })).users, roles, Date.now())
    },
    onSuccess(all) {
      flushSync(() => setRows(all))
      window.print()
    },
  })
  useEffect(() => {
    const after = () => setRows(undefined)
    window.addEventListener('afterprint', after)
    return () => window.removeEventListener('afterprint', after)
  }, [])
  return { rows, print: () => mutate(), isPending, error }
}

const usersOf = ({ text, camera }: AccessFilter) => ({ search: text.trim(), camera })

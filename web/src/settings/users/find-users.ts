import { chosen, oneOf } from '../search.ts'
import type { FilterForm } from '../useFilter.ts'
import type { UserView } from './people.ts'

const columns = ['username', 'role', 'last_login_at', 'created_at'] as const
export type Column = (typeof columns)[number]

export interface Sorting {
  readonly by: Column
  readonly down: boolean
}

/** Which part of all users is shown, and how. */
export interface UserFilter {
  readonly text: string
  /** Empty for any. */
  readonly role: string
  readonly sorting: Sorting
  readonly page: number
}

/** A column stands in the address as `role`, or `-role` where it begins with the last. */
export const userFilterForm: FilterForm<UserFilter> = {
  read: ({ q = '', role = '', sort, page = 1 }) => {
    const down = sort?.startsWith('-') === true
    const by = oneOf(columns, down ? sort?.slice(1) : sort, 'username')
    return { text: q, role, sorting: { by, down }, page }
  },
  write: ({ text, role, sorting: { by, down }, page }) => {
    const sort = `${down ? '-' : ''}${by}`
    return chosen({ q: text, role, sort: sort === 'username' ? undefined : sort, page })
  },
}

/** Those whose name or role holds what is searched for, of one role where one is given. */
export function matching(users: readonly UserView[], search: string, role: string): UserView[] {
  const wanted = search.trim().toLowerCase()
  return users.filter(
    (user) =>
      (role === '' || user.role === role) &&
      (wanted === '' || user.username.toLowerCase().includes(wanted) || user.role.toLowerCase().includes(wanted)),
  )
}

/** In order; those of equal worth by name. Who never signed in did so before everybody else. */
export function sorted(users: readonly UserView[], { by, down }: Sorting, locale: string): UserView[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  const worth = (user: UserView): string => user[by] ?? ''
  const order = by === 'username' || by === 'role' ? compare : (a: string, b: string) => (a < b ? -1 : Number(a > b))
  const sign = down ? -1 : 1
  return [...users].sort((a, b) => sign * order(worth(a), worth(b)) || compare(a.username, b.username))
}

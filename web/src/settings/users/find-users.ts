import { usersSearch } from '../search.ts'
import { oneOf } from '../../lib/one-of.ts'
import type { FilterForm } from '../useFilter.ts'

const columns = ['username', 'role', 'last_login_at', 'created_at'] as const
export type Column = (typeof columns)[number]

export interface Sorting {
  readonly by: Column
  readonly down: boolean
}

export const signIns = ['', 'password', 'provider'] as const
export type SignIn = (typeof signIns)[number]

/** The filter and sorting of the user list. */
export interface UserFilter {
  readonly text: string
  /** Empty for any. */
  readonly role: string
  /** Empty for any. */
  readonly signIn: SignIn
  readonly sorting: Sorting
  /** Number of list pages shown, one below the other. */
  readonly page: number
}

/** The sort column is `role` in the URL, or `-role` if descending. */
export const userFilterForm: FilterForm<UserFilter, ReturnType<typeof usersSearch>> = {
  search: usersSearch,
  read: ({ q = '', role = '', sign_in: signIn, sort, page = 1 }) => {
    const down = sort?.startsWith('-') === true
    const by = oneOf(columns, down ? sort?.slice(1) : sort, 'username')
    return { text: q, role, signIn: oneOf(signIns, signIn, ''), sorting: { by, down }, page }
  },
  write: ({ text, role, signIn, sorting, page }) => {
    const sort = sortOf(sorting)
    return { q: text, role, sign_in: signIn, sort: sort === 'username' ? undefined : sort, page }
  },
}

/** The sort column as the API and the URL have it. */
export const sortOf = ({ by, down }: Sorting): string => `${down ? '-' : ''}${by}`

import type { UserView } from './people.ts'

export type Column = 'username' | 'role' | 'last_login_at' | 'created_at'

export interface Sorting {
  readonly by: Column
  readonly down: boolean
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

import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { useMe } from '../../session/session.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, day, moment } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { rolesQuery } from '../../users/roles.ts'
import { providerHostOf } from '../../users/provider-host.ts'
import { WrappingText } from '../../ui/WrappingText.tsx'
import classes from './UserFacts.module.css'

/** A username that links to the user's page. The whole row or card around it is clickable. */
export function UserLink({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const mine = useIsMe(user)
  return (
    <span className={classes.user}>
      <span className={classes.initial} aria-hidden>
        {user.username.charAt(0).toUpperCase()}
      </span>
      <Link to="/settings/users/$user" params={{ user: user.key }} className={classes.name} preload={false}>
        <WrappingText of={user.username} after="@." />
      </Link>
      {mine && (
        <Badge variant="light" tt="none" className={classes.you}>
          {users.you}
        </Badge>
      )}
    </span>
  )
}

/** Whether this is the signed-in user. A proxy's user is never a user in the database, even with the same name. */
export const useIsMe = ({ key }: Pick<UserResponse, 'key'>): boolean => useMe().key === key

/** The host of the identity provider that a user signs in with. */
export function ProviderBadge({ user }: { user: UserResponse }) {
  const { provider } = useTexts('users').users
  const host = providerHostOf(user)
  if (host === undefined) return null
  return (
    <Badge
      className={classes.provider}
      variant="outline"
      tt="none"
      size="lg"
      color="gray"
      title={provider.signsIn({ host })}
    >
      <span className="visually-hidden">{provider.signsIn({ host })}</span>
      <span aria-hidden>{host}</span>
    </Badge>
  )
}

export function RoleBadge({ role }: { role: string }) {
  const { users } = useTexts('users')
  const { data: roles } = useQuery(rolesQuery)
  const gone = roles !== undefined && !roles.some(({ name }) => name === role)
  const color = gone ? 'red' : role === 'admin' ? 'gate' : 'gray'
  return (
    <Badge
      className={classes.role}
      variant="light"
      tt="none"
      size="lg"
      color={color}
      data-color={color}
      title={gone ? users.noSuchRole({ role }) : undefined}
    >
      {role}
      {gone && <span className="visually-hidden"> ({users.noSuchRole({ role })})</span>}
    </Badge>
  )
}

export function LastLogin({ at }: { at: string | null }) {
  const { users } = useTexts('users')
  const locale = useLocale()
  const now = useNow(60_000)
  if (at === null) return <span className={classes.never}>{users.never}</span>
  const time = Date.parse(at)
  return (
    <time dateTime={at} title={moment(time, locale)}>
      {ago(time, now, locale)}
    </time>
  )
}

export function Joined({ at }: { at: string }) {
  const locale = useLocale()
  return <time dateTime={at}>{day(Date.parse(at), locale)}</time>
}

import { Badge } from '@mantine/core'
import type { UserResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { day, moment } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import classes from './StatusBadge.module.css'
import { statusOf } from './user-status.ts'

type Status = Pick<UserResponse, 'disabled' | 'expires_at' | 'blocked'>

/** Marks a user who is disabled, has expired or will expire, or whom the configuration gives no access now. */
export function StatusBadge({ user }: { user: Status }) {
  const { blocked: words } = useTexts('users').users.status
  return (
    <>
      <EndBadge user={user} />
      {user.blocked !== null && <Mark color="red">{words[user.blocked]}</Mark>}
    </>
  )
}

function EndBadge({ user }: { user: Status }) {
  const { status: words } = useTexts('users').users
  const locale = useLocale()
  const status = statusOf(user, useNow(10_000))
  const end = user.expires_at === null ? undefined : Date.parse(user.expires_at)
  if (status === 'enabled') return null
  return (
    <Mark
      color={status === 'expiring' ? 'gray' : 'red'}
      title={end === undefined ? undefined : words.expiresAt({ when: moment(end, locale) })}
    >
      {status === 'expiring' && end !== undefined
        ? words.until({ when: day(end, locale) })
        : words[status === 'disabled' ? 'disabled' : 'expired']}
    </Mark>
  )
}

interface MarkProps {
  readonly color: 'gray' | 'red'
  readonly title?: string | undefined
  readonly children: string
}

const Mark = ({ color, title, children }: MarkProps) => (
  <Badge size="lg" variant="light" tt="none" color={color} data-color={color} className={classes.badge} title={title}>
    {children}
  </Badge>
)

import { Badge } from '@mantine/core'
import type { UserResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { day, moment } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import classes from './StatusBadge.module.css'
import { statusOf } from './user-status.ts'

/** Marks a user who is disabled, has expired or will expire. */
export function StatusBadge({ user }: { user: Pick<UserResponse, 'disabled' | 'expires_at'> }) {
  const { status: words } = useTexts('users').users
  const locale = useLocale()
  const status = statusOf(user, useNow(10_000))
  const end = user.expires_at === null ? undefined : Date.parse(user.expires_at)
  if (status === 'enabled') return null
  return (
    <Badge
      size="lg"
      variant="light"
      tt="none"
      color={status === 'expiring' ? 'gray' : 'red'}
      data-color={status === 'expiring' ? 'gray' : 'red'}
      className={classes.badge}
      title={end === undefined ? undefined : words.expiresAt({ when: moment(end, locale) })}
    >
      {status === 'expiring' && end !== undefined
        ? words.until({ when: day(end, locale) })
        : words[status === 'disabled' ? 'disabled' : 'expired']}
    </Badge>
  )
}

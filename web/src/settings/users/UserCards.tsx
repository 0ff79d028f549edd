import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import pageClasses from '../Page.module.css'
import { StatusBadge } from '../../users/StatusBadge.tsx'
import classes from './UserCards.module.css'
import { LastLogin, ProviderBadge, RoleBadge, UserLink } from './UserFacts.tsx'

/** The user table as cards, on narrow screens. */
export function UserCards({ users }: { users: readonly UserResponse[] }) {
  const texts = useTexts('users')
  return (
    <ul className={`${pageClasses.list} ${pageClasses.surface}`} aria-label={texts.users.list}>
      {users.map((user) => (
        <li key={user.key} className={classes.card}>
          <div className={classes.text}>
            <UserLink user={user} />
            <div className={classes.facts}>
              <RoleBadge role={user.role} />
              <ProviderBadge user={user} />
              <StatusBadge user={user} />
              <Text size="sm" c="dimmed" component="span" className={classes.seen}>
                {texts.label({ what: texts.users.lastLogin })}
                <LastLogin at={user.last_login_at} />
              </Text>
            </div>
          </div>
          <IconChevronRight size={18} aria-hidden className={classes.chevron} />
        </li>
      ))}
    </ul>
  )
}

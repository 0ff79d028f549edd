import { Alert } from '@mantine/core'
import { IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { NoPage } from '../../../ui/feedback/NoPage.tsx'
import { useProvider } from '../../../session/useProvider.ts'
import { loadOf } from '../../../api/load.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { ago, day } from '../../../lib/format-time.ts'
import { useNow } from '../../../lib/useNow.ts'
import classes from '../../Page.module.css'
import { SectionHead } from '../../SectionHead.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../../ui/feedback/StaleAlert.tsx'
import { DeleteUser } from './DeleteUser.tsx'
import { userQuery } from '../../../users/users.ts'
import { ProviderOfUser } from './ProviderOfUser.tsx'
import { ResetLink } from './ResetLink.tsx'
import { RoleOfUser } from './RoleOfUser.tsx'
import { SessionsOfUser } from './SessionsOfUser.tsx'
import { SetPassword } from './SetPassword.tsx'
import { StatusOfUser } from './StatusOfUser.tsx'
import { useLastAdmin } from './useLastAdmin.ts'

/** One user and everything that an admin can do with them. */
export function UserPage() {
  const { user: item } = useParams({ from: '/framed/settings/users/$user' })
  const { users } = useTexts('users')
  const found = loadOf(useQuery(userQuery(item)))

  switch (found.state) {
    case 'loading':
      return (
        <div className={`${classes.page} ${classes.narrow}`}>
          <ListSkeleton />
        </div>
      )
    case 'failed':
      return <ErrorState error={found.error} again={found.again} />
    case 'ready': {
      const user = found.value
      if (!user)
        return (
          <NoPage
            icon={IconUserQuestion}
            title={users.goneTitle}
            body={users.gone({ name: item })}
            to="/settings/users"
            label={users.all}
          />
        )
      return (
        <div className={`${classes.page} ${classes.narrow}`}>
          <Head user={user} />
          {found.stale && <StaleAlert />}
          <Cards key={user.key} user={user} />
        </div>
      )
    }
  }
}

function Cards({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const lastAdmin = useLastAdmin(user)
  const provider = useProvider()
  const isProviderOnly = provider?.isOnly === true
  return (
    <>
      {isProviderOnly && !user.provider && <Alert color="gate">{users.providerOnly({ name: provider.name })}</Alert>}
      {lastAdmin && <Alert color="yellow">{users.lastAdmin}</Alert>}
      {user.provider ? <ProviderOfUser user={user} /> : <RoleOfUser user={user} lastAdmin={lastAdmin} />}
      <StatusOfUser user={user} lastAdmin={lastAdmin} />
      {!user.provider && <SetPassword user={user} />}
      {!user.provider && !isProviderOnly && <ResetLink user={user} />}
      <SessionsOfUser user={user} />
      <DeleteUser user={user} lastAdmin={lastAdmin} />
    </>
  )
}

function Head({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const locale = useLocale()
  const now = useNow(60_000)
  const seen =
    user.last_login_at === null
      ? users.neverSeen
      : users.seen({ when: ago(Date.parse(user.last_login_at), now, locale) })
  return (
    <SectionHead
      title={user.username}
      lead={`${seen} · ${users.since({ when: day(Date.parse(user.created_at), locale) })}`}
      up={{ to: '/settings/users', label: users.all }}
    />
  )
}

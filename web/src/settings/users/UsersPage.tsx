import { Alert, Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Failure } from '../../frame/Failure.tsx'
import { useMe } from '../../session/session.ts'
import { loadOf } from '../../shared/load.ts'
import { useSettingsTexts } from '../../shared/texts/admin-texts.ts'
import { useLocale } from '../../shared/texts/texts.ts'
import { Nothing } from '../Nothing.tsx'
import classes from '../Page.module.css'
import { paged, Paging } from '../Paging.tsx'
import { RoleDifferences } from '../roles/RoleDifferences.tsx'
import { rolesQuery } from '../roles/roles.ts'
import { SectionHead } from '../SectionHead.tsx'
import { useFilter } from '../useFilter.ts'
import { Waiting } from '../Waiting.tsx'
import { matching, sorted, userFilterForm } from './find-users.ts'
import { NewUser } from './NewUser.tsx'
import { OrphanedUsers } from './OrphanedUsers.tsx'
import { usersQuery, type UserView } from './people.ts'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'

/** Everyone who may sign in. */
export function UsersPage() {
  const texts = useSettingsTexts()
  const me = useMe()
  const users = loadOf(useQuery(usersQuery))
  const [adding, setAdding] = useState(false)

  return (
    <div className={classes.page}>
      <SectionHead title={texts.settings.sections.users} lead={texts.users.lead}>
        <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {texts.users.add}
        </Button>
      </SectionHead>
      {!me.sign_in_methods.includes('password') && <Alert color="yellow">{texts.users.byProxy}</Alert>}
      <RoleDifferences />
      {users.state === 'loading' && <Waiting />}
      {users.state === 'failed' && <Failure part error={users.error} again={users.again} />}
      {users.state === 'ready' && (
        <>
          {users.stale && (
            <Alert role="status" color="yellow">
              {texts.failure.stale}
            </Alert>
          )}
          <OrphanedUsers users={users.value} />
          <UserList users={users.value} />
        </>
      )}
      <NewUser opened={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

function UserList({ users }: { users: readonly UserView[] }) {
  const texts = useSettingsTexts()
  const locale = useLocale()
  const { data: roles = [] } = useQuery(rolesQuery)
  const narrow = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const { filter, choose, type } = useFilter(userFilterForm)
  const { text, role, sorting } = filter
  const wanted = useDeferredValue(text)

  const found = sorted(matching(users, wanted, role), sorting, locale)
  const list = paged(found, filter.page, (page) => choose({ ...filter, page }))
  // A user may hold a role that is gone.
  const roleNames = [...new Set([...roles.map(({ name }) => name), ...users.map((user) => user.role), role])].filter(
    Boolean,
  )

  return (
    <>
      <div className={classes.tools} role="search">
        <TextInput
          className={classes.search}
          type="search"
          leftSection={<IconSearch size={18} aria-hidden />}
          aria-label={texts.users.search}
          placeholder={texts.users.search}
          value={text}
          onChange={(event) => type({ ...filter, text: event.currentTarget.value, page: 1 })}
        />
        <NativeSelect
          className={classes.filter}
          aria-label={texts.users.filterRole}
          value={role}
          onChange={(event) => choose({ ...filter, role: event.currentTarget.value, page: 1 })}
          data={[{ value: '', label: texts.users.allRoles }, ...roleNames]}
        />
        <Text size="sm" c="dimmed" role="status">
          {texts.users.count(found.length, users.length)}
        </Text>
      </div>
      {found.length === 0 ? (
        <Nothing
          icon={IconUserSearch}
          title={texts.users.noneTitle}
          action={
            <Button variant="default" onClick={() => choose({ ...filter, text: '', role: '', page: 1 })}>
              {texts.users.clear}
            </Button>
          }
        >
          {texts.users.none}
        </Nothing>
      ) : narrow ? (
        <UserCards users={list.shown} />
      ) : (
        <UserTable users={list.shown} sorting={sorting} onSort={(sorting) => choose({ ...filter, sorting, page: 1 })} />
      )}
      <Paging paged={list} />
    </>
  )
}

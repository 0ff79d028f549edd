import { Alert, Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Failure } from '../../frame/Failure.tsx'
import { useMe } from '../../session/session.ts'
import { loadOf } from '../../shared/load.ts'
import { useLocale, useTexts } from '../../shared/texts/texts.ts'
import { Nothing } from '../Nothing.tsx'
import classes from '../Page.module.css'
import { Paging, usePaged } from '../Paging.tsx'
import { rolesQuery } from '../roles/roles.ts'
import { SectionHead } from '../SectionHead.tsx'
import { Waiting } from '../Waiting.tsx'
import { matching, sorted, type Sorting } from './find-users.ts'
import { NewUser } from './NewUser.tsx'
import { usersQuery, type UserView } from './people.ts'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'

/** Everyone who may sign in. */
export function UsersPage() {
  const texts = useTexts()
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
      {me.auth === 'proxy' && <Alert color="yellow">{texts.users.byProxy}</Alert>}
      {users.state === 'loading' && <Waiting />}
      {users.state === 'failed' && <Failure error={users.error} again={users.again} />}
      {users.state === 'ready' && (
        <>
          {users.stale && (
            <Alert role="status" color="yellow">
              {texts.failure.stale}
            </Alert>
          )}
          <UserList users={users.value} />
        </>
      )}
      <NewUser opened={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

function UserList({ users }: { users: readonly UserView[] }) {
  const texts = useTexts()
  const locale = useLocale()
  const { data: roles = [] } = useQuery(rolesQuery)
  const narrow = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const [search, setSearch] = useState('')
  const [role, setRole] = useState('')
  const [sorting, setSorting] = useState<Sorting>({ by: 'username', down: false })
  const wanted = useDeferredValue(search)

  const found = sorted(matching(users, wanted, role), sorting, locale)
  const paged = usePaged(found, `${wanted}\n${role}\n${sorting.by}`)
  const number = new Intl.NumberFormat(locale)
  // A user may hold a role that is gone.
  const roleNames = [...new Set([...roles.map(({ name }) => name), ...users.map((user) => user.role)])]

  return (
    <>
      <div className={classes.tools} role="search">
        <TextInput
          className={classes.search}
          type="search"
          leftSection={<IconSearch size={18} aria-hidden />}
          aria-label={texts.users.search}
          placeholder={texts.users.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          className={classes.filter}
          aria-label={texts.users.filterRole}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          data={[{ value: '', label: texts.users.allRoles }, ...roleNames]}
        />
        <Text size="sm" c="dimmed" role="status">
          {texts.users.count(number.format(found.length), number.format(users.length))}
        </Text>
      </div>
      {found.length === 0 ? (
        <Nothing
          icon={IconUserSearch}
          title={texts.users.noneTitle}
          action={
            <Button
              variant="default"
              onClick={() => {
                setSearch('')
                setRole('')
              }}
            >
              {texts.users.clear}
            </Button>
          }
        >
          {texts.users.none}
        </Nothing>
      ) : narrow ? (
        <UserCards users={paged.shown} />
      ) : (
        <UserTable users={paged.shown} sorting={sorting} onSort={setSorting} />
      )}
      <Paging paged={paged} />
    </>
  )
}

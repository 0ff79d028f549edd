import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNarrow } from '../../ui/breakpoints.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { oneOf } from '../../lib/one-of.ts'
import { useProvider } from '../../session/useProvider.ts'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import classes from '../Page.module.css'
import { rolesQuery } from '../../users/roles.ts'
import { useFilter } from '../useFilter.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { signIns, sortOf, userFilterForm, type UserFilter } from './find-users.ts'
import { usersQuery, type UsersFound } from '../../users/users.ts'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'

/** Users shown at first, and added per press of the button. */
const perPage = 50

/** The list of users, with search and filters. */
export function UserList() {
  const { filter, choose, type } = useFilter(userFilterForm)
  const [requested] = useDebouncedValue(filter, 200)
  const query = useQuery({
    ...usersQuery({
      search: requested.text.trim(),
      role: requested.role,
      ...(requested.signIn !== '' && { provider: requested.signIn === 'provider' }),
      sort: sortOf(requested.sorting),
      max: requested.page * perPage,
    }),
    placeholderData: keepPreviousData,
  })
  const found = loadOf(query)

  return (
    <>
      <Tools
        filter={filter}
        found={found.state === 'ready' ? found.value : undefined}
        onChoose={choose}
        onType={type}
      />
      {found.state === 'loading' && <ListSkeleton />}
      {found.state === 'failed' && <ErrorState part error={found.error} again={found.again} />}
      {found.state === 'ready' && (
        <>
          {found.stale && <StaleAlert />}
          <Found of={found.value} busy={query.isPlaceholderData} filter={filter} onChoose={choose} />
        </>
      )}
    </>
  )
}

interface ToolsProps {
  readonly filter: UserFilter
  readonly found: UsersFound | undefined
  readonly onChoose: (filter: UserFilter) => void
  readonly onType: (filter: UserFilter) => void
}

function Tools({ filter, found, onChoose, onType }: ToolsProps) {
  const { users: texts, account } = useTexts('users')
  const { data: roles = [] } = useQuery(rolesQuery)
  const provider = useProvider()
  const { text, role, signIn } = filter
  // A user can have a role that was deleted.
  const held = found?.users.map((user) => user.role) ?? []
  const roleNames = [...new Set([...roles.map(({ name }) => name), ...held, role])].filter(Boolean)

  return (
    <div className={classes.tools} role="search">
      <SearchField
        className={classes.search}
        label={texts.search}
        value={text}
        onChange={(text) => onType({ ...filter, text, page: 1 })}
      />
      <NativeSelect
        className={classes.filter}
        aria-label={texts.filterRole}
        value={role}
        onChange={(event) => onChoose({ ...filter, role: event.currentTarget.value, page: 1 })}
        data={[{ value: '', label: texts.allRoles }, ...roleNames]}
      />
      {(provider ?? signIn) && (
        <NativeSelect
          className={classes.filter}
          aria-label={texts.filterSignIn}
          value={signIn}
          onChange={(event) => onChoose({ ...filter, signIn: oneOf(signIns, event.currentTarget.value, ''), page: 1 })}
          data={[
            { value: '', label: texts.anySignIn },
            { value: 'password', label: texts.passwordSignIn },
            { value: 'provider', label: provider?.name ?? account.unnamedProvider },
          ]}
        />
      )}
      <Text size="sm" c="dimmed" role="status">
        {found &&
          texts.count({ filtered: found.users.length !== found.total, shown: found.users.length, all: found.total })}
      </Text>
    </div>
  )
}

interface FoundProps {
  readonly of: UsersFound
  /** Whether more users are loading. */
  readonly busy: boolean
  readonly filter: UserFilter
  readonly onChoose: (filter: UserFilter) => void
}

function Found({ of: { users, total }, busy, filter, onChoose }: FoundProps) {
  const { users: texts } = useTexts('users')
  const narrow = useNarrow()

  if (users.length === 0) {
    return (
      <EmptyState
        icon={IconUserSearch}
        title={texts.noneTitle}
        action={
          <Button variant="default" onClick={() => onChoose({ ...filter, text: '', role: '', signIn: '', page: 1 })}>
            {texts.clear}
          </Button>
        }
      >
        {texts.none}
      </EmptyState>
    )
  }
  return (
    <>
      {narrow ? (
        <UserCards users={users} />
      ) : (
        <UserTable
          users={users}
          sorting={filter.sorting}
          onSort={(sorting) => onChoose({ ...filter, sorting, page: 1 })}
        />
      )}
      {users.length < total && (
        <Group justify="center">
          <Button
            variant="default"
            loading={busy}
            onClick={() => onChoose({ ...filter, page: Math.ceil(users.length / perPage) + 1 })}
          >
            {texts.moreSessions({ count: Math.min(perPage, total - users.length) })}
          </Button>
        </Group>
      )}
    </>
  )
}

import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import pageClasses from '../Page.module.css'
import type { Column, Sorting } from './find-users.ts'
import { StatusBadge } from '../../users/StatusBadge.tsx'
import { Joined, LastLogin, ProviderBadge, RoleBadge, UserLink } from './UserFacts.tsx'
import factClasses from './UserFacts.module.css'
import classes from './UserTable.module.css'

interface UserTableProps {
  readonly users: readonly UserResponse[]
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

export function UserTable({ users, sorting, onSort }: UserTableProps) {
  const texts = useTexts('users')
  const columns: readonly [Column, string][] = [
    ['username', texts.users.name],
    ['role', texts.users.role],
    ['last_login_at', texts.users.lastLogin],
    ['created_at', texts.users.created],
  ]

  return (
    <div className={pageClasses.surface}>
      <Table className={classes.table} verticalSpacing={0} highlightOnHover aria-label={texts.users.list}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(([column, label]) => (
              <SortHead key={column} column={column} label={label} sorting={sorting} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.key} className={classes.row}>
              <Table.Td>
                <UserLink user={user} />
              </Table.Td>
              <Table.Td>
                <span className={factClasses.badges}>
                  <RoleBadge role={user.role} />
                  <ProviderBadge user={user} />
                  <StatusBadge user={user} />
                </span>
              </Table.Td>
              <Table.Td>
                <LastLogin at={user.last_login_at} />
              </Table.Td>
              <Table.Td>
                <Joined at={user.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface SortHeadProps {
  readonly column: Column
  readonly label: string
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

/** Whether a column's first sort is descending: times show the latest first. */
const startsDown = (column: Column): boolean => column === 'last_login_at' || column === 'created_at'

function SortHead({ column, label, sorting, onSort }: SortHeadProps) {
  const chosen = sorting.by === column
  const Icon = !chosen ? IconArrowsSort : sorting.down ? IconArrowDown : IconArrowUp
  return (
    <Table.Th aria-sort={chosen ? (sorting.down ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        className={classes.sort}
        data-chosen={chosen || undefined}
        onClick={() => onSort({ by: column, down: chosen ? !sorting.down : startsDown(column) })}
      >
        {label}
        <Icon size={16} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}

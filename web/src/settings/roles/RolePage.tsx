import { Button, Text } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { NoPage } from '../../ui/feedback/NoPage.tsx'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import classes from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { usersQuery } from '../../users/users.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { DeleteRole } from './DeleteRole.tsx'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { RoleEditor } from './RoleEditor.tsx'
import { rolesQuery } from '../../users/roles.ts'
import listClasses from './RolePage.module.css'

/** One role: what it gives, and its users. */
export function RolePage() {
  const { role: item } = useParams({ from: '/framed/settings/roles/$role' })
  const texts = useTexts('roles')
  const roles = loadOf(useQuery(rolesQuery))

  switch (roles.state) {
    case 'loading':
      return (
        <div className={`${classes.page} ${classes.narrow}`}>
          <ListSkeleton />
        </div>
      )
    case 'failed':
      return <ErrorState error={roles.error} again={roles.again} />
    case 'ready': {
      const role = roles.value.find(({ name }) => name === item)
      if (!role)
        return (
          <NoPage
            icon={IconKeyOff}
            title={texts.roles.goneTitle}
            body={texts.roles.gone({ name: item })}
            to="/settings/roles"
            label={texts.roles.all}
          />
        )
      return (
        <div className={`${classes.page} ${classes.narrow}`}>
          <SectionHead
            title={role.name}
            lead={texts.roles.users({ count: role.users })}
            up={{ to: '/settings/roles', label: texts.roles.all }}
          />
          {roles.stale && <StaleAlert />}
          {role.name === 'admin' || role.name === 'viewer' ? (
            <Card title={texts.roles.builtin} lead={texts.roles.builtinLead}>
              <Text>{texts.roles[role.name]}</Text>
            </Card>
          ) : (
            <RoleEditor role={role} />
          )}
          <UsersOfRole role={role} />
          {!role.builtin && <DeleteRole role={role} />}
        </div>
      )
    }
  }
}

const shownFirst = 20

function UsersOfRole({ role }: { role: RoleResponse }) {
  const texts = useTexts('roles', 'users')
  const [max, setMax] = useState(shownFirst)
  const found = loadOf(useQuery({ ...usersQuery({ role: role.name, max }), placeholderData: keepPreviousData }))
  const { users, total } = found.state === 'ready' ? found.value : { users: [], total: 0 }

  return (
    <Card title={texts.roles.usersTitle} lead={texts.roles.usersLead}>
      {found.state === 'loading' && <ListSkeleton rows={1} />}
      {found.state === 'failed' && <FailedPart error={found.error} again={found.again} />}
      {found.state === 'ready' && users.length === 0 && <Text c="dimmed">{texts.roles.noUsers}</Text>}
      {users.length > 0 && (
        <ul className={listClasses.users}>
          {users.map(({ username, key }) => (
            <li key={key}>
              <Link to="/settings/users/$user" params={{ user: key }} className={listClasses.user}>
                {username}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {total > users.length && (
        <Button variant="subtle" onClick={() => setMax(users.length + 200)}>
          {texts.users.moreSessions({ count: Math.min(200, total - users.length) })}
        </Button>
      )}
    </Card>
  )
}

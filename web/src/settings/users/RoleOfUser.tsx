import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { profileQuery } from '../../session/session.ts'
import { ApiError, send } from '../../shared/api.ts'
import { messageOf, problemOf } from '../../shared/failure.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import { Ask } from '../Ask.tsx'
import { Card } from '../Card.tsx'
import { done } from '../done.ts'
import { rolesQuery } from '../roles/roles.ts'
import { userPath, usersQuery, type UserView } from './people.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { useIsMe } from './UserFacts.tsx'
import classes from './UserFacts.module.css'

/** Gives a user another role. Giving up one's own admin role is asked about. */
export function RoleOfUser({ user, lastAdmin }: { user: UserView; lastAdmin: boolean }) {
  const texts = useTexts()
  const queries = useQueryClient()
  const mine = useIsMe(user.username)
  const [role, setRole] = useState(user.role)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()

  const change = async () => {
    setProblem(undefined)
    setBusy(true)
    try {
      await send(`${userPath(user.username)}/role`, { method: 'PUT', body: { role } })
      done(texts.users.roleChanged(user.username, role))
    } catch (error) {
      const about = problemOf(error, 'role')
      const last = error instanceof ApiError && error.failure.status === 409
      setProblem(last ? texts.users.lastAdminRefused : about ? texts.users.roleProblem(about) : messageOf(error, texts))
    } finally {
      setBusy(false)
      await Promise.all(
        [usersQuery.queryKey, rolesQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
      // The whole frame follows one's own role.
      if (mine) void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    }
  }

  return (
    <Card title={texts.users.roleTitle} lead={texts.users.roleLead}>
      {problem && (
        <Alert role="alert" color="red">
          {problem}
        </Alert>
      )}
      <RoleChoice value={role} onChange={setRole} disabled={lastAdmin} />
      <Group>
        <Button
          loading={busy}
          disabled={role === user.role}
          onClick={() => (mine && user.role === 'admin' ? setAsking(true) : void change())}
        >
          {texts.users.saveRole}
        </Button>
        <Link to="/settings/$section/$item" params={{ section: 'roles', item: role }} className={classes.link}>
          {texts.users.roleOf(role)}
        </Link>
      </Group>
      <Ask
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.users.ownRoleTitle}
        confirm={texts.users.ownRoleConfirm}
        act={change}
      >
        <Text>{texts.users.ownRoleBody(role)}</Text>
      </Ask>
    </Card>
  )
}

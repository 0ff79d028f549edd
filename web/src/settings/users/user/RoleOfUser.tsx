import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../../ui/feedback/notify.ts'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { profileQuery } from '../../../session/session.ts'
import { ApiError, sendJson } from '../../../api/api.ts'
import { messageOf, problemOf } from '../../../api/failure.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTexts, type Texts } from '../../../i18n/texts.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Card } from '../../../ui/Card.tsx'
import { RoleChoice } from '../RoleChoice.tsx'
import { useIsMe } from '../UserFacts.tsx'
import classes from '../UserFacts.module.css'

const unchosen = (role: string) => ({ from: role, role, overtaken: false })

/** Changes a user's role. Asks before admins give up their own admin role. */
export function RoleOfUser({ user, lastAdmin }: { user: UserResponse; lastAdmin: boolean }) {
  const texts = useTexts('users')
  const queries = useQueryClient()
  const mine = useIsMe(user)
  // `from`: the user's role as this page last knew it.
  const [{ from, role, overtaken }, setChoice] = useState({ from: user.role, role: user.role, overtaken: false })
  const [asking, setAsking] = useState(false)

  const change = useMutation({
    mutationFn: (sent: { readonly role: string; readonly expected_role: string }) =>
      sendJson('PUT /api/users/:username/role', { username: user.key }, sent),
    onSuccess: (_response, sent) => {
      // What was chosen since stays chosen.
      setChoice((choice) => ({ ...choice, from: sent.role, overtaken: false }))
      notifySuccess(texts.users.roleChanged({ name: user.username, role: sent.role }))
    },
    onSettled: async () => {
      await Promise.all(
        [queryKeys.users, queryKeys.roles].map(({ all }) => queries.invalidateQueries({ queryKey: all })),
      )
      // The whole app depends on the user's own role.
      if (mine) void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
  })
  const chosen = { role, expected_role: from }
  const problem = change.error && problemIn(change.error, texts)

  // Someone else changed the role: the form follows, or warns if a different role is chosen here.
  const follow = (now: string) =>
    setChoice(role === from || role === now ? unchosen(now) : { from: now, role, overtaken: true })
  if (user.role !== from && !change.isPending) follow(user.role)

  return (
    <Card title={texts.users.roleTitle} lead={texts.users.roleLead}>
      {problem && (
        <Alert role="alert" color="red">
          {problem}
        </Alert>
      )}
      {overtaken && (
        <Alert role="alert" color="yellow" title={texts.users.roleChangedByOtherTitle}>
          {texts.users.roleChangedByOther({ name: user.username, theirs: from, mine: role })}
        </Alert>
      )}
      <RoleChoice value={role} onChange={(role) => setChoice({ from, role, overtaken: false })} disabled={lastAdmin} />
      <Group>
        <Button
          loading={change.isPending}
          disabled={role === from}
          onClick={() => (mine && user.role === 'admin' ? setAsking(true) : change.mutate(chosen))}
        >
          {texts.users.saveRole}
        </Button>
        <Link to="/settings/roles/$role" params={{ role }} className={classes.link}>
          {texts.users.roleOf({ role })}
        </Link>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.users.ownRoleTitle}
        confirm={texts.users.ownRoleConfirm}
        // A failure is shown on the card.
        act={async () => void (await Promise.allSettled([change.mutateAsync(chosen)]))}
      >
        <Text>{texts.users.ownRoleBody({ role })}</Text>
      </ConfirmDialog>
    </Card>
  )
}

/** Undefined if the role was changed in the meantime: the refreshed page shows it. */
function problemIn(error: Error, texts: Texts<'users'>): string | undefined {
  const status = error instanceof ApiError ? error.failure.status : undefined
  if (status === 412) return undefined
  return status === 409 ? texts.users.lastAdminRefused : (problemOf(error, 'role', texts) ?? messageOf(error, texts))
}

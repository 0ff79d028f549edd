import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { WhosePassword } from '../../../session/password/WhosePassword.tsx'
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../../ui/forms/FormProblem.tsx'
import { sendJson } from '../../../api/api.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { useForm } from '../../../ui/forms/useForm.ts'
import { Card } from '../../../ui/Card.tsx'
import { CredentialsDialog, type Credentials } from '../credentials/CredentialsDialog.tsx'
import { passwordProblem, CredentialsPanel } from '../credentials/CredentialsPanel.tsx'
import { sessionsOfQuery } from '../../../users/users.ts'
import { useIsMe } from '../UserFacts.tsx'
import classes from '../UserFacts.module.css'

/** Sets another user's password without their old one. Changing the admin's own requires it, on the Account page. */
export function SetPassword({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const mine = useIsMe(user)
  if (!mine) return <SetPasswordForm user={user} />
  return (
    <Card title={users.passwordTitle}>
      <Text>
        {users.ownPassword}{' '}
        <Link to="/account" className={classes.link}>
          {users.toAccount}
        </Link>
      </Text>
    </Card>
  )
}

function SetPasswordForm({ user }: { user: UserResponse }) {
  const texts = useTexts('account', 'users')
  const queries = useQueryClient()
  const [made, setMade] = useState<Credentials>()
  const [opened, setOpened] = useState(false)
  const { form, field, reset, isPending, problems, error } = useForm({
    initialValues: { password: '' },
    check: ({ password }) => ({ password: passwordProblem(password, user.username, texts) }),
    send: ({ password }) =>
      sendJson('PUT /api/users/:username/password', { username: user.key }, { password, must_change_password: true }),
    onSuccess: (_response, { password }) => {
      setMade({ name: user.username, password })
      setOpened(true)
      reset()
      void queries.invalidateQueries({ queryKey: sessionsOfQuery(user.key).queryKey })
    },
  })

  return (
    <Card title={texts.users.passwordTitle} lead={texts.users.passwordLead}>
      <form {...form} action="settings/users">
        <Stack align="stretch">
          <FormProblem of={problems.whole} error={error} />
          <WhosePassword userName={user.username} />
          <CredentialsPanel userName={user.username} {...field('password')} />
          <Button type="submit" loading={isPending} variant="default" style={{ alignSelf: 'flex-start' }}>
            {texts.users.setPassword}
          </Button>
        </Stack>
      </form>
      <FormDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onGone={() => setMade(undefined)}
        title={texts.users.credentials({ name: user.username })}
      >
        {made && <CredentialsDialog credentials={made} onDone={() => setOpened(false)} />}
      </FormDialog>
    </Card>
  )
}

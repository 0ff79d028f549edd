import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { WhosePassword } from '../../session/WhosePassword.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { send } from '../../api/api.ts'
import { messageOf, problemOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useValidatedForm } from '../../ui/useValidatedForm.ts'
import { Card } from '../../ui/Card.tsx'
import { CredentialsDialog, type Credentials } from './CredentialsDialog.tsx'
import { passwordProblem, PasswordToGive } from './PasswordToGive.tsx'
import { sessionsOfQuery, userPath } from '../../users/users.ts'
import { useIsMe } from './UserFacts.tsx'
import classes from './UserFacts.module.css'

/** Sets another user's password without their old one. Changing the admin's own requires it, on the Account page. */
export function SetPassword({ user }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const mine = useIsMe(user.username)
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
  const [password, setPassword] = useState('')
  const [made, setMade] = useState<Credentials>()
  const [shown, setVisible] = useState(false)
  const { form, busy, problems } = useValidatedForm({
    fields: ['password'],
    check: () => ({ password: passwordProblem(password, user.username, texts) }),
    act: async () => {
      await send(`${userPath(user.username)}/password`, {
        method: 'PUT',
        body: { password, must_change_password: true },
      })
      setMade({ name: user.username, password })
      setVisible(true)
      setPassword('')
      void queries.invalidateQueries({ queryKey: sessionsOfQuery(user.username).queryKey })
    },
    problemsIn: (error) => {
      const about = problemOf(error, 'password', texts)
      return about ? { password: about } : { whole: messageOf(error, texts) }
    },
  })

  return (
    <Card title={texts.users.passwordTitle} lead={texts.users.passwordLead}>
      <form {...form} action="settings/users">
        <Stack align="stretch">
          <FormProblem of={problems.whole} />
          <WhosePassword userName={user.username} />
          <PasswordToGive
            userName={user.username}
            value={password}
            onChange={setPassword}
            problem={problems.password}
          />
          <Button type="submit" loading={busy} variant="default" style={{ alignSelf: 'flex-start' }}>
            {texts.users.setPassword}
          </Button>
        </Stack>
      </form>
      <Modal
        opened={shown}
        onClose={() => setVisible(false)}
        onExitTransitionEnd={() => setMade(undefined)}
        title={texts.users.credentials({ name: user.username })}
        centered
        radius="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {made && <CredentialsDialog credentials={made} onDone={() => setVisible(false)} />}
      </Modal>
    </Card>
  )
}

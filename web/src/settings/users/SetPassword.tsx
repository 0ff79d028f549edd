import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type SubmitEvent } from 'react'
import { send } from '../../shared/api.ts'
import { messageOf, problemOf } from '../../shared/failure.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import { Card } from '../Card.tsx'
import { HandOver, type Credentials } from './HandOver.tsx'
import { adviceFor, PasswordToGive } from './PasswordToGive.tsx'
import { sessionsOfQuery, userPath, type UserView } from './people.ts'
import { useIsMe } from './UserFacts.tsx'
import classes from './UserFacts.module.css'

/** Sets somebody's password without knowing the old one; one's own takes that, under Account. */
export function SetPassword({ user }: { user: UserView }) {
  const { users } = useTexts()
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

function SetPasswordForm({ user }: { user: UserView }) {
  const texts = useTexts()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ readonly field?: string; readonly whole?: string }>({})
  const [made, setMade] = useState<Credentials>()
  const [shown, setShown] = useState(false)

  const atField = (field: string) => {
    setProblem({ field })
    form.current?.querySelector<HTMLElement>('[name="password"]')?.focus()
  }

  const set = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const advice = adviceFor(password, user.username, texts)
    if (advice.level === 'empty') return atField(texts.users.passwordMissing)
    if (advice.level === 'refused') return atField(advice.text)
    setProblem({})
    setBusy(true)
    try {
      await send(`${userPath(user.username)}/password`, { method: 'PUT', body: { password } })
      setMade({ name: user.username, password })
      setShown(true)
      setPassword('')
    } catch (error) {
      const about = problemOf(error, 'password')
      if (about) atField(texts.users.passwordProblem(about))
      else setProblem({ whole: messageOf(error, texts) })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: sessionsOfQuery(user.username).queryKey })
    }
  }

  return (
    <Card title={texts.users.passwordTitle} lead={texts.users.passwordLead}>
      <form ref={form} method="post" action="settings/users" onSubmit={(event) => void set(event)} noValidate>
        <Stack align="stretch">
          {problem.whole && (
            <Alert role="alert" color="red">
              {problem.whole}
            </Alert>
          )}
          {/* Password managers want to know whose password this is. */}
          <input
            className="visually-hidden"
            name="user"
            autoComplete="username"
            value={user.username}
            readOnly
            tabIndex={-1}
            aria-hidden
          />
          <PasswordToGive userName={user.username} value={password} onChange={setPassword} problem={problem.field} />
          <Button type="submit" loading={busy} variant="default" style={{ alignSelf: 'flex-start' }}>
            {texts.users.setPassword}
          </Button>
        </Stack>
      </form>
      <Modal
        opened={shown}
        onClose={() => setShown(false)}
        onExitTransitionEnd={() => setMade(undefined)}
        title={texts.users.handOver(user.username)}
        centered
        radius="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': texts.close }}
      >
        {made && <HandOver credentials={made} onDone={() => setShown(false)} />}
      </Modal>
    </Card>
  )
}

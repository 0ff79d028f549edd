import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { ApiError, ask } from '../../shared/api.ts'
import { messageOf, problemOf } from '../../shared/failure.ts'
import type { Texts } from '../../shared/texts/texts.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import { rolesQuery } from '../roles/roles.ts'
import { HandOver, type Credentials } from './HandOver.tsx'
import { adviceFor, PasswordToGive } from './PasswordToGive.tsx'
import { usersQuery, type UserView } from './people.ts'
import { RoleChoice } from './RoleChoice.tsx'

interface NewUserParts {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Makes a user, and then shows what to hand over to them. */
export function NewUser({ opened, onClose }: NewUserParts) {
  const texts = useTexts()
  const narrow = useMediaQuery('(max-width: 480px)') ?? false
  const [made, setMade] = useState<Credentials>()

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={made ? texts.users.handOver(made.name) : texts.users.newTitle}
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      // What was made here is gone when this closes: not by a slip of the hand.
      closeOnClickOutside={!made}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {made ? <HandOver credentials={made} onDone={onClose} /> : <NewUserForm onMade={setMade} onCancel={onClose} />}
    </Modal>
  )
}

interface Problems {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly role?: string | undefined
  readonly whole?: string | undefined
}

function NewUserForm({ onMade, onCancel }: { onMade: (made: Credentials) => void; onCancel: () => void }) {
  const texts = useTexts()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [role, setRole] = useState('viewer')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  const refused = (found: Problems) => {
    setProblems(found)
    const field = (['username', 'role', 'password'] as const).find((field) => found[field])
    if (field) form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
  }

  const create = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const advice = adviceFor(password, name, texts)
    const found: Problems = {
      username: name === '' ? texts.users.nameMissing : undefined,
      password:
        advice.level === 'empty' ? texts.users.passwordMissing : advice.level === 'refused' ? advice.text : undefined,
    }
    if (found.username || found.password) return refused(found)
    setProblems({})
    setBusy(true)
    try {
      const user = await ask<UserView>('api/users', { method: 'POST', body: { username: name, password, role } })
      onMade({ name: user.username, password })
    } catch (error) {
      refused(problemsIn(error, texts))
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: usersQuery.queryKey })
      void queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
    }
  }

  return (
    <form ref={form} method="post" action="settings/users" onSubmit={(event) => void create(event)} noValidate>
      <Stack>
        {problems.whole && (
          <Alert role="alert" color="red">
            {problems.whole}
          </Alert>
        )}
        <TextInput
          name="username"
          label={texts.users.name}
          description={texts.users.nameHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problems.username}
        />
        <RoleChoice value={role} onChange={setRole} problem={problems.role} />
        <PasswordToGive userName={name} value={password} onChange={setPassword} problem={problems.password} />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {texts.users.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function problemsIn(error: unknown, texts: Texts): Problems {
  const { users } = texts
  if (error instanceof ApiError && error.failure.status === 409) return { username: users.nameTaken }
  const [username, password, role] = ['username', 'password', 'role'].map((field) => problemOf(error, field))
  if (!username && !password && !role) return { whole: messageOf(error, texts) }
  return {
    username: username && users.nameProblem(username),
    password: password && users.passwordProblem(password),
    role: role && users.roleProblem(role),
  }
}

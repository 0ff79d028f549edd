import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import { messageOf, problemOf } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { useValidatedForm, type Problems } from '../../ui/useValidatedForm.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NewForm, NewName } from '../../ui/NewForm.tsx'
import { CredentialsDialog, type Credentials } from './CredentialsDialog.tsx'
import { passwordProblem, PasswordToGive } from './PasswordToGive.tsx'
import { RoleChoice } from './RoleChoice.tsx'

interface NewUserProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** A dialog that creates a user and then shows their credentials. */
export function NewUser({ opened, onClose }: NewUserProps) {
  const { users } = useTexts('users')
  const [made, setMade] = useState<Credentials>()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onGone={() => setMade(undefined)}
      title={made ? users.credentials({ name: made.name }) : users.newTitle}
    >
      {made ? (
        <CredentialsDialog credentials={made} onDone={onClose} />
      ) : (
        <NewUserForm onMade={setMade} onCancel={onClose} />
      )}
    </FormDialog>
  )
}

const fields = ['username', 'role', 'password'] as const
type Field = (typeof fields)[number]

function NewUserForm({ onMade, onCancel }: { onMade: (made: Credentials) => void; onCancel: () => void }) {
  const texts = useTexts('account', 'users')
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [role, setRole] = useState('viewer')
  const [password, setPassword] = useState('')
  const { form, busy, problems } = useValidatedForm<Field>({
    fields,
    check: () => ({
      username: name === '' ? texts.users.nameMissing : undefined,
      password: passwordProblem(password, name, texts),
    }),
    act: async () => {
      try {
        const body = { username: name, password, role, must_change_password: true }
        const user = await fetchJson<UserResponse>('api/users', { method: 'POST', body })
        onMade({ name: user.username, password })
      } finally {
        for (const { all } of [queryKeys.users, queryKeys.roles]) void queries.invalidateQueries({ queryKey: all })
      }
    },
    problemsIn: (error) => problemsIn(error, texts),
  })

  return (
    <NewForm
      form={{ ...form, action: 'settings/users' }}
      busy={busy}
      problem={problems.whole}
      submit={texts.users.create}
      onCancel={onCancel}
    >
      <NewName
        name="username"
        label={texts.users.name}
        hint={texts.users.nameHint}
        value={name}
        onChange={setName}
        problem={problems.username}
      />
      <RoleChoice value={role} onChange={setRole} problem={problems.role} />
      <PasswordToGive userName={name} value={password} onChange={setPassword} problem={problems.password} />
    </NewForm>
  )
}

function problemsIn(error: unknown, texts: Texts<'users'>): Problems<Field> {
  const { users } = texts
  if (error instanceof ApiError && error.failure.status === 409) return { username: users.nameTaken }
  const [username, role, password] = fields.map((field) => problemOf(error, field, texts))
  if (!username && !password && !role) return { whole: messageOf(error, texts) }
  return {
    username,
    role,
    password,
  }
}

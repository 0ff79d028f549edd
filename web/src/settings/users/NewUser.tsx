import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { ApiError, jsonOf, sendJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { DialogForm, NameField } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { useForm } from '../../ui/forms/useForm.ts'
import { CredentialsDialog, type Credentials } from './credentials/CredentialsDialog.tsx'
import { passwordProblem, CredentialsPanel } from './credentials/CredentialsPanel.tsx'
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

function NewUserForm({ onMade, onCancel }: { onMade: (made: Credentials) => void; onCancel: () => void }) {
  const texts = useTexts('account', 'users')
  const queries = useQueryClient()
  const { form, field, values, isPending, problems, error } = useForm({
    initialValues: { username: '', role: 'viewer', password: '' },
    check: ({ username, password }) => ({
      username: username === '' ? texts.users.nameMissing : undefined,
      password: passwordProblem(password, username, texts),
    }),
    send: (user) => jsonOf<UserResponse>(sendJson('POST /api/users', {}, { ...user, must_change_password: true })),
    onSuccess: ({ username }, { password }) => onMade({ name: username, password }),
    onSettled: () => {
      for (const { all } of [queryKeys.users, queryKeys.roles]) void queries.invalidateQueries({ queryKey: all })
    },
    problemsIn: (error) =>
      error instanceof ApiError && error.failure.status === 409 ? { username: texts.users.nameTaken } : undefined,
  })

  return (
    <DialogForm
      form={{ ...form, action: 'settings/users' }}
      isPending={isPending}
      submit={texts.users.create}
      onCancel={onCancel}
    >
      <FormProblem of={problems.whole} error={error} />
      <NameField {...field('username')} label={texts.users.name} description={texts.users.nameHint} />
      <RoleChoice {...field('role')} />
      <CredentialsPanel userName={values.username} {...field('password')} />
    </DialogForm>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedLink } from '../../../../server/src/api-types.ts'
import { ApiError, jsonOf, sendJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { DialogForm, NameField } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { useForm } from '../../ui/forms/useForm.ts'
import { NewLinkPanel, type NewLink } from './credentials/NewLinkPanel.tsx'
import { RoleChoice } from './RoleChoice.tsx'

interface InviteUserProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** A dialog that creates an invitation and then shows its link. */
export function InviteUser({ opened, onClose }: InviteUserProps) {
  const { links } = useTexts('users').users
  const [made, setMade] = useState<NewLink>()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onGone={() => setMade(undefined)}
      title={made ? links.invitation : links.inviteTitle}
    >
      {made ? <NewLinkPanel link={made} onDone={onClose} /> : <InviteForm onMade={setMade} onCancel={onClose} />}
    </FormDialog>
  )
}

function InviteForm({ onMade, onCancel }: { onMade: (made: NewLink) => void; onCancel: () => void }) {
  const { users } = useTexts('users')
  const queries = useQueryClient()
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { username: '', role: 'viewer' },
    send: ({ username, role }) =>
      jsonOf<CreatedLink>(sendJson('POST /api/invitations', {}, { role, ...(username !== '' && { username }) })),
    onSuccess: (made, { username }) => onMade({ ...made, for: username === '' ? null : username }),
    onSettled: () => {
      for (const queryKey of [queryKeys.oneTimeLinks.pending, queryKeys.roles.all])
        void queries.invalidateQueries({ queryKey })
    },
    problemsIn: (error) =>
      error instanceof ApiError && error.failure.reason?.code === 'name-taken'
        ? { username: users.nameTaken }
        : undefined,
  })

  return (
    <DialogForm
      form={{ ...form, action: 'settings/users' }}
      isPending={isPending}
      submit={users.links.create}
      onCancel={onCancel}
    >
      <FormProblem of={problems.whole} error={error} />
      <NameField {...field('username')} label={users.name} description={users.links.inviteNameHint} required={false} />
      <RoleChoice {...field('role')} />
    </DialogForm>
  )
}

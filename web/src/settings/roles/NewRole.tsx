import { Input } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import { camerasQuery } from '../../cameras/queries.ts'
import { ApiError, send } from '../../api/api.ts'
import { messageOf, problemOf } from '../../api/failure.ts'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useValidatedForm } from '../../ui/useValidatedForm.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NewForm, NewName } from '../../ui/NewForm.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { CameraSwitches } from './CameraSwitches.tsx'
import { rolePath, rolesQuery } from '../../users/roles.ts'

interface NewRoleProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** A dialog that creates a role. */
export function NewRole({ opened, onClose }: NewRoleProps) {
  const { roles } = useTexts('roles')
  return (
    <FormDialog opened={opened} onClose={onClose} title={roles.newTitle} large>
      <NewRoleForm onDone={onClose} />
    </FormDialog>
  )
}

function NewRoleForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts('roles')
  const queries = useQueryClient()
  const cameras = loadOf(useQuery(camerasQuery))
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { form, busy, problems } = useValidatedForm<'name' | 'cameras'>({
    fields: ['name', 'cameras'],
    check: () => ({
      name: name === '' ? texts.roles.nameMissing : undefined,
      cameras: chosen.size === 0 ? texts.roles.chooseOneNew : undefined,
    }),
    act: async () => {
      try {
        await send(rolePath(name), { method: 'PUT', ifNoneMatch: '*', body: { cameras: [...chosen] } })
      } finally {
        void queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
      }
      notifySuccess(texts.roles.created({ name }))
      return onDone()
    },
    problemsIn: (error) => {
      if (error instanceof ApiError && error.failure.status === 412) return { name: texts.roles.nameTaken({ name }) }
      const about = problemOf(error, 'name', texts)
      return about ? { name: about } : { whole: messageOf(error, texts) }
    },
  })

  return (
    <NewForm
      form={{ ...form, action: 'settings/roles' }}
      busy={busy}
      problem={problems.whole}
      submit={texts.roles.create}
      onCancel={onDone}
    >
      <NewName
        name="name"
        label={texts.roles.name}
        hint={texts.roles.nameHint}
        value={name}
        onChange={setName}
        problem={problems.name}
      />
      <div role="group" aria-label={texts.roles.camerasTitle}>
        <Input.Label component="div" mb={4}>
          {texts.roles.camerasTitle}
        </Input.Label>
        {cameras.state === 'loading' && <ListSkeleton />}
        {cameras.state === 'failed' && <Input.Error role="alert">{messageOf(cameras.error, texts)}</Input.Error>}
        {cameras.state === 'ready' && <CameraSwitches cameras={cameras.value} chosen={chosen} onChange={setChosen} />}
        {problems.cameras && (
          <Input.Error role="alert" mt={4}>
            {problems.cameras}
          </Input.Error>
        )}
      </div>
    </NewForm>
  )
}

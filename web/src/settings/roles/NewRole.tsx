import { Input } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { cameraGroupsQuery, camerasQuery } from '../../cameras/queries.ts'
import { ApiError, sendJson } from '../../api/api.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { DialogForm, NameField } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { useForm } from '../../ui/forms/useForm.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { CameraSwitches } from './CameraSwitches.tsx'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { rolesQuery } from '../../users/roles.ts'

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

const noCameras: readonly string[] = []

function NewRoleForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts('roles')
  const queries = useQueryClient()
  const cameras = loadOf(useQuery(camerasQuery))
  const groups = loadOf(useQuery(cameraGroupsQuery))
  const failed = failureAmong(cameras, groups)
  const { form, field, values, setFieldValue, isPending, problems, error } = useForm({
    initialValues: { name: '', cameras: noCameras },
    check: ({ name, cameras }) => ({
      name: name === '' ? texts.roles.nameMissing : undefined,
      cameras: cameras.length === 0 ? texts.roles.chooseOneNew : undefined,
    }),
    send: ({ name, cameras }) => sendJson('PUT /api/roles/:name', { name }, { cameras }, { ifNoneMatch: '*' }),
    onSuccess: (_response, { name }) => {
      notifySuccess(texts.roles.created({ name }))
      onDone()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: rolesQuery.queryKey }),
    problemsIn: (error, { name }) =>
      error instanceof ApiError && error.failure.status === 412 ? { name: texts.roles.nameTaken({ name }) } : undefined,
  })

  return (
    <DialogForm
      form={{ ...form, action: 'settings/roles' }}
      isPending={isPending}
      submit={texts.roles.create}
      onCancel={onDone}
    >
      <FormProblem of={problems.whole} error={error} />
      <NameField {...field('name')} label={texts.roles.name} description={texts.roles.nameHint} />
      <div role="group" aria-label={texts.roles.camerasTitle}>
        <Input.Label component="div" mb={4}>
          {texts.roles.camerasTitle}
        </Input.Label>
        {cameras.state === 'ready' && groups.state === 'ready' ? (
          <CameraSwitches
            cameras={cameras.value}
            groups={groups.value}
            chosen={new Set(values.cameras)}
            onChange={(chosen) => setFieldValue('cameras', [...chosen])}
          />
        ) : failed ? (
          <FailedPart {...failed} />
        ) : (
          <ListSkeleton />
        )}
        {problems.cameras && (
          <Input.Error role="alert" mt={4}>
            {problems.cameras}
          </Input.Error>
        )}
      </div>
    </DialogForm>
  )
}

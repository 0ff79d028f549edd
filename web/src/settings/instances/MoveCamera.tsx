import { NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Camera, InstanceResponse } from '../../../../server/src/api-types.ts'
import { sendJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { cameraSettingsQuery, settingsOf } from '../../cameras/camera-settings.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { isRecorder, missingLabels, takesCameras, type Placement } from './placement.ts'

interface MoveCameraProps {
  readonly camera: Camera
  readonly placement: Placement | undefined
  readonly instances: readonly InstanceResponse[]
  readonly onClose: () => void
}

/** Moves a camera to an instance, or back to automatic placement. */
export function MoveCamera({ camera, placement, instances, onClose }: MoveCameraProps) {
  const { instances: words } = useTexts('instances')
  const queries = useQueryClient()
  const title = titleOf(camera)
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { instance: placement?.requested?.id ?? '' },
    send: ({ instance }) =>
      sendJson('PUT /api/cameras/:camera/instance', { camera: camera.name }, { instance: instance || null }),
    onSuccess: (_done, { instance }) => {
      const chosen = instances.find(({ id }) => id === instance)
      notifySuccess(chosen ? words.moved({ title, name: chosen.name }) : words.movedAutomatic({ title }))
      onClose()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.instances }),
  })
  const choiceOf = useChoice(camera)
  const choices = instances.filter(isRecorder).map((instance) => {
    const { reason, ...choice } = choiceOf(instance)
    // One that has it already stays a choice.
    const hasIt = instance.id === placement?.owner?.id || instance.id === placement?.requested?.id
    return { ...choice, disabled: reason !== undefined && !hasIt }
  })
  return (
    <FormDialog opened onClose={onClose} title={words.moveOf({ title })}>
      <DialogForm
        form={{ ...form, action: 'settings/instances' }}
        isPending={isPending}
        submit={words.move}
        onCancel={onClose}
      >
        <FormProblem of={problems.whole} error={error} />
        <NativeSelect
          {...field('instance')}
          label={words.instance}
          description={words.moveHint}
          data={[{ value: '', label: words.automatic }, ...choices]}
          data-autofocus
        />
      </DialogForm>
    </FormDialog>
  )
}

/** The choice of an instance, and the reason why it can't take the camera now. */
function useChoice(camera: Camera) {
  const { instances: words } = useTexts('instances')
  const locale = useLocale()
  const settings = useQuery(cameraSettingsQuery).data
  const required = (settings && settingsOf(settings, camera.name)?.labels) ?? []
  const list = new Intl.ListFormat(locale, { type: 'unit' })
  const reasonOf = (instance: InstanceResponse): string | undefined => {
    const missing = missingLabels(instance, required)
    if (missing.length > 0) return words.lacks({ count: missing.length, labels: list.format(missing) })
    if (takesCameras(instance)) return undefined
    return instance.state === 'running' ? words.full : words.states[instance.state]
  }
  return (instance: InstanceResponse) => {
    const { id, name } = instance
    const reason = reasonOf(instance)
    return { value: id, label: reason === undefined ? name : words.withState({ name, state: reason }), reason }
  }
}

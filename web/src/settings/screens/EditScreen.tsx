import { useQueryClient } from '@tanstack/react-query'
import type { ScreenResponse } from '../../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { problemsOf, screenOf, valuesOf } from './screen-form.ts'
import { ScreenFields } from './ScreenFields.tsx'

/** Changes a screen; the display follows within a second. */
export function EditScreen({ screen, onClose }: { screen: ScreenResponse; onClose: () => void }) {
  const { screens } = useTexts('screens')
  const queries = useQueryClient()
  const form = useForm({
    initialValues: valuesOf(screen),
    check: (values) => problemsOf(values, screens),
    send: (values) => jsonOf<ScreenResponse>(sendJson('PATCH /api/screens/:id', { id: screen.id }, screenOf(values))),
    onSuccess: ({ name }) => {
      notifySuccess(screens.form.saved({ name }))
      onClose()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.screens.list }),
  })
  return (
    <FormDialog opened onClose={onClose} title={screens.list.edit({ name: screen.name })}>
      <DialogForm
        form={{ ...form.form, action: 'settings/screens' }}
        isPending={form.isPending}
        submit={screens.form.save}
        onCancel={onClose}
      >
        <ScreenFields of={form} />
      </DialogForm>
    </FormDialog>
  )
}

import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import { DialogForm } from '../ui/forms/DialogForm.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { useForm } from '../ui/forms/useForm.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { renameExport } from './queries.ts'

/** Maximum characters of a name. */
const longest = 100

/** Renames an export. */
export function RenameExport({ one, onClose }: { one: Export; onClose: () => void }) {
  const { exports } = useTexts('exports')
  const queries = useQueryClient()
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { name: one.name },
    send: async ({ name }) => {
      await renameExport(one, name.trim())
      await queries.invalidateQueries({ queryKey: queryKeys.exports.all })
    },
    onSuccess: onClose,
  })

  return (
    <FormDialog opened title={exports.renameTitle} onClose={onClose}>
      <DialogForm form={form} isPending={isPending} submit={exports.save} onCancel={onClose}>
        <TextInput
          {...field('name')}
          label={exports.name}
          description={exports.nameHint}
          maxLength={longest}
          autoComplete="off"
          data-autofocus
        />
        <FormProblem of={problems.whole} error={error} />
      </DialogForm>
    </FormDialog>
  )
}

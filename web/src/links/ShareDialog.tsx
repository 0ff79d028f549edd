import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMe } from '../session/session.ts'
import { DialogForm } from '../ui/forms/DialogForm.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import { useForm } from '../ui/forms/useForm.ts'
import { CreatedLink } from './CreatedLink.tsx'
import { createLink } from './queries.ts'
import { expiryProblem, firstValues, isCodeShort, newLinkOf, type ShareTarget } from './share-form.ts'
import { ShareFields } from './ShareFields.tsx'

export interface ShareDialogProps {
  readonly target: ShareTarget
  /** What is shared: the title of a camera, or the name of an export. */
  readonly title: string
  readonly onClose: () => void
}

/** Creates a share link, and shows its URL once. */
export function ShareDialog({ target, title, onClose }: ShareDialogProps) {
  const { links } = useTexts('links')
  const queries = useQueryClient()
  const { share_max_hours: max } = useMe()

  const { form, isPending, problems, error, result, sent, ...fields } = useForm({
    initialValues: firstValues(max),
    check: (values) => {
      const expiry = expiryProblem(values, Date.now(), max)
      return {
        expires_at:
          expiry && (expiry === 'late' ? links.form.expiryLate({ hours: max }) : links.form.expiryProblems[expiry]),
        code: isCodeShort(values) ? links.form.codeShort : undefined,
      }
    },
    send: (values) => createLink(newLinkOf(target, values, Date.now())),
    onSuccess: () => void queries.invalidateQueries({ queryKey: queryKeys.links.all }),
  })

  return (
    <FormDialog opened title={links.titles[target.kind]({ title })} onClose={onClose}>
      {result ? (
        <CreatedLink link={result} title={title} code={sent?.code.trim() ?? ''} onDone={onClose} />
      ) : (
        <DialogForm form={form} isPending={isPending} submit={links.create} onCancel={onClose}>
          <Text c="dimmed">{links.form.lead}</Text>
          <ShareFields {...fields} kind={target.kind} maxHours={max} />
          <FormProblem of={problems.whole} error={error} />
        </DialogForm>
      )}
    </FormDialog>
  )
}

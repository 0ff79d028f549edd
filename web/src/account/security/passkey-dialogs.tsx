import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { FactorsResponse, NewPasskeyResponse } from '../../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../../api/api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { passkeyProblem } from '../../session/factors/FactorForm.tsx'
import { createPasskey, PasskeyExists } from '../../session/factors/passkey.ts'
import { DialogForm, NameField } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { useFactorsChanged } from './useFactorsChanged.ts'
import type { Codes } from '../../session/new-codes.ts'

export type Passkey = FactorsResponse['passkeys'][number]

interface AddPasskeyProps {
  readonly options: PublicKeyCredentialCreationOptionsJSON
  readonly onCodes: (codes: Codes) => void
  readonly onClose: () => void
}

/** Names a new passkey, and has the browser create it. */
export function AddPasskey({ options, onCodes, onClose }: AddPasskeyProps) {
  const texts = useTexts('second-factor', 'security')
  const words = texts.security.passkeys
  const changed = useFactorsChanged()
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? words.nameMissing : undefined }),
    send: async ({ name }) => {
      const credential = await createPasskey(options)
      return jsonOf<NewPasskeyResponse>(sendJson('POST /api/account/passkeys', {}, { name: name.trim(), credential }))
    },
    onSuccess: ({ name, recovery_codes: codes }) => {
      notifySuccess(words.added({ name }))
      if (codes) onCodes(codes)
      onClose()
      void changed()
    },
    problemsIn: (error) => ({
      whole: error instanceof PasskeyExists ? texts.refusals['passkey-exists'] : passkeyProblem(error, texts),
    }),
  })
  return (
    <FormDialog opened onClose={onClose} title={words.add}>
      <DialogForm
        form={{ ...form, action: 'account/security' }}
        isPending={isPending}
        submit={words.create}
        onCancel={onClose}
      >
        <FormProblem of={problems.whole} error={error} />
        <NameField {...field('name')} label={words.name} description={words.nameHint} />
      </DialogForm>
    </FormDialog>
  )
}

/** Renames a passkey. */
export function RenamePasskey({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const words = useTexts('security').security.passkeys
  const changed = useFactorsChanged()
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { name: before },
    check: ({ name }) => ({ name: name.trim() === '' ? words.nameMissing : undefined }),
    send: ({ name }) => sendJson('PATCH /api/account/passkeys/:id', { id }, { name: name.trim() }),
    onSuccess: () => {
      notifySuccess(words.renamed)
      onClose()
    },
    onSettled: changed,
  })
  return (
    <FormDialog opened onClose={onClose} title={words.renameOf({ name: before })}>
      <DialogForm
        form={{ ...form, action: 'account/security' }}
        isPending={isPending}
        submit={words.save}
        onCancel={onClose}
      >
        <FormProblem of={problems.whole} error={error} />
        <NameField {...field('name')} label={words.name} description={words.nameHint} />
      </DialogForm>
    </FormDialog>
  )
}

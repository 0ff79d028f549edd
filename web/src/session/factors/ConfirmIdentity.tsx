import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { fetchJson, sendJson } from '../../api/api.ts'
import { loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import { textIn } from '../../lib/form.ts'
import { useHeldDialog } from '../../ui/dialogs/Dialog.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { useSubmission } from '../../ui/forms/useSubmission.ts'
import { FactorForm } from './FactorForm.tsx'
import { factorsQuery } from './factors-query.ts'
import { useMe } from '../session.ts'
import { WhosePassword } from '../password/WhosePassword.tsx'

interface ConfirmIdentityProps {
  readonly opened: boolean
  readonly onDone: (isConfirmed: boolean) => void
  readonly onGone: () => void
}

/** The dialog in which users confirm who they are before a change (MFA-4). */
export function ConfirmIdentity({ opened, onDone, onGone }: ConfirmIdentityProps) {
  const { secondFactor } = useTexts('second-factor')
  const factors = loadOf(useQuery({ ...factorsQuery, staleTime: 0 }))
  const confirmed = () => onDone(true)
  return (
    <FormDialog opened={opened} title={secondFactor.title} onClose={() => onDone(false)} onGone={onGone}>
      {factors.state === 'loading' && <Loading />}
      {factors.state === 'failed' && <ErrorState error={factors.error} again={factors.again} />}
      {factors.state === 'ready' &&
        (factors.value.totp || factors.value.passkeys.length > 0 ? (
          <FactorForm
            methods={[
              ...(factors.value.totp ? ['totp'] : []),
              ...(factors.value.passkeys.length > 0 ? ['passkey'] : []),
            ]}
            submit={secondFactor.confirm}
            passkeyOptions={() =>
              fetchJson<PublicKeyCredentialRequestOptionsJSON>('api/account/confirm/options', { method: 'POST' })
            }
            send={async (proof) => {
              await sendJson('POST /api/account/confirm', {}, proof)
              confirmed()
            }}
          />
        ) : (
          <OwnPassword onConfirmed={confirmed} />
        ))}
    </FormDialog>
  )
}

/** For users without a second factor. */
function OwnPassword({ onConfirmed }: { onConfirmed: () => void }) {
  const { secondFactor } = useTexts('second-factor')
  const me = useMe()
  const { form, problems, error, isPending } = useSubmission({
    fields: ['password'],
    // Read from the form itself: password managers fill fields without firing React events.
    read: (sent) => ({ password: textIn(sent, 'password') }),
    check: ({ password }) => ({ password: password === '' ? secondFactor.passwordMissing : undefined }),
    send: ({ password }) => sendJson('POST /api/account/confirm', {}, { password }),
    onSuccess: onConfirmed,
  })
  useHeldDialog(isPending)
  return (
    <form {...form}>
      <Stack gap="md">
        <Text c="dimmed">{secondFactor.leadPassword}</Text>
        <FormProblem of={problems.whole} error={error} />
        <WhosePassword userName={me.username} />
        <PasswordInput
          name="password"
          label={secondFactor.password}
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          data-autofocus
          error={problems.password}
        />
        <Button type="submit" size="md" loading={isPending} fullWidth>
          {secondFactor.confirm}
        </Button>
      </Stack>
    </form>
  )
}

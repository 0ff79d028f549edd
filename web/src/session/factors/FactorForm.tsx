import { Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RequestBodies } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { textIn } from '../../lib/form.ts'
import { useHeldDialog } from '../../ui/dialogs/Dialog.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { useSubmission } from '../../ui/forms/useSubmission.ts'
import { requestPasskey, canUsePasskeys, PasskeyNotUsed } from './passkey.ts'

/** What a user can show: `totp`, `passkey`, `recovery-code`. */
export type FactorMethods = readonly string[]

/** A code, or the assertion of a passkey. */
export type Proof = Pick<RequestBodies['POST /api/account/confirm'], 'code' | 'assertion'>

interface FactorFormProps {
  readonly methods: FactorMethods
  readonly submit: string
  /** Whether to offer to remember the device. */
  readonly canRemember?: boolean
  readonly passkeyOptions: () => Promise<PublicKeyCredentialRequestOptionsJSON>
  /** An error it throws is shown. */
  readonly send: (proof: Proof, remember: boolean) => Promise<void>
}

/** Asks for the second factor: a code of the authenticator app, a passkey, or a recovery code. */
export function FactorForm({ methods, submit, canRemember = false, passkeyOptions, send }: FactorFormProps) {
  const texts = useTexts('second-factor')
  const { secondFactor } = texts
  const hasApp = methods.includes('totp')
  const hasPasskey = methods.includes('passkey')
  const [isRecovering, setRecovering] = useState(!hasApp && !(hasPasskey && canUsePasskeys()))
  const [remember, setRemember] = useState(false)
  const passkey = useMutation({
    mutationFn: async () => send({ assertion: await requestPasskey(await passkeyOptions()) }, remember),
  })
  const asksForCode = hasApp || isRecovering
  const submission = useSubmission({
    fields: ['code'],
    read: (sent) => ({ code: textIn(sent, 'code').trim() }),
    check: ({ code }) => ({ code: asksForCode && code === '' ? secondFactor.codeMissing : undefined }),
    send: ({ code }) => {
      passkey.reset()
      return send({ code }, remember)
    },
  })
  const { problems, isPending } = submission
  useHeldDialog(isPending || passkey.isPending)
  const problem = passkey.error ? passkeyProblem(passkey.error, texts) : problems.whole
  const unsupported = hasPasskey && !canUsePasskeys() ? secondFactor.passkeyUnsupported : undefined

  return (
    <form {...submission.form}>
      <Stack gap="md">
        <Text c="dimmed">
          {isRecovering ? secondFactor.leadRecovery : hasApp ? secondFactor.lead : secondFactor.leadPasskey}
        </Text>
        {unsupported !== undefined && !hasApp && <Text size="sm">{unsupported}</Text>}
        <FormProblem of={problem} error={passkey.error ?? submission.error} />
        {asksForCode && <CodeField key={String(isRecovering)} isRecovering={isRecovering} error={problems.code} />}
        {canRemember && (
          <Checkbox
            label={secondFactor.remember}
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
        )}
        {asksForCode && (
          <Button type="submit" size="md" loading={isPending} disabled={passkey.isPending} fullWidth>
            {submit}
          </Button>
        )}
        {hasPasskey && canUsePasskeys() && (
          <Button
            variant={asksForCode ? 'default' : 'filled'}
            size="md"
            loading={passkey.isPending}
            disabled={isPending}
            onClick={() => passkey.mutate()}
            data-autofocus={!asksForCode || undefined}
            fullWidth
          >
            {secondFactor.usePasskey}
          </Button>
        )}
        {!isRecovering && (
          <Anchor component="button" type="button" size="sm" onClick={() => setRecovering(true)}>
            {secondFactor.useRecovery}
          </Anchor>
        )}
        {isRecovering && hasApp && (
          <Anchor component="button" type="button" size="sm" onClick={() => setRecovering(false)}>
            {secondFactor.useCode}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}

function CodeField({ isRecovering, error }: { isRecovering: boolean; error: string | undefined }) {
  const { secondFactor } = useTexts('second-factor')
  return (
    <TextInput
      name="code"
      label={isRecovering ? secondFactor.recovery : secondFactor.code}
      autoComplete={isRecovering ? 'off' : 'one-time-code'}
      inputMode={isRecovering ? 'text' : 'numeric'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={64}
      size="md"
      required
      withAsterisk={false}
      autoFocus
      data-autofocus
      error={error}
    />
  )
}

/** Why a passkey did not help. */
export const passkeyProblem = (error: Error, texts: Texts<'second-factor'>): string =>
  error instanceof PasskeyNotUsed ? texts.secondFactor.passkeyFailed : messageOf(error, texts)

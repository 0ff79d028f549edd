import { Anchor } from '@mantine/core'
import { ApiError, type SecondFactorChallenge } from '../../api/api.ts'
import { useTexts } from '../../i18n/texts.ts'
import { FactorForm, type Proof } from '../factors/FactorForm.tsx'
import { loginPasskeyOptions, signInWithFactor, type LoginResult } from './sign-in.ts'
import { SmallPage } from '../SmallPage.tsx'

interface SecondStepProps {
  readonly challenge: SecondFactorChallenge
  /** Called when the step is over: with a result, or undefined to begin again. */
  readonly onResult: (result: LoginResult | undefined) => void
}

/** The step of a sign-in after the password. */
export function SecondStep({ challenge: { ticket, methods }, onResult }: SecondStepProps) {
  const { secondFactor } = useTexts('second-factor')
  const send = async (proof: Proof, remember: boolean) => {
    try {
      onResult(await signInWithFactor({ ...proof, ticket, remember }))
    } catch (error) {
      if (!isExpired(error)) throw error
      onResult({ kind: 'other', error })
    }
  }
  return (
    <SmallPage page={secondFactor.page} title={secondFactor.title}>
      <FactorForm
        methods={methods}
        submit={secondFactor.submit}
        canRemember
        passkeyOptions={() => loginPasskeyOptions(ticket)}
        send={send}
      />
      <Anchor component="button" type="button" mt="md" size="sm" onClick={() => onResult(undefined)}>
        {secondFactor.back}
      </Anchor>
    </SmallPage>
  )
}

const isExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.failure.reason?.code === 'login-expired'

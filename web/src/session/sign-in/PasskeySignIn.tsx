import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTexts } from '../../i18n/texts.ts'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { passkeyProblem } from '../factors/FactorForm.tsx'
import { signInWithPasskey, type LoginResult } from './sign-in.ts'

/** Signs in with a passkey alone, without a username. */
export function PasskeySignIn({ onResult }: { onResult: (result: LoginResult) => void }) {
  const texts = useTexts('second-factor')
  const { mutate, isPending, error } = useMutation({ mutationFn: signInWithPasskey, onSuccess: onResult })
  return (
    <Stack>
      <FormProblem of={error ? passkeyProblem(error, texts) : undefined} error={error} />
      <Button variant="default" size="md" loading={isPending} onClick={() => mutate()} fullWidth>
        {texts.secondFactor.signIn}
      </Button>
    </Stack>
  )
}

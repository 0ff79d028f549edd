import { Button, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../../../i18n/texts.ts'
import { ToCopy } from './ToCopy.tsx'
import classes from './ToCopy.module.css'

export interface Credentials {
  readonly name: string
  readonly password: string
}

/** The username and password to hand over to a user; the password is shown only this once. */
export function CredentialsDialog({
  credentials: { name, password },
  onDone,
}: {
  credentials: Credentials
  onDone: () => void
}) {
  const texts = useTexts('users')
  return (
    <Stack>
      <Text role="status">{texts.users.credentialsLead({ name })}</Text>
      <dl className={classes.list}>
        <ToCopy term={texts.users.name} value={name} copy={texts.users.copyName} />
        <ToCopy main term={texts.users.password} value={password} copy={texts.users.copyPassword} />
      </dl>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {texts.users.done}
        </Button>
      </Group>
    </Stack>
  )
}

import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { CopyText } from '../../ui/CopyText.tsx'
import { useTexts } from '../../i18n/texts.ts'
import classes from './CredentialsDialog.module.css'

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
        <Line term={texts.users.name} value={name} copy={texts.users.copyName} />
        <Line term={texts.users.password} value={password} copy={texts.users.copyPassword} />
      </dl>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {texts.users.done}
        </Button>
      </Group>
    </Stack>
  )
}

function Line({ term, value, copy }: { term: string; value: string; copy: string }) {
  const { users } = useTexts('users')
  return (
    <div className={classes.line}>
      <dt>{term}</dt>
      <dd>
        <Code className={classes.value}>{value}</Code>
        <CopyText value={value} timeout={2000}>
          {({ copied, copy: act }) => (
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={act}
              aria-label={copied ? users.copied : copy}
              aria-live="polite"
            >
              {copied ? users.copied : users.copy}
            </Button>
          )}
        </CopyText>
      </dd>
    </div>
  )
}

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { NewApiTokenResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMe } from '../session/session.ts'
import { Card } from '../ui/Card.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import classes from './CreatedToken.module.css'
import { examplesOf } from './examples.ts'

/** The text of a token, this once, and how programs send it. */
export function CreatedToken({ token }: { token: NewApiTokenResponse }) {
  const { created } = useTexts('tokens').tokens
  const { allowed_cameras: own } = useMe()
  const { curl, player, url } = examplesOf(token, own)
  return (
    <Stack gap="lg">
      <Alert color="yellow" icon={<IconKey size={20} aria-hidden />} title={created.once} role="status">
        {created.onceBody}
      </Alert>
      <Card title={created.token}>
        <Copied label={created.copyToken}>{token.token}</Copied>
      </Card>
      <Card title={created.examples} lead={created.examplesLead}>
        <Stack>
          <div>
            <Text fw={500}>{created.curl}</Text>
            <Copied label={created.copyCurl}>{curl}</Copied>
          </div>
          {player !== undefined && (
            <div>
              <Text fw={500}>{created.ffmpeg}</Text>
              <Copied label={created.copyFfmpeg}>{player}</Copied>
            </div>
          )}
          {url !== undefined && (
            <div>
              <Text fw={500}>{created.vlc}</Text>
              <Text size="sm" c="dimmed" mb={4}>
                {created.vlcHint}
              </Text>
              <Copied label={created.copyUrl}>{url}</Copied>
            </div>
          )}
        </Stack>
      </Card>
      <Group justify="flex-end">
        <Button renderRoot={(props) => <Link to="/account/tokens" {...props} />}>{created.done}</Button>
      </Group>
    </Stack>
  )
}

function Copied({ label, children }: { label: string; children: string }) {
  const { created } = useTexts('tokens').tokens
  return (
    <div className={classes.line}>
      <Code className={classes.value}>{children}</Code>
      <CopyText value={children} timeout={2000}>
        {({ copied, copy }) => (
          <Button
            variant="subtle"
            size="compact-md"
            className={classes.copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
            aria-label={copied ? created.copied : label}
            aria-live="polite"
          >
            {copied ? created.copied : created.copy}
          </Button>
        )}
      </CopyText>
    </div>
  )
}

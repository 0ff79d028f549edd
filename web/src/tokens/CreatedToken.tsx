import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { NewApiTokenResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMe } from '../session/session.ts'
import { Card } from '../ui/Card.tsx'
import { CodeText } from '../ui/CodeText.tsx'
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

const Copied = ({ label, children }: { label: string; children: string }) => (
  <div className={classes.line}>
    <CodeText small flex="1 1 320px" miw={0}>
      {children}
    </CodeText>
    <CopyText value={children} label={label} variant="subtle" size="compact-md" flex="none" />
  </div>
)

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import type { LinkCreated } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { moment } from '../lib/format-time.ts'
import { CopyText } from '../ui/CopyText.tsx'

interface CreatedLinkProps {
  readonly link: LinkCreated
  readonly title: string
  /** Empty: the link has no code. */
  readonly code: string
  readonly onDone: () => void
}

/** The URL of a new link, which is shown only this once. */
export function CreatedLink({ link: { url, expires_at }, title, code, onDone }: CreatedLinkProps) {
  const { created } = useTexts('links').links
  const locale = useLocale()
  return (
    <Stack>
      <Text role="status">{created.lead}</Text>
      <TextInput
        label={created.link}
        value={url}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        description={created.expires({ at: moment(Date.parse(expires_at), locale) })}
        inputWrapperOrder={['label', 'input', 'description']}
      />
      {code !== '' && <Text>{created.code({ code })}</Text>}
      <Group justify="flex-end" gap="sm">
        <CopyText value={url} focused>
          {created.copy}
        </CopyText>
        {'share' in navigator && (
          <Button
            variant="light"
            leftSection={<IconShare size={18} aria-hidden />}
            // The user can close the share sheet without sharing.
            onClick={() => void navigator.share({ title, url }).catch(() => {})}
          >
            {created.send}
          </Button>
        )}
        <Button variant="default" onClick={onDone}>
          {created.done}
        </Button>
      </Group>
    </Stack>
  )
}

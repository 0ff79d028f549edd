import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../../i18n/texts.ts'
import { CopyText } from '../../ui/CopyText.tsx'

/** A button that copies a secret or codes. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  const { security } = useTexts('security')
  return (
    <CopyText value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
          aria-live="polite"
        >
          {copied ? security.copied : label}
        </Button>
      )}
    </CopyText>
  )
}

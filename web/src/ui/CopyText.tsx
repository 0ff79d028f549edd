import { Button, CopyButton, type ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'

interface CopyTextProps extends Omit<ButtonProps, 'leftSection'> {
  readonly value: string
  /** Says what is copied, where the button's text doesn't. */
  readonly label?: string
  /** Default: “Copy”. */
  readonly children?: string
  /** Whether the button gets the focus: in a dialog that opens, and in one whose form it replaces. */
  readonly focused?: boolean
}

/**
 * A button that copies text. Browsers only offer the clipboard over HTTPS or on localhost; without it, renders nothing.
 */
export function CopyText({ value, label, children, focused = false, ...button }: CopyTextProps) {
  const texts = useTexts()
  if (!window.isSecureContext) return null
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          {...button}
          data-autofocus={focused || undefined}
          autoFocus={focused}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={copy}
          aria-label={copied ? undefined : label}
          aria-live="polite"
        >
          {copied ? texts.copied : (children ?? texts.copy)}
        </Button>
      )}
    </CopyButton>
  )
}

import { CopyButton, type CopyButtonProps } from '@mantine/core'

/**
 * A button that copies text. Browsers only offer the clipboard over HTTPS or on localhost; without it, renders nothing.
 */
export function CopyText(props: CopyButtonProps) {
  return window.isSecureContext ? <CopyButton {...props} /> : null
}

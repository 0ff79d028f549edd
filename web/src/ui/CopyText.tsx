import { CopyButton, type CopyButtonProps } from '@mantine/core'

/** A button that copies text; nothing where browsers lend no clipboard: they do to pages over HTTPS, or from this machine. */
export function CopyText(props: CopyButtonProps) {
  return window.isSecureContext ? <CopyButton {...props} /> : null
}

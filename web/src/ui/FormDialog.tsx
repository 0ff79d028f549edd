import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'

interface FormDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly onClose: () => void
  /** It has left the page. */
  readonly onGone?: () => void
  readonly large?: boolean
  readonly children: ReactNode
}

/** Where something new is filled in; on a phone the whole screen. A click beside it loses nothing. */
export function FormDialog({ opened, title, onClose, onGone, large = false, children }: FormDialogProps) {
  const { close } = useTexts()
  const narrow = useMediaQuery('(max-width: 480px)') ?? false
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(onGone && { onExitTransitionEnd: onGone })}
      title={title}
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      size={large ? 'lg' : 'md'}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': close }}
    >
      {children}
    </Modal>
  )
}

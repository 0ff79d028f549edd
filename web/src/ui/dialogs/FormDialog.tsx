import type { ReactNode } from 'react'
import { useNarrow } from '../breakpoints.ts'
import { Dialog } from './Dialog.tsx'

interface FormDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly onClose: () => void
  /** Called once the closing animation has ended. */
  readonly onGone?: () => void
  readonly large?: boolean
  readonly children: ReactNode
}

/** A dialog with a form; full screen on a phone. A click outside doesn't close it, so no input is lost. */
export function FormDialog({ opened, title, onClose, onGone, large = false, children }: FormDialogProps) {
  const narrow = useNarrow('phone')
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      {...(onGone && { onExitTransitionEnd: onGone })}
      title={title}
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      size={large ? 'lg' : 'md'}
      closeOnClickOutside={false}
    >
      {children}
    </Dialog>
  )
}

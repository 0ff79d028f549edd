import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'

const HoldContext = createContext<((isHeld: boolean) => void) | undefined>(undefined)

/** A modal dialog. While it carries out a request, it can't be closed: its answer, or its failure, belongs to it. */
export function Dialog({ onClose, children, ...modal }: Omit<ModalProps, 'closeButtonProps'>) {
  const { close } = useTexts()
  const [isHeld, setHeld] = useState(false)
  return (
    <Modal
      {...modal}
      onClose={isHeld ? () => {} : onClose}
      closeButtonProps={{ 'aria-label': close, disabled: isHeld }}
    >
      <HoldContext value={setHeld}>{children}</HoldContext>
    </Modal>
  )
}

/** Keeps the {@link Dialog} around this component open; without one, it does nothing. */
export function useHeldDialog(isPending: boolean): void {
  const hold = use(HoldContext)
  useEffect(() => {
    if (!isPending) return undefined
    hold?.(true)
    return () => hold?.(false)
  }, [hold, isPending])
}

interface DialogButtonsProps {
  /** Whether the request is being carried out. */
  readonly isPending: boolean
  readonly onCancel: () => void
  /** Default: Cancel. */
  readonly cancel?: string
  /** Whether the first button gets the focus. */
  readonly focusCancel?: boolean
  /** The space above. */
  readonly mt?: 'xs' | 0
  /** The button that sends the request. */
  readonly children: ReactNode
}

/** The buttons at the end of a {@link Dialog} that carries out a request. */
export function DialogButtons({
  isPending,
  onCancel,
  cancel,
  focusCancel = false,
  mt = 0,
  children,
}: DialogButtonsProps) {
  const texts = useTexts()
  useHeldDialog(isPending)
  return (
    <Group justify="flex-end" mt={mt}>
      <Button variant="default" disabled={isPending} onClick={onCancel} data-autofocus={focusCancel || undefined}>
        {cancel ?? texts.cancel}
      </Button>
      {children}
    </Group>
  )
}

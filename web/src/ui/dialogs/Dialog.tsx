import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import { createContext, use, useEffect, useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { useFocusBack } from './useFocusBack.ts'

const HoldContext = createContext<((isHeld: boolean) => void) | undefined>(undefined)

/** The open dialogs, the innermost last. */
let openDialogs: readonly string[] = []
const listeners = new Set<() => void>()

function setOpenDialogs(next: readonly string[]): void {
  openDialogs = next
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Whether a dialog is the one of all open ones that was opened last. */
function useIsInnermost(opened: boolean): boolean {
  const id = useId()
  useEffect(() => {
    if (!opened) return undefined
    setOpenDialogs([...openDialogs, id])
    // Only later: the dialog below gets the key that closes this one as well, perhaps after it.
    return () => void setTimeout(() => setOpenDialogs(openDialogs.toSpliced(openDialogs.indexOf(id), 1)))
  }, [id, opened])
  return useSyncExternalStore(subscribe, () => openDialogs.at(-1) === id)
}

/**
 * A modal dialog, which can be mounted only while it's open. While it carries out a request, it can't be closed: its
 * answer, or its failure, belongs to it. Escape closes only the innermost of several.
 */
export function Dialog({ onClose, closeOnEscape = true, children, ...modal }: Omit<ModalProps, 'closeButtonProps'>) {
  const { close } = useTexts()
  const [isHeld, setHeld] = useState(false)
  const isInnermost = useIsInnermost(modal.opened)
  useFocusBack(modal.opened)
  return (
    <Modal
      {...modal}
      closeOnEscape={closeOnEscape && isInnermost}
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

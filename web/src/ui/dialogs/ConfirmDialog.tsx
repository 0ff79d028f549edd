import { Alert, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Dialog, DialogButtons } from './Dialog.tsx'
import { GoToLink } from '../feedback/GoToLink.tsx'
import { notifyFailure } from '../feedback/notify.ts'

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  /** Describes what will be lost. */
  readonly children: ReactNode
  readonly confirm: string
  /** Disables the confirm button while the description is still loading. */
  readonly waiting?: boolean
  readonly onClose: () => void
  /** An error it throws is shown, and the dialog stays open. */
  readonly act: () => Promise<void>
  /** What the page itself says about a failure; undefined for the service's own message. */
  readonly problemIn?: (error: Error) => string | undefined
  /** The action can take minutes, so that the dialog can be closed before it ends. */
  readonly takesLong?: boolean
}

/** Asks for confirmation before an action that can't be undone. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  waiting = false,
  onClose,
  act,
  problemIn,
  takesLong = false,
}: ConfirmDialogProps) {
  const texts = useTexts()
  /** The dialog was closed before the action ended. */
  const isLeft = useRef(false)
  const textOf = (failure: Error) => problemIn?.(failure) ?? messageOf(failure, texts)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: act,
    onSuccess: () => isLeft.current || onClose(),
    onError: (failure) => isLeft.current && notifyFailure(textOf(failure)),
  })
  const confirmed = () => {
    isLeft.current = false
    mutate()
  }
  const close = () => {
    isLeft.current = isPending
    reset()
    onClose()
  }

  return (
    <Dialog opened={opened} onClose={close} title={title} centered radius="lg">
      <Stack gap="lg">
        {children}
        {error && (
          <Alert color="red" role="alert">
            {textOf(error)}
            <GoToLink error={error} />
          </Alert>
        )}
        <DialogButtons
          isPending={isPending && !takesLong}
          onCancel={close}
          cancel={isPending && takesLong ? texts.close : texts.cancel}
          focusCancel
        >
          <Button color="red.8" loading={isPending} disabled={waiting} onClick={confirmed}>
            {confirm}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

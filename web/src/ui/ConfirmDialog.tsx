import { Alert, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'
import { Dialog, DialogButtons } from './Dialog.tsx'

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
}: ConfirmDialogProps) {
  const texts = useTexts()
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: act, onSuccess: onClose })
  const close = () => {
    reset()
    onClose()
  }

  return (
    <Dialog opened={opened} onClose={close} title={title} centered radius="lg">
      <Stack gap="lg">
        {children}
        {error && (
          <Alert color="red" role="alert">
            {problemIn?.(error) ?? messageOf(error, texts)}
          </Alert>
        )}
        <DialogButtons isPending={isPending} onCancel={close} focusCancel>
          <Button color="red.8" loading={isPending} disabled={waiting} onClick={() => mutate()}>
            {confirm}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

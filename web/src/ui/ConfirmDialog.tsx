import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'

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
}

/** Asks for confirmation before an action that can't be undone. */
export function ConfirmDialog({ opened, title, children, confirm, waiting = false, onClose, act }: ConfirmDialogProps) {
  const texts = useTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    setProblem(undefined)
    onClose()
  }
  const confirmed = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await act()
      close()
    } catch (error) {
      setProblem(messageOf(error, texts))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <Stack gap="lg">
        {children}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {texts.cancel}
          </Button>
          <Button color="red.8" loading={busy} disabled={waiting} onClick={() => void confirmed()}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../shared/failure.ts'
import { useTexts } from '../i18n/texts.ts'

interface AskProps {
  readonly opened: boolean
  readonly title: string
  /** Says what will be lost. */
  readonly children: ReactNode
  readonly confirm: string
  /** Not yet known what there is to say. */
  readonly waiting?: boolean
  readonly onClose: () => void
  /** What it throws is shown, and the question stays. */
  readonly act: () => Promise<void>
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ opened, title, children, confirm, waiting = false, onClose, act }: AskProps) {
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

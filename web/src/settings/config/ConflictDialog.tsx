import { Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import type { ConfigText } from './config-file.ts'

const Compare = lazy(() => import('./editor/Compare.tsx'))

interface ConflictDialogProps {
  readonly theirs: ConfigText
  readonly mine: string
  readonly onClose: () => void
  /** Continues from the other version, with this text. */
  readonly onContinue: (text: string) => void
}

/** Shown when someone else changed the file: compares both versions, so that neither is lost by accident. */
export function ConflictDialog({ theirs, mine, onClose, onContinue }: ConflictDialogProps) {
  const { config } = useTexts('config')
  const { conflict } = config
  const narrow = useNarrow('medium')
  const [text, setText] = useState(mine)
  const [dropping, setDropping] = useState(false)
  const [closing, setClosing] = useState(false)

  return (
    <Dialog
      opened
      onClose={text === mine ? onClose : () => setClosing(true)}
      closeOnClickOutside={false}
      // The merge is only here.
      closeOnEscape={text === mine}
      title={conflict.title}
      size="min(1200px, 94vw)"
      fullScreen={narrow}
      radius={narrow ? 0 : 'lg'}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {narrow ? conflict.leadNarrow : conflict.lead}
        </Text>
        {!narrow && (
          <Group grow gap="xl" aria-hidden>
            <Text fw={600}>{conflict.theirs}</Text>
            <Text fw={600}>{conflict.mine}</Text>
          </Group>
        )}
        <Suspense fallback={<Loading />}>
          <Compare
            before={theirs.text}
            beforeLabel={conflict.theirs}
            after={mine}
            afterLabel={conflict.mine}
            onChange={setText}
          />
        </Suspense>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setDropping(true)}>
            {conflict.useTheirs}
          </Button>
          <Button onClick={() => onContinue(text)} data-autofocus>
            {narrow ? conflict.continueNarrow : conflict.continue}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={dropping}
        title={conflict.dropTitle}
        confirm={conflict.useTheirs}
        onClose={() => setDropping(false)}
        act={() => Promise.resolve(onContinue(theirs.text))}
      >
        <Text>{conflict.dropBody}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={closing}
        title={conflict.closeTitle}
        confirm={config.discard}
        onClose={() => setClosing(false)}
        act={() => Promise.resolve(onClose())}
      >
        <Text>{conflict.closeBody}</Text>
      </ConfirmDialog>
    </Dialog>
  )
}

import { Text } from '@mantine/core'
import { messageOf } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import type { ConfigText } from './config-file.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import type { Found } from './editor/Editor.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import type { useConfigWork } from './useConfigWork.ts'

export type Dialog = 'save' | 'conflict' | 'discard'

interface ConfigDialogsProps {
  /** The newest version known. */
  readonly file: ConfigText
  /** Several instances share the configuration. */
  readonly isShared: boolean
  readonly edit: ReturnType<typeof useConfigWork>
  readonly dialog: Dialog | undefined
  readonly onDialog: (dialog: Dialog | undefined) => void
  readonly onGo: (found: Found) => void
}

/** The editor's dialogs: save, resolve a conflict, discard. */
export function ConfigDialogs({ file, isShared, edit, dialog, onDialog, onGo }: ConfigDialogsProps) {
  const texts = useTexts('config')
  const { config } = texts
  const { work, startFrom, refresh, onSaved } = edit
  const close = () => onDialog(undefined)
  const onFailure = (error: unknown) => notifyFailure(messageOf(error, texts))
  const onConflict = async () => {
    close()
    await refresh()
    onDialog('conflict')
  }
  return (
    <>
      {dialog === 'save' && (
        <SaveDialog
          base={work.base}
          text={work.text}
          isShared={isShared}
          onClose={close}
          onGo={onGo}
          onSaved={(result) => {
            close()
            onSaved(result).catch(onFailure)
          }}
          onConflict={() => void onConflict().catch(onFailure)}
        />
      )}
      {dialog === 'conflict' && (
        <ConflictDialog
          theirs={file}
          mine={work.text}
          onClose={close}
          onContinue={(text) => {
            close()
            startFrom(text)
            if (text !== file.text) notifySuccess(config.conflict.taken)
          }}
        />
      )}
      <ConfirmDialog
        opened={dialog === 'discard'}
        title={config.discardTitle}
        confirm={config.discard}
        onClose={close}
        act={() => Promise.resolve(startFrom(file.text))}
      >
        <Text>{config.discardBody}</Text>
      </ConfirmDialog>
    </>
  )
}

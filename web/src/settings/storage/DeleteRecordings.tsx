import { Text } from '@mantine/core'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import type { CameraStorage } from '../../../../server/src/api-types.ts'
import { deleteUnlessGone } from '../../api/delete-unless-gone.ts'
import { bytes } from '../../lib/format-number.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'

interface DeleteRecordingsProps {
  /** The storage entry of a removed camera. */
  readonly of: CameraStorage
  readonly onClose: () => void
  readonly onDeleted: () => Promise<unknown>
}

/** Asks before deleting the recordings of a removed camera. */
export function DeleteRecordings({ of: { id, camera, bytes: taken }, onClose, onDeleted }: DeleteRecordingsProps) {
  const { storage } = useTexts('storage')
  const locale = useLocale()
  const remove = async () => {
    try {
      // For however many minutes it takes.
      const { signal } = new AbortController()
      await deleteUnlessGone(`api/recordings/storage/${encodeURIComponent(id)}`, undefined, signal)
    } finally {
      await onDeleted()
    }
    notifySuccess(storage.deleted({ title: camera }))
  }
  return (
    <ConfirmDialog
      opened
      title={storage.deleteTitle({ title: camera })}
      confirm={storage.delete}
      onClose={onClose}
      act={remove}
      takesLong
    >
      <Text>{storage.deleteBody({ amount: taken === null ? storage.counting : bytes(taken, locale) })}</Text>
    </ConfirmDialog>
  )
}

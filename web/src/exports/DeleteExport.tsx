import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { notifySuccess } from '../ui/feedback/notify.ts'
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx'
import type { Export } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { deleteExport } from './queries.ts'

interface DeleteExportProps {
  readonly one: Export
  readonly name: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for confirmation before an export is deleted for all users. */
export function DeleteExport({ one, name, opened, onClose }: DeleteExportProps) {
  const { exports } = useTexts('exports')
  const queries = useQueryClient()
  const remove = async () => {
    const wasDeleted = await deleteExport(one)
    notifySuccess(wasDeleted ? exports.deleted({ name }) : exports.alreadyGone({ name }))
    void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={exports.deleteTitle({ name })}
      confirm={exports.delete}
      act={remove}
    >
      <Text>{exports.deleteBody}</Text>
    </ConfirmDialog>
  )
}

import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notifySuccess } from '../ui/feedback/notify.ts'
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { deleteItems } from './queries.ts'

interface DeleteItemsProps {
  readonly items: readonly ReviewItemResponse[]
  readonly opened: boolean
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks for confirmation before items are deleted for all users. */
export function DeleteItems({ items, opened, onClose, onDeleted }: DeleteItemsProps) {
  const { review } = useTexts('review')
  const queries = useQueryClient()
  /** How many are being deleted; they leave the list one by one. */
  const [deleting, setDeleting] = useState<number>()
  const count = deleting ?? items.length
  const removeAll = async () => {
    await deleteItems(queries, items)
    notifySuccess(review.deleted)
    onDeleted()
  }
  const remove = async () => {
    setDeleting(items.length)
    try {
      await removeAll()
    } finally {
      setDeleting(undefined)
    }
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={count > 1 ? review.deleteMany({ count }) : review.deleteTitle}
      confirm={review.delete}
      act={remove}
    >
      <Text>{review.deleteBody}</Text>
    </ConfirmDialog>
  )
}

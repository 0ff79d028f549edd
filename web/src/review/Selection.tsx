import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconEye, IconEyeCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../session/session.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { DeleteItems } from './DeleteItems.tsx'
import classes from './Selection.module.css'
import { useMarking } from './useMarking.tsx'

/** Actions on the selected items; shown while any are selected. */
export function Selection({ items, onClear }: { items: readonly ReviewItemResponse[]; onClear: () => void }) {
  const { review } = useTexts('review')
  const mayDelete = useCan('recordings.delete')
  const { mark } = useMarking()
  const [asking, setAsking] = useState(false)
  if (items.length === 0) return null
  const someNew = items.some(({ seen }) => !seen)
  const act = () => {
    void mark(items, someNew)
    onClear()
  }

  return (
    <div className={classes.bar} role="group" aria-label={review.selected({ count: items.length })}>
      <Tooltip label={review.clearSelection}>
        <ActionIcon size={44} variant="subtle" color="gray" aria-label={review.clearSelection} onClick={onClear}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Text className={classes.count} role="status">
        {review.selected({ count: items.length })}
      </Text>
      <Button
        leftSection={someNew ? <IconEyeCheck size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
        onClick={act}
      >
        {someNew ? review.markSeen : review.markUnseen}
      </Button>
      {mayDelete && (
        <Tooltip label={review.delete}>
          <ActionIcon
            size={44}
            variant="subtle"
            color="gray"
            aria-label={review.delete}
            onClick={() => setAsking(true)}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <DeleteItems items={items} opened={asking} onClose={() => setAsking(false)} onDeleted={onClear} />
    </div>
  )
}

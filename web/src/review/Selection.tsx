import { Button, Text } from '@mantine/core'
import { IconEye, IconEyeCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../session/session.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { DeleteItems } from './DeleteItems.tsx'
import classes from './Selection.module.css'
import { useMarking } from './useMarking.tsx'

interface SelectionProps {
  readonly items: readonly ReviewItemResponse[]
  /** Nothing is to be selected anymore. @param areGone whether the items were deleted */
  readonly onClear: (areGone: boolean) => void
}

/** Actions on the selected items; shown while any are selected. */
export function Selection({ items, onClear }: SelectionProps) {
  const { review } = useTexts('review')
  const mayDelete = useCan('delete')
  const { mark } = useMarking()
  const [asking, setAsking] = useState(false)
  if (items.length === 0) return null
  const someNew = items.some(({ seen }) => !seen)
  const act = () => {
    void mark(items, someNew)
    onClear(false)
  }

  return (
    <div className={classes.bar} role="group" aria-label={review.selected({ count: items.length })}>
      <IconButton icon={IconX} label={review.clearSelection} onClick={() => onClear(false)} />
      <Text className={classes.count} role="status">
        {review.selected({ count: items.length })}
      </Text>
      <Button
        leftSection={someNew ? <IconEyeCheck size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
        onClick={act}
      >
        {someNew ? review.markSeen : review.markUnseen}
      </Button>
      {mayDelete && <IconButton icon={IconTrash} label={review.delete} onClick={() => setAsking(true)} />}
      <DeleteItems items={items} opened={asking} onClose={() => setAsking(false)} onDeleted={() => onClear(true)} />
    </div>
  )
}

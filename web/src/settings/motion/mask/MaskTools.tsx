import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { begin, fewest, finish, discard, removeLastPoint, type Drawing } from './drawing.ts'
import classes from './MaskCanvas.module.css'

/** The element that gets the focus after a step. */
export type FocusTo = 'chosen' | 'crosshair' | 'add'

interface MaskToolsProps {
  readonly drawing: Drawing
  readonly step: (by: (drawing: Drawing) => Drawing, to?: FocusTo) => void
  readonly addButton: RefObject<HTMLButtonElement | null>
  readonly onAddPoint: () => void
  readonly onDropPoint: () => void
  readonly onDropMask: () => void
  readonly onUndo: () => void
}

/** The buttons below the snapshot. */
export function MaskTools(props: MaskToolsProps) {
  const { drawing, step, addButton, onAddPoint, onDropPoint, onDropMask, onUndo } = props
  const { cancel } = useTexts()
  const { motion } = useTexts('motion')
  const { begun, chosen } = drawing

  if (begun) {
    return (
      <div className={classes.tools}>
        <Button disabled={begun.length < fewest} onClick={() => step(finish, 'chosen')}>
          {motion.drawing.finish}
        </Button>
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          disabled={begun.length === 0}
          onClick={() => step(removeLastPoint)}
        >
          {motion.drawing.removeLast}
        </Button>
        <Button variant="subtle" onClick={() => step(discard, 'add')}>
          {cancel}
        </Button>
      </div>
    )
  }

  const mask = drawing.masks.find(({ id }) => id === chosen?.mask)
  return (
    <div className={classes.tools}>
      <Button
        ref={addButton}
        variant="default"
        data-add-mask
        leftSection={<IconPlus size={18} aria-hidden />}
        onClick={() => step(begin, 'crosshair')}
      >
        {motion.masks.add}
      </Button>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={18} aria-hidden />}
        disabled={drawing.before.length === 0}
        onClick={onUndo}
      >
        {motion.undo}
      </Button>
      {mask && (
        <>
          <Button variant="default" onClick={onAddPoint}>
            {motion.point.add}
          </Button>
          <Button
            variant="default"
            disabled={chosen?.point === 'all' || mask.points.length <= fewest}
            onClick={onDropPoint}
          >
            {motion.point.delete}
          </Button>
          <Button variant="subtle" color="red" leftSection={<IconTrash size={18} aria-hidden />} onClick={onDropMask}>
            {motion.masks.delete}
          </Button>
        </>
      )}
    </div>
  )
}

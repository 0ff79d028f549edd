import { IconArrowsMove } from '@tabler/icons-react'
import { useElementSize } from '@mantine/hooks'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { between, choose, middleOf, moveTo, type Drawing, type Handle, type Mask } from './drawing.ts'
import { wayOf } from './keys.ts'
import classes from './MaskPicture.module.css'
import type { Point } from './motion-settings.ts'
import { usePlaceName } from './usePlaceName.ts'

interface HandlesProps {
  readonly drawing: Drawing
  /** The handle that was pressed and will move to the next place pressed. */
  readonly picked: Handle | undefined
  readonly change: (step: (drawing: Drawing) => Drawing) => void
  readonly onDropCorner: () => void
  readonly onDropMask: () => void
  readonly onAddCorner: () => void
  readonly onUndo: () => void
  readonly onLetGo: () => void
  /** Announces words to screen readers. */
  readonly announce: (words: string) => void
}

/** Pixels: a shorter side has no room for the handle that adds a point. */
const roomy = 72

export const at = ([x, y]: Point): CSSProperties => ({ left: `${x * 100}%`, top: `${y * 100}%` })

/** The handles of every mask: its number to move it, and the points of the chosen mask. */
export function Handles(props: HandlesProps) {
  const { drawing, picked, change, onDropCorner, onDropMask, onAddCorner, onUndo, onLetGo, announce } = props
  const { masks: words, point: texts } = useTexts('motion').motion
  const placeName = usePlaceName()
  const { ref, width, height } = useElementSize()
  const { masks, chosen } = drawing

  const onKeyDown = (event: KeyboardEvent, handle: Handle, from: Point) => {
    const to = wayOf(event, from)
    if (to) {
      const next = moveTo(drawing, handle, to)
      const mask = next.masks.find(({ id }) => id === handle.mask)
      change((now) => moveTo(now, handle, to))
      const place = mask && (handle.corner === 'all' ? middleOf(mask.corners) : mask.corners[handle.corner])
      if (place) announce(placeName(place))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (handle.corner === 'all') onDropMask()
      else onDropCorner()
    } else if (event.key === 'Insert' || event.key === '+') onAddCorner()
    else if (event.key === 'Escape') onLetGo()
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo()
    else return
    event.preventDefault()
  }

  const handleOf = (mask: Mask, corner: Handle['corner'], place: Point, name: string) => {
    const handle = { mask: mask.id, corner }
    const isChosen = chosen?.mask === mask.id && chosen.corner === corner
    return (
      <button
        key={`${mask.id} ${corner}`}
        type="button"
        className={corner === 'all' ? classes.middle : classes.corner}
        style={at(place)}
        aria-label={name}
        data-hit="handle"
        data-mask={mask.id}
        data-corner={corner}
        data-chosen={isChosen || undefined}
        data-on={isChosen || undefined}
        data-picked={(picked?.mask === mask.id && picked.corner === corner) || undefined}
        onFocus={() => change((now) => choose(now, handle))}
        onKeyDown={(event) => onKeyDown(event, handle, place)}
      >
        {corner === 'all' && chosen?.mask === mask.id ? <IconArrowsMove size={16} aria-hidden /> : null}
        {corner === 'all' && chosen?.mask !== mask.id ? masks.indexOf(mask) + 1 : null}
      </button>
    )
  }

  return (
    <div ref={ref} className={classes.handles}>
      {masks.map((mask, number) => {
        const { id, corners } = mask
        const name = words.name({ number: number + 1 })
        const middle = middleOf(corners)
        const isChosen = chosen?.mask === id
        return [
          handleOf(mask, 'all', middle, texts.whole({ mask: name, place: placeName(middle) })),
          ...(isChosen
            ? corners.map((corner, index) =>
                handleOf(mask, index, corner, texts.name({ number: index + 1, mask: name, place: placeName(corner) })),
              )
            : []),
          ...(isChosen
            ? corners.flatMap((corner, index) => {
                const [nextX, nextY] = corners[(index + 1) % corners.length] ?? corner
                const length = Math.hypot((nextX - corner[0]) * width, (nextY - corner[1]) * height)
                if (length < roomy) return []
                return [
                  <span
                    key={`${id} side ${index}`}
                    className={classes.side}
                    style={at(between(corners, index))}
                    data-hit="side"
                    data-mask={id}
                    data-corner={index}
                    aria-hidden
                  />,
                ]
              })
            : []),
        ]
      })}
    </div>
  )
}

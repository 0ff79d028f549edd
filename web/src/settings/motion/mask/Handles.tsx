import { IconArrowsMove } from '@tabler/icons-react'
import { useElementSize } from '@mantine/hooks'
import { Fragment, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import { useTexts } from '../../../i18n/texts.ts'
import { between, choose, middleOf, moveTo, type Drawing, type Handle } from './drawing.ts'
import { wayOf } from './keys.ts'
import classes from './MaskCanvas.module.css'
import type { Point } from '../motion-settings.ts'
import { usePlaceName } from './usePlaceName.ts'

interface HandlesProps {
  readonly drawing: Drawing
  /** The handle that was pressed and will move to the next place pressed. */
  readonly picked: Handle | undefined
  readonly change: (step: (drawing: Drawing) => Drawing) => void
  readonly onDropPoint: () => void
  readonly onDropMask: () => void
  readonly onAddPoint: () => void
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
  const { drawing, picked, change } = props
  const { masks: words, point: texts } = useTexts('motion').motion
  const placeName = usePlaceName()
  const onKeyDown = useHandleKeys(props)
  const { ref, width, height } = useElementSize()
  const { masks, chosen } = drawing
  const buttonProps = (handle: Handle, place: Point) => ({
    handle,
    place,
    isChosen: isSame(chosen, handle),
    isPicked: isSame(picked, handle),
    onFocus: () => change((now) => choose(now, handle)),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, handle, place),
  })

  return (
    <div ref={ref} className={classes.handles}>
      {masks.map(({ id, points }, number) => {
        const name = words.name({ number: number + 1 })
        const middle = middleOf(points)
        const isOpen = chosen?.mask === id
        return (
          <Fragment key={id}>
            <HandleButton
              {...buttonProps({ mask: id, point: 'all' }, middle)}
              label={texts.whole({ mask: name, place: placeName(middle) })}
            >
              {isOpen ? <IconArrowsMove size={16} aria-hidden /> : number + 1}
            </HandleButton>
            {isOpen &&
              points.map((point, index) => (
                <HandleButton
                  key={index}
                  {...buttonProps({ mask: id, point: index }, point)}
                  label={texts.name({ number: index + 1, mask: name, place: placeName(point) })}
                />
              ))}
            {isOpen && <Sides mask={id} points={points} width={width} height={height} />}
          </Fragment>
        )
      })}
    </div>
  )
}

const isSame = (one: Handle | undefined, { mask, point }: Handle): boolean => one?.mask === mask && one.point === point

/** What the keys do on a handle. */
function useHandleKeys(props: HandlesProps) {
  const { drawing, change, onDropPoint, onDropMask, onAddPoint, onUndo, onLetGo, announce } = props
  const placeName = usePlaceName()
  return (event: KeyboardEvent, handle: Handle, from: Point) => {
    const to = wayOf(event, from)
    if (to) {
      const next = moveTo(drawing, handle, to)
      const mask = next.masks.find(({ id }) => id === handle.mask)
      change((now) => moveTo(now, handle, to))
      const place = mask && (handle.point === 'all' ? middleOf(mask.points) : mask.points[handle.point])
      if (place) announce(placeName(place))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (handle.point === 'all') onDropMask()
      else onDropPoint()
    } else if (event.key === 'Insert' || event.key === '+') onAddPoint()
    else if (event.key === 'Escape') onLetGo()
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo()
    else return
    event.preventDefault()
  }
}

interface HandleButtonProps {
  readonly handle: Handle
  readonly place: Point
  readonly label: string
  readonly isChosen: boolean
  readonly isPicked: boolean
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly children?: ReactNode
}

function HandleButton({ handle, place, label, isChosen, isPicked, children, ...handlers }: HandleButtonProps) {
  return (
    <button
      type="button"
      className={handle.point === 'all' ? classes.middle : classes.point}
      style={at(place)}
      aria-label={label}
      data-hit="handle"
      data-mask={handle.mask}
      data-point={handle.point}
      data-chosen={isChosen || undefined}
      data-on={isChosen || undefined}
      data-picked={isPicked || undefined}
      {...handlers}
    >
      {children}
    </button>
  )
}

interface SidesProps {
  /** The mask's id. */
  readonly mask: number
  readonly points: readonly Point[]
  /** Pixels of the frame. */
  readonly width: number
  readonly height: number
}

/** The middle of each side that's long enough, where a point can be added. */
function Sides({ mask, points, width, height }: SidesProps) {
  return points.map((point, index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? point
    const length = Math.hypot((nextX - point[0]) * width, (nextY - point[1]) * height)
    if (length < roomy) return null
    return (
      <span
        key={index}
        className={classes.side}
        style={at(between(points, index))}
        data-hit="side"
        data-mask={mask}
        data-point={index}
        aria-hidden
      />
    )
  })
}

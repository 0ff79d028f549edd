import { useEffect, useRef, useState, type CSSProperties } from 'react'
import type { Camera, MotionNow } from '../../../../../server/src/api-types.ts'
import { titleOf } from '../../../cameras/queries.ts'
import { useSnapshot } from '../../../cameras/useSnapshot.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { Crosshair } from './Crosshair.tsx'
import { fewest, split, revert, withoutPoint, withoutMask, type Drawing } from './drawing.ts'
import { SnapshotAge, NoSnapshot } from './NoSnapshot.tsx'
import { Handles } from './Handles.tsx'
import classes from './MaskCanvas.module.css'
import { MaskTools, type FocusTo } from './MaskTools.tsx'
import type { MotionSettings } from '../motion-settings.ts'
import { Shapes } from './Shapes.tsx'
import { usePointing } from './usePointing.ts'

interface MaskCanvasProps {
  readonly camera: Camera
  readonly drawing: Drawing
  readonly change: (step: (drawing: Drawing) => Drawing) => void
  /** Masks that someone else saved in the meantime. */
  readonly theirs: MotionSettings['masks'] | undefined
  /** The box around the current motion. */
  readonly box: MotionNow['box']
  readonly isEditable: boolean
}

/** Milliseconds between two snapshots. */
const every = 2000

/** A camera's latest snapshot with its masks, which can be drawn, moved and deleted on it. */
export function MaskCanvas({ camera, drawing, change, theirs, box, isEditable }: MaskCanvasProps) {
  const { motion } = useTexts('motion')
  const title = titleOf(camera)
  const isOnline = camera.state === 'online'
  const snapshot = useSnapshot({ camera: camera.name, height: 720, every: isOnline ? every : undefined })
  const [size, setSize] = useState<readonly [width: number, height: number]>()
  const [width, height] = size ?? sizeIn(camera.resolution)
  const { frame, addButton, focusOn } = useFocusOnMade()
  const { picked, pointer, letGo, handlers } = usePointing({ drawing, change, onMade: focusOn })
  const step = (by: (drawing: Drawing) => Drawing, to?: FocusTo) => {
    letGo()
    focusOn(to)
    change(by)
  }
  const { message, announce, edits } = useMaskEdits(drawing, step)

  return (
    <div className={classes.whole}>
      <div
        ref={frame}
        role={isEditable ? 'application' : 'group'}
        aria-label={motion.area({ camera: title })}
        className={classes.frame}
        style={{ '--ratio': width / height } as CSSProperties}
        data-drawing={drawing.begun !== undefined || undefined}
        data-picked={picked !== undefined || undefined}
        {...(isEditable && handlers)}
      >
        {snapshot ? (
          <img
            src={snapshot.url}
            alt={motion.snapshot({ camera: title })}
            draggable={false}
            data-old={!isOnline || undefined}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              if (naturalHeight > 0) setSize([naturalWidth, naturalHeight])
            }}
          />
        ) : (
          <NoSnapshot camera={camera} />
        )}
        <Shapes drawing={drawing} theirs={theirs} box={box} pointer={pointer} />
        {drawing.begun ? (
          <Crosshair drawing={drawing} step={step} announce={announce} />
        ) : (
          <Handles drawing={drawing} picked={picked} change={change} {...edits} onLetGo={letGo} announce={announce} />
        )}
        {snapshot?.at !== undefined && !isOnline && <SnapshotAge at={snapshot.at} />}
      </div>
      {isEditable && <Hint drawing={drawing} picked={picked !== undefined} />}
      <span role="status" className="visually-hidden">
        {message}
      </span>
      {isEditable && <MaskTools drawing={drawing} step={step} addButton={addButton} {...edits} />}
    </div>
  )
}

/** Moves the focus to the element that a step created, once it is rendered. */
function useFocusOnMade() {
  const frame = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const focusTo = useRef<FocusTo>(undefined)
  useEffect(() => {
    const to = focusTo.current
    focusTo.current = undefined
    if (to === 'add') addButton.current?.focus()
    else if (to !== undefined) frame.current?.querySelector<HTMLElement>(`[data-${to}]`)?.focus({ preventScroll: true })
  })
  const focusOn = (to: FocusTo | undefined) => {
    focusTo.current = to
  }
  return { frame, addButton, focusOn }
}

/** Edits of the chosen mask, announced to screen readers. */
function useMaskEdits(drawing: Drawing, step: (by: (drawing: Drawing) => Drawing, to?: FocusTo) => void) {
  const { motion } = useTexts('motion')
  const [message, announce] = useState('')
  const { chosen } = drawing
  const mask = drawing.masks.find(({ id }) => id === chosen?.mask)
  const edits = {
    onDropPoint() {
      if (!mask || !chosen || chosen.point === 'all') return
      if (mask.points.length <= fewest) return announce(motion.point.tooFew)
      announce(motion.point.deleted)
      const point = { mask: mask.id, point: chosen.point }
      step((now) => withoutPoint(now, point), 'chosen')
    },
    onDropMask() {
      if (!mask) return
      announce(motion.maskDeleted)
      step((now) => withoutMask(now, mask.id), 'add')
    },
    onAddPoint() {
      if (!mask || !chosen) return
      const point = chosen.point === 'all' ? mask.points.length - 1 : chosen.point
      step((now) => split(now, { mask: mask.id, point }), 'chosen')
    },
    onUndo() {
      announce(motion.undone)
      step(revert)
    },
  }
  return { message, announce, edits }
}

/** Tells the user what to do next. */
function Hint({ drawing: { begun, chosen, masks }, picked }: { drawing: Drawing; picked: boolean }) {
  const { drawing, point, masks: words } = useTexts('motion').motion
  const left = fewest - (begun?.length ?? 0)
  const next = left === fewest ? drawing.start : left > 0 ? drawing.more({ left }) : drawing.ready
  return (
    <div className={classes.hint}>
      <p role="status">
        {begun ? next : picked ? point.put : chosen ? point.hint : masks.length > 0 ? words.hint : ''}
      </p>
      {begun && <p className={classes.keys}>{drawing.keys}</p>}
    </div>
  )
}

/** Parses `1280x720`; 16:9 if the resolution is unknown. */
function sizeIn(resolution: string | null): readonly [width: number, height: number] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(resolution ?? '') ?? []
  return width === undefined || height === undefined ? [16, 9] : [Number(width), Number(height)]
}

import { useRef, useState, type Dispatch, type PointerEvent } from 'react'
import { choose, finish, middleOf, moveTo, place, split, type Drawing, type Handle } from './drawing.ts'
import type { Point } from '../motion-settings.ts'

/** What is under the pointer: a handle, a side, the first point of the mask being drawn, or the frame itself. */
type Hit =
  | { readonly kind: 'handle'; readonly handle: Handle }
  | { readonly kind: 'side'; readonly mask: number; readonly point: number }
  | { readonly kind: 'first' }
  | { readonly kind: 'frame'; readonly mask: number | undefined }

interface Hold {
  readonly hit: Hit
  readonly handle: Handle | undefined
  /** Where the pointer went down, in client pixels. */
  readonly x: number
  readonly y: number
  /** From the pointer to the handle it holds, so that the handle doesn't jump. */
  readonly offset: Point
  readonly moved: boolean
}

interface PointingProps {
  readonly drawing: Drawing
  readonly change: Dispatch<(drawing: Drawing) => Drawing>
  /** Called when the focus must move to a new element: the chosen handle or the crosshair. */
  readonly onMade: (what: 'chosen' | 'crosshair') => void
}

/** Pixels that the pointer can move before a press counts as a drag. */
const slip = 5

/**
 * Handles mouse, pen and touch on the frame. A handle can be dragged, or pressed and then moved by pressing its new
 * place (WCAG 2.5.7). A finger that scrolls the page draws nothing.
 */
export function usePointing({ drawing, change, onMade }: PointingProps) {
  const hold = useRef<Hold>(undefined)
  /** The handle that was pressed and will move to the next place pressed. */
  const [picked, setPicked] = useState<Handle>()
  /** Where the mouse is while a mask is drawn. */
  const [pointer, setPointer] = useState<Point>()

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (!event.isPrimary || event.button !== 0) return
    const hit = hitBy(event.target)
    const handle = hit.kind === 'handle' ? hit.handle : undefined
    const [x, y] = placeOf(event)
    const [ownX, ownY] = heldPlace(drawing, hit) ?? [x, y]
    hold.current = { hit, handle, x: event.clientX, y: event.clientY, offset: [ownX - x, ownY - y], moved: false }
    if (hit.kind === 'frame') return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    if (event.target instanceof Element) event.target.closest<HTMLElement>('button')?.focus({ preventScroll: true })
  }

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const held = hold.current
    if (!held) {
      if (drawing.begun && event.pointerType === 'mouse') setPointer(placeOf(event))
      return
    }
    if (held.hit.kind === 'frame' || held.hit.kind === 'first') return
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < slip) return
    const [x, y] = placeOf(event)
    const to: Point = [x + held.offset[0], y + held.offset[1]]
    if (held.hit.kind === 'side' && !held.moved) {
      const { mask, point } = held.hit
      const made = { mask, point: point + 1 }
      hold.current = { ...held, handle: made, moved: true }
      onMade('chosen')
      change((now) => moveTo(split(now, { mask, point }), made, to, true))
      return
    }
    const { handle, moved } = held
    if (!handle) return
    hold.current = { ...held, moved: true }
    setPicked(undefined)
    change((now) => moveTo(now, handle, to, moved))
  }

  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const held = hold.current
    hold.current = undefined
    if (!held || held.moved) return
    const { hit } = held
    const to = placeOf(event)
    switch (hit.kind) {
      case 'handle':
        setPicked((now) => (now?.mask === hit.handle.mask && now.point === hit.handle.point ? undefined : hit.handle))
        change((now) => choose(now, hit.handle))
        return
      case 'side':
        onMade('chosen')
        change((now) => split(now, hit))
        return
      case 'first':
        onMade('chosen')
        setPointer(undefined)
        change(finish)
        return
      case 'frame':
        if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > 2 * slip) return
        if (drawing.begun) {
          onMade('crosshair')
          change((now) => place(now, to))
        } else if (picked) {
          setPicked(undefined)
          change((now) => moveTo(now, picked, to))
        } else change((now) => choose(now, hit.mask === undefined ? undefined : { mask: hit.mask, point: 'all' }))
    }
  }

  return {
    picked,
    pointer,
    letGo: () => {
      setPicked(undefined)
      setPointer(undefined)
    },
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerLeave: () => setPointer(undefined),
      onPointerCancel: () => {
        hold.current = undefined
      },
    },
  }
}

function hitBy(target: EventTarget): Hit {
  const element = target instanceof Element ? target.closest<HTMLElement | SVGElement>('[data-hit]') : null
  const { hit, mask, point } = element?.dataset ?? {}
  if (hit === 'first') return { kind: 'first' }
  if (mask === undefined || hit === undefined || hit === 'mask') {
    return { kind: 'frame', mask: mask === undefined ? undefined : Number(mask) }
  }
  if (hit === 'side') return { kind: 'side', mask: Number(mask), point: Number(point) }
  return { kind: 'handle', handle: { mask: Number(mask), point: point === 'all' ? 'all' : Number(point) } }
}

function heldPlace({ masks }: Drawing, hit: Hit): Point | undefined {
  if (hit.kind !== 'handle') return undefined
  const { mask, point } = hit.handle
  const points = masks.find(({ id }) => id === mask)?.points
  if (!points) return undefined
  return point === 'all' ? middleOf(points) : points[point]
}

/** The pointer's place on the frame. */
function placeOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return [shareOf(clientX - left, width), shareOf(clientY - top, height)]
}

const shareOf = (part: number, whole: number): number => Math.min(1, Math.max(0, part / whole))

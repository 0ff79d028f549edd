import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type RefObject } from 'react'
import type { TimeRange } from '../../lib/day.ts'
import { usePinch } from './usePinch.ts'
import { momentIn, panned, shareOf, zoomed } from '../player/view.ts'

interface TimelineGesturesProps {
  readonly track: RefObject<HTMLDivElement | null>
  readonly day: TimeRange
  readonly view: TimeRange
  readonly at: number
  readonly onView: (change: (view: TimeRange) => TimeRange) => void
  /** The pointer is dragged over this time. */
  readonly onScrub: (at: number) => void
  readonly onGo: (at: number) => void
}

/** Dragging goes to a time; pinching, the wheel and the touchpad zoom and pan. */
export function useTimelineGestures({ track, day, view, at, onView, onScrub, onGo }: TimelineGesturesProps) {
  const [hover, setHover] = useState<number>()
  const [isDragging, setDragging] = useState(false)
  /** Playback time when dragging began. */
  const before = useRef(at)
  const { momentAt, zoom, pan } = useZoom({ track, day, view, at, onView })
  const pinch = usePinch({
    onPinch: (factor, clientX, by) => {
      zoom(factor, clientX)
      pan(-by)
    },
  })
  useWheel(track, zoom, pan)

  /** Cancels the drag: it turned out to be a pinch or a page scroll. */
  const cancelDrag = () => {
    if (!isDragging) return
    setDragging(false)
    setHover(undefined)
    onGo(before.current)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0) return
      if (pinch.down(event)) return cancelDrag()
      event.currentTarget.setPointerCapture(event.pointerId)
      before.current = at
      setDragging(true)
      onScrub(momentAt(event.clientX))
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (pinch.move(event)) return
      const moment = momentAt(event.clientX)
      if (isDragging) onScrub(moment)
      setHover(event.pointerType === 'mouse' || isDragging ? moment : undefined)
    },
    onPointerUp(event: PointerEvent<HTMLDivElement>) {
      pinch.up(event)
      if (!isDragging) return
      setDragging(false)
      onGo(momentAt(event.clientX))
      if (event.pointerType !== 'mouse') setHover(undefined)
    },
    onPointerCancel(event: PointerEvent<HTMLDivElement>) {
      pinch.up(event)
      cancelDrag()
    },
    onPointerLeave: () => setHover(undefined),
  }
  return { handlers, hover, isDragging, momentAt }
}

type ZoomProps = Pick<TimelineGesturesProps, 'track' | 'day' | 'view' | 'at' | 'onView'>

/** Zooms and pans by screen positions. */
function useZoom({ track, day, view, at, onView }: ZoomProps) {
  const isRtl = () => track.current !== null && getComputedStyle(track.current).direction === 'rtl'
  /** Fraction of the track that lies before a screen position. */
  const shareAt = (clientX: number): number => {
    const box = track.current?.getBoundingClientRect()
    if (!box || box.width === 0) return shareOf(view, at)
    const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width))
    return isRtl() ? 1 - part : part
  }
  return {
    momentAt: (clientX: number): number => momentIn(view, shareAt(clientX)),
    /** Zooms out (`factor` above 1) or in around a screen position. */
    zoom(factor: number, clientX: number) {
      const anchor = shareAt(clientX)
      onView((now) => zoomed(now, day, factor, momentIn(now, anchor)))
    },
    pan(pixels: number) {
      const part = (isRtl() ? -pixels : pixels) / (track.current?.clientWidth || 1)
      onView((now) => panned(now, day, part * (now.to - now.from)))
    },
  }
}

function useWheel(
  track: RefObject<HTMLDivElement | null>,
  zoom: (factor: number, clientX: number) => void,
  pan: (pixels: number) => void,
): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const sideways = event.shiftKey ? event.deltaY : event.deltaX
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) pan(sideways)
    else zoom(Math.exp(event.deltaY * 0.0025), event.clientX)
  })
  useEffect(() => {
    const element = track.current
    const listen = (event: WheelEvent) => onWheel(event)
    // React's own wheel listener is passive and could not keep the page from scrolling.
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  }, [track])
}

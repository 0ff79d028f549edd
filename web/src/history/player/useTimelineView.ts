import { useState } from 'react'
import type { TimeRange } from '../../lib/day.ts'
import { narrowest, showing, zoomed, type ChosenView } from './view.ts'

/** The part of a day that the timeline shows. It follows the playback time until the user moves it away. */
export interface TimelineView {
  readonly view: TimeRange
  readonly change: (change: (view: TimeRange) => TimeRange) => void
  /** Zooms out (`factor` above 1) or in, around the playback time if that's in view. */
  readonly zoom: (factor: number) => void
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  /** Follows the playback time again. */
  readonly follow: () => void
}

/** @param initial the view until the user changes it */
export function useTimelineView(day: TimeRange, at: number, initial: TimeRange): TimelineView {
  const [chosen, setChosen] = useState<ChosenView>()
  const current = chosen ?? { view: initial, away: false }
  const view = showing(current, day, at)
  const shown = view.to - view.from
  const change: TimelineView['change'] = (by) =>
    setChosen((was = current) => {
      const next = by(showing(was, day, at))
      return { view: next, away: at < next.from || at > next.to }
    })
  return {
    view,
    change,
    zoom: (factor) => change((now) => zoomed(now, day, factor, current.away ? (now.from + now.to) / 2 : at)),
    canZoomIn: shown > narrowest,
    canZoomOut: shown < day.to - day.from,
    follow: () => setChosen({ view, away: false }),
  }
}

import { useState } from 'react'
import type { TimeRange } from '../../lib/day.ts'
import { useCanShare } from '../../links/can-share.ts'
import { useCan } from '../../session/session.ts'
import { clipAround, endingAt, startingAt } from './clip.ts'

/** The selected clip. */
export interface ClipSelection {
  readonly range: TimeRange | undefined
  readonly set: (range: TimeRange | undefined) => void
  /** Selects a clip around the playback time, or clears the selection. */
  readonly toggle: () => void
  /** Starts or ends the clip at the playback time. */
  readonly startHere: () => void
  readonly endHere: () => void
}

/** Whether the user's role can do anything with a clip. */
export function useCanClip(): boolean {
  const [mayExport, mayDownload, mayShare] = [useCan('export'), useCan('download'), useCanShare()]
  return mayExport || mayDownload || mayShare
}

/** @param onNew called when a clip is selected where there was none */
export function useClip(at: number, now: number, onNew: () => void): ClipSelection {
  const [range, set] = useState<TimeRange>()
  const begin = (ends: Partial<TimeRange> = {}) => {
    set({ ...clipAround(at, now), ...ends })
    onNew()
  }
  return {
    range,
    set,
    toggle: () => (range ? set(undefined) : begin()),
    startHere: () => (range ? set(startingAt(range, at, now)) : begin({ from: Math.round(at) })),
    endHere: () => (range ? set(endingAt(range, at, now)) : begin({ to: Math.round(at) })),
  }
}

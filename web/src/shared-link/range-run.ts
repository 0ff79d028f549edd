/** Playback of a shared range. Times are Unix seconds. */
export interface RangeRun {
  /** Where to seek. A new object seeks again. */
  readonly place: { readonly at: number }
  readonly playing: boolean
  /** Played to the end. */
  readonly over: boolean
  /** The current playback time. */
  readonly at: number
}

export type RangeEvent =
  | { readonly type: 'toggle' }
  | { readonly type: 'seek'; readonly at: number }
  | { readonly type: 'time'; readonly at: number }
  | { readonly type: 'end' }

interface Range {
  readonly start: number
  readonly end: number
}

export const runOf = ({ start }: Range): RangeRun => ({ place: { at: start }, playing: true, over: false, at: start })

export function afterRangeEvent(run: RangeRun, event: RangeEvent, range: Range): RangeRun {
  switch (event.type) {
    case 'toggle':
      return run.over ? runOf(range) : { ...run, playing: !run.playing }
    case 'seek': {
      const at = Math.min(Math.max(event.at, range.start), range.end)
      return { ...run, place: { at }, at, over: false }
    }
    case 'time':
      return { ...run, at: event.at }
    case 'end':
      return { ...run, playing: false, over: true, at: range.end }
  }
}

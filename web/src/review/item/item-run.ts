import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'

/** Playback of one review item. Times are Unix seconds. */
export interface ItemRun {
  readonly id: string
  readonly from: number
  /** For an item that is still open, its end when playback began. */
  readonly to: number
  /** Where to seek. A new object seeks again. */
  readonly place: { readonly at: number }
  readonly playing: boolean
  /** Played to the end. */
  readonly over: boolean
  /** The user can no longer see the item. */
  readonly accessLost: boolean
  /** The current playback time. */
  readonly at: number | undefined
}

export type ItemRunEvent =
  /** Another item, or a new version of the same one. */
  | { readonly type: 'item'; readonly item: ReviewItemResponse; readonly now: number }
  | { readonly type: 'time'; readonly at: number }
  | { readonly type: 'toggle' }
  | { readonly type: 'end' }
  | { readonly type: 'access-lost' }

/** Seconds shown before the item's start and after its end. */
const around = 4

export function itemRunOf({ id, start, end }: ReviewItemResponse, now: number): ItemRun {
  const from = start - around
  return {
    id,
    from,
    to: (end ?? now) + around,
    place: { at: from },
    playing: true,
    over: false,
    accessLost: false,
    at: undefined,
  }
}

export function afterItemEvent(run: ItemRun, event: ItemRunEvent): ItemRun {
  switch (event.type) {
    case 'item':
      return event.item.id === run.id
        ? { ...run, to: event.item.end === null ? run.to : event.item.end + around }
        : itemRunOf(event.item, event.now)
    case 'time':
      return { ...run, at: event.at }
    case 'toggle':
      return run.over
        ? { ...run, over: false, playing: true, place: { at: run.from } }
        : { ...run, playing: !run.playing }
    case 'end':
      return { ...run, playing: false, over: true }
    case 'access-lost':
      return { ...run, accessLost: true }
  }
}

/** Position of a time within the played range, percent. */
export const shareOf = ({ from, to }: Pick<ItemRun, 'from' | 'to'>, at: number): number =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))

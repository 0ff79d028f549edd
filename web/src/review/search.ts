import { searchText } from '../lib/search-text.ts'
import { isDay } from '../lib/day.ts'

/** The severity shown. */
export type ShownItems = 'alerts' | 'detections' | 'all'

/** Query parameters of the Review page. Defaults are omitted. */
export interface ReviewSearch {
  readonly show?: Exclude<ShownItems, 'alerts'>
  readonly camera?: string
  /** `2026-11-21`, in the browser's time zone. */
  readonly day?: string
  readonly unseen?: true
  /** The id of the item that plays. */
  readonly item?: string
}

/** Parses query parameters; invalid values are dropped. */
export function reviewSearch(values: Readonly<Record<string, unknown>>): ReviewSearch {
  const text = (name: string) => searchText(values[name])
  const [show, camera, day, item] = [text('show'), text('camera'), text('day'), text('item')]
  return {
    ...((show === 'detections' || show === 'all') && { show }),
    ...(/^[\w-]{1,64}$/.test(camera) && { camera }),
    ...(isDay(day) && { day }),
    ...(values['unseen'] === true && { unseen: true as const }),
    ...(/^[\w-]{1,64}$/.test(item) && { item }),
  }
}

/** The filter of the list. */
export type ReviewFilter = Omit<ReviewSearch, 'item'>

export function filterOf(search: ReviewSearch): ReviewFilter {
  const { item: _, ...filter } = search
  return filter
}

/** The same filter without one criterion. */
export const without = (filter: ReviewFilter, name: keyof ReviewFilter): ReviewFilter =>
  reviewSearch({ ...filter, [name]: undefined })

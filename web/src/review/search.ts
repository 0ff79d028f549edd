import { isDay } from './local-day.ts'

/** Which severity is looked at. */
export type ShownItems = 'alerts' | 'detections' | 'all'

/** What may stand behind the `?` of the review's address. What is usual is not said. */
export interface ReviewSearch {
  readonly show?: Exclude<ShownItems, 'alerts'>
  readonly camera?: string
  /** `2026-11-21`, as the browser's clock has it. */
  readonly day?: string
  readonly unseen?: true
  /** The one that plays, by its id. */
  readonly item?: string
}

/** What an address says, as far as it can be meant. */
export function reviewSearch(values: Readonly<Record<string, unknown>>): ReviewSearch {
  // `?camera=12` is read as a number.
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
  }
  const [show, camera, day, item] = [text('show'), text('camera'), text('day'), text('item')]
  return {
    ...((show === 'detections' || show === 'all') && { show }),
    ...(/^[\w-]{1,64}$/.test(camera) && { camera }),
    ...(isDay(day) && { day }),
    ...(values['unseen'] === true && { unseen: true as const }),
    ...(/^[\w-]{1,64}$/.test(item) && { item }),
  }
}

/** What the list is narrowed to. */
export type ReviewFilter = Omit<ReviewSearch, 'item'>

export function filterOf(search: ReviewSearch): ReviewFilter {
  const { item: _, ...filter } = search
  return filter
}

/** The same, less narrow. */
export const without = (filter: ReviewFilter, name: keyof ReviewFilter): ReviewFilter =>
  reviewSearch({ ...filter, [name]: undefined })

import type { Store } from '../store/store.ts'
import type { Severity } from './review-response.ts'
import type { ItemFilter, ItemPosition } from './review-store.ts'

export const severities: readonly Severity[] = ['alert', 'detection']

/**
 * @param volume undefined: every volume
 * @returns queries of one range of the index
 */
export const itemRanges =
  ({ db }: Pick<Store, 'db'>, volume: string | undefined) =>
  (camera: string, severity: Severity, { after, before }: ItemFilter, from: ItemPosition | undefined) => {
    const items = db.selectFrom('review_item')
    const all = (volume === undefined ? items : items.where('volume', '=', volume))
      .where('camera', '=', camera)
      .where('severity', '=', severity)
      .where('start', '>=', after)
      .where('start', '<', before)
    return from ? all.where((of) => of(of.refTuple('start', 'id'), '<', of.tuple(from.start, from.id))) : all
  }

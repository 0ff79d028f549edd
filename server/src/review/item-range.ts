import type { Store } from '../store/store.ts'
import type { ShownVolumes } from '../shared/storage/shown-volumes.ts'
import type { Severity } from './review-response.ts'
import type { ItemFilter, ItemPosition } from './review-store.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export const severities: readonly Severity[] = ['alert', 'detection']

/** @param volume undefined: every volume */
const itemRange =
  ({ db }: Pick<Store, 'db'>, volume: string | undefined) =>
  (camera: CameraKey, severity: Severity, { after, before }: ItemFilter, from: ItemPosition | undefined) => {
    const items = db.selectFrom('review_item')
    const all = (volume === undefined ? items : items.where('volume', '=', volume))
      .where('camera', '=', camera)
      .where('severity', '=', severity)
      .where('start', '>=', after)
      .where('start', '<', before)
    return from ? all.where((eb) => eb(eb.refTuple('start', 'id'), '<', eb.tuple(from.start, from.id))) : all
  }

/** @returns queries of one range of the index, for each of the shown volumes, or one for all of them */
export const itemRanges = (store: Pick<Store, 'db'>, shown: ShownVolumes) =>
  (shown() ?? [undefined]).map((volume) => itemRange(store, volume))

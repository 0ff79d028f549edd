import type { Places } from '../../shared/storage/places.ts'
import type { Store } from '../../store/store.ts'
import { cacheQuarters } from './cached-quarters.ts'
import { everyVolume, someVolumes } from './every-volume.sql.ts'
import { recordingStore } from './recording-store.sql.ts'
import type { History, NewSegment, RecordingStore, SegmentKey } from './recording-store.ts'

export interface ShownHistoryDeps {
  readonly store: Store
  /** Id of the own volume. */
  readonly volume: string
  readonly places: Places
  /** Whether users see the recordings of every volume, because this instance reaches the others. */
  readonly isShared: boolean
  /** Ids of the volumes that no instance has, which users also delete. */
  readonly unowned: () => readonly string[]
  /** See {@link recordingStore}. */
  readonly onOutdated: ((segments: readonly NewSegment[]) => void) | undefined
}

export interface ShownHistory {
  /** The index of the own volume. */
  readonly index: RecordingStore
  /** What users see. */
  readonly history: History
  /** Whether that includes another volume now. */
  hasOthers(): boolean
  /** Notes that a segment of another volume was removed. */
  forget(segment: SegmentKey): void
}

/** An instance that is alone reads its own index, and those of volumes that no instance has only while there are any. */
export function openShownHistory(deps: ShownHistoryDeps): ShownHistory {
  const { store, volume, places, isShared, unowned, onOutdated } = deps
  const own = recordingStore(store, volume, onOutdated)
  if (isShared) {
    return {
      index: cacheQuarters(own),
      history: everyVolume(store, places),
      hasOthers: () => true,
      forget: () => undefined,
    }
  }
  const all = someVolumes(store, places, () => [volume, ...unowned()])
  const hasOthers = (): boolean => unowned().length > 0
  const shown = (): History => (hasOthers() ? all : own)
  const index = cacheQuarters(own, (...range) => shown().quarters(...range))
  return {
    index,
    history: {
      quarters: index.quarters,
      between: (...range) => shown().between(...range),
      entries: (...range) => shown().entries(...range),
      spans: (...range) => shown().spans(...range),
      within: (...range) => shown().within(...range),
      startingAt: (...place) => shown().startingAt(...place),
      oldest: (...range) => shown().oldest(...range),
      ends: (camera) => shown().ends(camera),
      cameras: () => shown().cameras(),
    },
    hasOthers,
    forget: index.forget,
  }
}

import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { History, QueriesBy } from './index/recording-store.ts'

type KeyedQueries = Pick<History, 'between' | 'entries' | 'spans' | 'quarters' | 'within' | 'startingAt'>

/** The queries of the index that requests use, by camera name. */
export type NamedRecordings = QueriesBy<string, KeyedQueries>

/** The index by camera name: a name stands for the camera that has it now, and finds only that camera's recordings (CAM-4). */
export const byNames = (store: KeyedQueries, { keyOf }: CameraKeys): NamedRecordings => ({
  between: (camera, ...rest) => store.between(keyOf(camera), ...rest),
  entries: (camera, ...rest) => store.entries(keyOf(camera), ...rest),
  spans: (camera, ...rest) => store.spans(keyOf(camera), ...rest),
  quarters: (camera, ...rest) => store.quarters(keyOf(camera), ...rest),
  within: (camera, ...rest) => store.within(keyOf(camera), ...rest),
  startingAt: (camera, start) => store.startingAt(keyOf(camera), start),
})

import { scopedKey, type ScopedCamera } from '../access/grant.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { History } from './index/recording-store.ts'

type KeyedQueries = Pick<History, 'between' | 'entries' | 'spans' | 'quarters' | 'within' | 'startingAt'>

/** The queries of the index that requests use, by camera name. */
export type NamedRecordings = {
  readonly [Query in keyof KeyedQueries]: KeyedQueries[Query] extends (key: never, ...rest: infer Rest) => infer Found
    ? (camera: ScopedCamera, ...rest: Rest) => Found
    : never
}

/** The index by camera name: a name stands for the camera that has it now, and finds only that camera's recordings (CAM-4). */
export const byNames = (store: KeyedQueries, { keyOf }: CameraKeys): NamedRecordings => ({
  between: (camera, ...rest) => store.between(scopedKey(camera, keyOf), ...rest),
  entries: (camera, ...rest) => store.entries(scopedKey(camera, keyOf), ...rest),
  spans: (camera, ...rest) => store.spans(scopedKey(camera, keyOf), ...rest),
  quarters: (camera, ...rest) => store.quarters(scopedKey(camera, keyOf), ...rest),
  within: (camera, ...rest) => store.within(scopedKey(camera, keyOf), ...rest),
  startingAt: (camera, start) => store.startingAt(scopedKey(camera, keyOf), start),
})

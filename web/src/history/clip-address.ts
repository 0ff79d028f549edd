import { cameraPath } from '../cameras/queries.ts'
import { urlOf } from '../lib/base.ts'
import type { TimeRange } from './day.ts'

/** URL of a recorded time range as one file, not re-encoded. */
export const clipAddress = (camera: string, { from, to }: TimeRange): string =>
  urlOf(`${cameraPath(camera)}/clip.mp4?start=${from}&end=${to}`).href

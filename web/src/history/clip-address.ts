import { cameraPath } from '../live/cameras.ts'
import { urlOf } from '../shared/base.ts'
import type { TimeRange } from './day.ts'

/** The recording of a span in one file, as it is. */
export const clipAddress = (camera: string, { from, to }: TimeRange): string =>
  urlOf(`${cameraPath(camera)}/clip.mp4?start=${from}&end=${to}`).href

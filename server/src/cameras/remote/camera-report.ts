import { Type, type Static } from 'typebox'
import type { StreamProblem } from '../../media/ffmpeg/reason.ts'
import { compiledValidator } from '../../shared/compiled-validator.ts'
import { CameraResponse } from '../camera-response.ts'
import type { CameraStatus } from '../camera-state.ts'

/** What the instance that pulls a camera reports of it: all that users see of it, but its name and title. */
export const ReportedCamera = Type.Omit(CameraResponse, ['name', 'title'])
export type ReportedCamera = Static<typeof ReportedCamera>

/** A report to other instances. */
export const CameraReport = Type.Object({
  /** Key of the camera. */
  key: Type.String(),
  camera: ReportedCamera,
})
export type CameraReport = Static<typeof CameraReport>

/** A report of another instance, possibly of another version. @returns undefined if it can't be used */
export const cameraReportIn = (message: unknown): CameraReport | undefined =>
  compiledValidator(CameraReport).Check(message) ? (message as CameraReport) : undefined

/** The status of a camera as its supervisor would have it. */
export function statusOf({ state, detail = '', reason, resolution, fps, codec }: ReportedCamera): CameraStatus {
  const noVideo = { resolution: null, fps: null, codec: null }
  if (state === 'online') return { state, resolution: resolution ?? '', fps, codec: codec ?? '' }
  if (state !== 'offline') return { state, ...noVideo }
  // Of the same codes, unless the other instance has a later version.
  const problem = { ...reason, message: detail } as StreamProblem
  return { state, problem, ...noVideo }
}

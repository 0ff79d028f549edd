import type { ReasonResponse } from '../shared/http/message-schema.ts'
import type { CameraStats } from './stats-response.ts'

/** Current data of a camera. */
export interface CameraFigures {
  readonly name: string
  readonly title: string
  readonly state: CameraStats['state']
  /** Unix milliseconds. */
  readonly since: number
  readonly detail?: string
  readonly reason?: ReasonResponse
  readonly resolution: string | null
  readonly fps: number | null
  readonly codec: string | null
  readonly recording_state: CameraStats['recording_state']
  readonly viewers: number
  readonly restarts: number
  /** Bytes received so far. */
  readonly bytes: number
  /** Process id of the ffmpeg that reads the camera. */
  readonly pid: number | undefined
}

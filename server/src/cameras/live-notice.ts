import { reasonFields, type CameraResponse } from './camera-response.ts'
import type { CameraStatus } from './camera-state.ts'

/** Sent to viewers while there is no video. */
export type LiveNotice = Pick<CameraResponse, 'state' | 'detail' | 'reason'>

export const liveNotice = (status: CameraStatus): string =>
  JSON.stringify({ state: status.state, ...reasonFields(status) } satisfies LiveNotice)

export type { LoginResponse, Profile } from '../../../server/src/auth/password/login.routes.ts'
export type { SessionView } from '../../../server/src/auth/session/session-response.ts'
export type { CameraResponse as Camera } from '../../../server/src/cameras/camera-response.ts'
export type { ProblemBody } from '../../../server/src/http/errors.ts'
export type { ProblemResponse, ReasonResponse } from '../../../server/src/shared/message-schema.ts'
import type { AccessEvent, ServerEvent } from '../../../server/src/events/event.ts'

export type ServiceEvent = ServerEvent | AccessEvent
export type SeenEvent = Extract<ServiceEvent, { type: 'seen' }>
export type { Export, ExportPage, ExportUsage } from '../../../server/src/exports/export-response.ts'
export type {
  ReviewItemResponse,
  ReviewPage,
  ReviewSeen,
  ReviewSummary,
} from '../../../server/src/review/review-response.ts'

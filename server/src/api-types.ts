/**
 * Every type that the web UI takes from the service: responses, requests, events and codes. Each is declared next to the
 * route that sends it. The web UI imports no other file of the server.
 */
import type { AccessEvent, ServerEvent } from './events/event.ts'

export type { RoleNameProblems } from './access/role.ts'
export type { ConfigProblems } from './app/config/problem-codes.ts'
export type { AuditLine, AuditPage } from './audit/audit.routes.ts'
export type { LoginResponse, Profile } from './auth/password/login.routes.ts'
export type { HeaderRules } from './auth/proxy/proxy-headers.ts'
export type { SessionView } from './auth/session/session-response.ts'
export type { CameraResponse as Camera } from './cameras/camera-response.ts'
export type { LiveNotice } from './cameras/camera-supervisor.ts'
export type { ConnectionTestResponse } from './cameras/cameras.routes.ts'
export type { RemovedCamera } from './cameras/registry.routes.ts'
export type {
  AllCameraSettings,
  CameraSettings,
  MaskedSourceProblems,
} from './cameras/settings/camera-settings.routes.ts'
export type { ConfigCheck, ConfigSaved } from './system/config.routes.ts'
export type { Constraint } from './config/constraint.ts'
export type { Export, ExportPage, ExportUsage } from './exports/export-response.ts'
export type { ExportMisfits } from './exports/new-export.ts'
export type { ExportProblems } from './exports/problem.ts'
export type { AccessPreview } from './gate/access-preview.ts'
export type { ProblemBody } from './http/errors.ts'
export type { Misfits } from './http/validation.ts'
export type { StreamProblems } from './media/ffmpeg/reason.ts'
export type { MotionNow } from './motion/motion.routes.ts'
export type { RecordingProblems } from './recordings/pause.ts'
export type { TimelineResponse } from './recordings/recordings.routes.ts'
export type { CameraStorage, DiskResponse, StorageResponse } from './recordings/storage.routes.ts'
export type { SummaryResponse } from './recordings/summary.ts'
export type { ReviewItemResponse, ReviewPage, ReviewSeen, ReviewSummary } from './review/review-response.ts'
export type { SourceProblems } from './shared/camera-source.ts'
export type { ErrorCode, Reasons } from './shared/errors.ts'
export type { ProblemResponse, ReasonResponse } from './shared/message-schema.ts'
export type { CameraStats, ServiceStats, Stats } from './system/stats-view.ts'
export type { LogLines } from './system/system.routes.ts'
export type { InstanceView } from './users/instances.ts'
export type { RoleDeleted, RoleView, CaseProblems } from './users/roles.routes.ts'
export type { UserProblems } from './users/users.routes.ts'
export type { UserResponse } from './users/views.ts'

export type ServiceEvent = ServerEvent | AccessEvent
export type SeenEvent = Extract<ServiceEvent, { type: 'seen' }>

/**
 * Every type that the web UI takes from the service: responses, requests, events and codes. Each is declared next to the
 * route that sends it. Of the server, the web UI imports only this file and `shared/with-web`.
 */
import type { ApiTokenBody } from './auth/api-token/new-api-token.ts'
import type { Confirmation } from './auth/factor/account/confirm.routes.ts'
import type { NewPasskey, TotpCode } from './auth/factor/account/enrollment.routes.ts'
import type { PasskeyName } from './auth/factor/account/factors.routes.ts'
import type { PasskeyLogin, PasskeyOptionsBody, SecondFactorBody } from './auth/factor/login/login-factor.routes.ts'
import type { Credentials } from './auth/password/login.routes.ts'
import type {
  AcceptedInvitation,
  AcceptedReset,
  LinkSecretBody,
  NewInvitation,
} from './auth/invitation/invitation-schema.ts'
import type { ConfirmedPairing, PairingCode, ScreenBody } from './auth/screen/screen-schema.ts'

import type { LinkSecret, NewLink } from './auth/share-link/share-link-schema.ts'
import type { TestedSource } from './cameras/cameras.routes.ts'
import type { GroupCameras } from './cameras/camera-groups.routes.ts'
import type { ConfirmedCameras } from './cameras/registry/registry.routes.ts'
import type {
  CameraChange,
  CameraLimits,
  Limits,
  Motion,
  NewCamera,
} from './cameras/settings/camera-settings-schema.ts'
import type { CameraMove } from './cluster/instances.routes.ts'
import type { AccessEvent, ServerEvent } from './events/event.ts'
import type { ExportName, RequestedExport } from './exports/exports.routes.ts'
import type { Tried } from './gate/access-preview.ts'
import type { ReviewSeen } from './review/review-response.ts'
import type { ItemSeen } from './review/item.routes.ts'
import type { RoleBody } from './users/roles/role-schema.ts'
import type { NewPassword, NewRole, NewStatus, NewUser } from './users/user-schema.ts'

export type { RoleNameProblems } from './access/role.ts'
export type { ConfigProblems } from './app/config/problem-codes.ts'
export type { AuditLine } from './audit/audit-line.ts'
export type { AuditSummary, AuditSummaryRow, OwnSummary } from './audit/summary.routes.ts'
export type { AuditPage, OwnReads } from './audit/audit.routes.ts'
export type { LoginMethods } from './auth/login-methods.routes.ts'
export type { ApiTokenPage, NewApiTokenResponse } from './auth/api-token/api-token.routes.ts'
export type { ApiTokenResponse } from './auth/api-token/api-token-response.ts'
export type { ApiTokenBody, ApiTokenProblems } from './auth/api-token/new-api-token.ts'
export type { CreatedLink, OpenedOneTimeLink, PendingLink } from './auth/invitation/invitation-schema.ts'
export type {
  FactorsResponse,
  NewPasskeyResponse,
  NewTotp,
  RecoveryCodes,
} from './auth/factor/account/factor-response.ts'
export type { LoginResponse } from './auth/password/login.routes.ts'
export type { Profile } from './auth/profile.routes.ts'
export type { HeaderRules } from './auth/proxy/proxy-headers.ts'
export type { OwnScreen, ScreenResponse } from './auth/screen/screen-response.ts'
export type { ScreenLayout } from './auth/screen/screen-layout.ts'
export type { ScreenProblems, StartedPairing, WaitingDisplay } from './auth/screen/screen-schema.ts'
export type { LinkCreated, LinkResponse, OpenedLink } from './auth/share-link/share-link-schema.ts'
export type { LinkProblems } from './auth/share-link/new-link.ts'
export type { SessionResponse } from './auth/session/session-response.ts'
export type { CameraResponse as Camera } from './cameras/camera-response.ts'
export type { CameraGroup } from './cameras/camera-groups.routes.ts'
export type { LiveNotice } from './cameras/live-notice.ts'
export type { ConnectionTestResponse } from './cameras/cameras.routes.ts'
export type { RemovedCamera } from './cameras/registry/registry.routes.ts'
export type { AllCameraSettings, CameraSettings } from './cameras/settings/camera-settings-schema.ts'
export type { MaskedSourceProblems } from './cameras/settings/camera-settings.routes.ts'
export type { ConfigCheck, ConfigHistory, ConfigSaved } from './system/config.routes.ts'
export type { Constraint } from './config/constraint.ts'
export type { Export, ExportPage, ExportUsage } from './exports/export-response.ts'
export type { ExportRequestProblems } from './exports/new-export.ts'
export type { ExportProblems } from './exports/problem.ts'
export type { AccessPreview } from './gate/access-preview.ts'
export type { ProblemBody } from './http/errors.ts'
export type { ValidationProblems } from './http/validation.ts'
export type { StreamProblems } from './media/ffmpeg/reason.ts'
export type { MotionNow } from './motion/motion.routes.ts'
export type { RecordingProblems } from './recordings/pause.ts'
export type { TimelineResponse } from './recordings/recordings.routes.ts'
export type { CameraStorage, DiskResponse, StorageResponse } from './recordings/storage.routes.ts'
export type { SummaryResponse } from './recordings/summary.ts'
export type { ReviewItemResponse, ReviewPage, ReviewSeen, ReviewSummary } from './review/review-response.ts'
export type { CameraMove, InstanceResponse } from './cluster/instances.routes.ts'
export type { SourceProblems } from './shared/camera/camera-source.ts'
export type { Reasons } from './app/reasons.ts'
export type { ErrorCode } from './shared/errors.ts'
export type { ProblemResponse, ReasonResponse } from './shared/http/message-schema.ts'
export type { CameraStats, ServiceStats, Stats } from './system/stats-response.ts'
export type { LogLines } from './system/system.routes.ts'
export type { RoleDeleted, RoleResponse } from './users/roles/role-schema.ts'
export type { CaseProblems } from './users/roles/roles.routes.ts'
export type { UserProblems } from './users/user-problems.ts'
export type { NewStatus } from './users/user-schema.ts'
export type { UserResponse } from './users/user-response.ts'

export type ServiceEvent = ServerEvent | AccessEvent
export type SeenEvent = Extract<ServiceEvent, { type: 'seen' }>

/** A body as it is sent: its lists can be read-only. */
type Sent<Body> = { readonly [Key in keyof Body]: Sent<Body[Key]> }

/** The JSON bodies that the web UI sends, by method and path. */
export interface RequestBodies {
  'POST /api/access/try': Sent<Tried>
  'POST /api/account/confirm': Sent<Confirmation>
  'POST /api/account/passkeys': Sent<NewPasskey>
  'PATCH /api/account/passkeys/:id': Sent<PasskeyName>
  'POST /api/account/totp/confirm': Sent<TotpCode>
  'PUT /api/camera-groups/:name': Sent<GroupCameras>
  'POST /api/cameras': Sent<NewCamera>
  'PUT /api/cameras/:camera': Sent<CameraChange>
  'PUT /api/cameras/:camera/motion-settings': Sent<Motion>
  'PUT /api/cameras/:camera/instance': Sent<CameraMove>
  'PUT /api/cameras/:camera/recording-limits': Sent<CameraLimits>
  'POST /api/cameras/test': Sent<TestedSource>
  'POST /api/exports': Sent<RequestedExport>
  'PATCH /api/exports/:id': Sent<ExportName>
  'POST /api/links': Sent<NewLink>
  'POST /api/links/:id/open': Sent<LinkSecret>
  'POST /api/login': Sent<Credentials>
  'POST /api/invitations': Sent<NewInvitation>
  'POST /api/invitations/:id/open': Sent<LinkSecretBody>
  'POST /api/invitations/:id/accept': Sent<AcceptedInvitation>
  'POST /api/password-resets/:id/open': Sent<LinkSecretBody>
  'POST /api/password-resets/:id/accept': Sent<AcceptedReset>
  'POST /api/login/passkey': Sent<PasskeyLogin>
  'POST /api/login/passkey/options': Sent<PasskeyOptionsBody>
  'POST /api/login/second-factor': Sent<SecondFactorBody>
  'POST /api/pairings/confirm': Sent<ConfirmedPairing>
  'POST /api/pairings/find': Sent<PairingCode>
  'PUT /api/recordings/limits': Sent<Limits>
  'PUT /api/review/:id/seen': Sent<ItemSeen>
  'PUT /api/review/seen': Sent<ReviewSeen>
  'PUT /api/roles/:name': Sent<RoleBody>
  'POST /api/roles/:name/confirm': Sent<ConfirmedCameras>
  'PATCH /api/screens/:id': Sent<ScreenBody>
  'POST /api/tokens': Sent<ApiTokenBody>
  'POST /api/users': Sent<NewUser>
  'PUT /api/users/:username/password': Sent<NewPassword>
  'PUT /api/users/:username/role': Sent<NewRole>
  'PUT /api/users/:username/status': Sent<NewStatus>
}

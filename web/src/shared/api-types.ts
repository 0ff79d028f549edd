export type { LoggedIn, Profile } from '../../../server/src/accounts/login.routes.ts'
export type { SessionView } from '../../../server/src/accounts/views.ts'
export type { CameraShown as Camera } from '../../../server/src/cameras/camera-shown.ts'
export type { ProblemBody } from '../../../server/src/http/errors.ts'
export type { ProblemShown, ReasonShown } from '../../../server/src/shared/shown.ts'
import type { AccessEvent, Event } from '../../../server/src/events/event.ts'

export type ServiceEvent = Event | AccessEvent
export type SeenEvent = Extract<ServiceEvent, { type: 'seen' }>
export type { Export, ExportPage, ExportUsage } from '../../../server/src/exports/shown.ts'
export type { ReviewItem, ReviewPage, ReviewSeen, ReviewSummary } from '../../../server/src/review/shown.ts'

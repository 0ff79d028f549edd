export type { LoggedIn, Profile } from '../../../server/src/accounts/login.routes.ts'
export type { SessionView } from '../../../server/src/accounts/views.ts'
export type { CameraShown as Camera } from '../../../server/src/cameras/cameras.routes.ts'
export type { ProblemBody, ProblemShown } from '../../../server/src/http/errors.ts'

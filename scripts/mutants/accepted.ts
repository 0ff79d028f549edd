import type { AcceptedMutant } from './accepted/accepted-mutant.ts'
import { access } from './accepted/access.ts'
import { auth } from './accepted/auth.ts'
import { authApiToken } from './accepted/auth/api-token.ts'
import { authConfig } from './accepted/auth/config.ts'
import { authFactor } from './accepted/auth/factor.ts'
import { authInvitation } from './accepted/auth/invitation.ts'
import { authOidc } from './accepted/auth/oidc.ts'
import { authPassword } from './accepted/auth/password.ts'
import { authProxy } from './accepted/auth/proxy.ts'
import { authScreen } from './accepted/auth/screen.ts'
import { authSession } from './accepted/auth/session.ts'
import { authShareLink } from './accepted/auth/share-link.ts'
import { authToken } from './accepted/auth/token.ts'
import { gate } from './accepted/gate.ts'

/** The mutants that no test can or needs to notice, by the folder of their source. */
export const accepted: readonly AcceptedMutant[] = [
  ...access,
  ...auth,
  ...authApiToken,
  ...authConfig,
  ...authFactor,
  ...authInvitation,
  ...authOidc,
  ...authPassword,
  ...authProxy,
  ...authScreen,
  ...authSession,
  ...authShareLink,
  ...authToken,
  ...gate,
]

import { unauthenticated } from '../access/identity.ts'
import { isActive, type CachedUser } from '../users/user.ts'
import { userPrincipal } from './user-principal.ts'
import { userKey } from '../users/user-name.ts'
import type { Users } from './cached-users.ts'
import type { ApiTokens } from './api-token/api-tokens.ts'
import type { PreviewedCaller, PreviewedCallers } from './previewed-caller.ts'
import { accessRule } from './proxy/proxy-role.ts'
import type { Screens } from './screen/screens.ts'
import type { ShareLinks } from './share-link/share-links.ts'

export interface PreviewedCallersDeps {
  readonly users: Users
  /** Whether the configuration accepts an active user's sessions now. */
  readonly isAccepted: (user: CachedUser) => boolean
  /** Whether an accepted user has to set up a second factor first (MFA-2). */
  readonly mustEnroll: (user: CachedUser) => boolean
  readonly apiTokens: Pick<ApiTokens, 'identityOf'>
  readonly screens: Pick<Screens, 'identityOf'>
  readonly shareLinks: Pick<ShareLinks, 'identityOf'>
}

export const previewedCallers = ({
  users,
  isAccepted,
  mustEnroll,
  apiTokens,
  screens,
  shareLinks,
}: PreviewedCallersDeps): PreviewedCallers => ({
  async user(name, at) {
    const user = await users.byKey(userKey(name) ?? '')
    return user && previewedUser(user, at, { isAccepted: isAccepted(user), mustEnroll: mustEnroll(user) })
  },
  async token(id, at) {
    const identity = await apiTokens.identityOf(id, at)
    return (
      identity && { identity, reason: accessRule(identity.kind === 'authenticated' ? 'within-token' : 'token-over') }
    )
  },
  async screen(id, at) {
    const identity = await screens.identityOf(id, at)
    return (
      identity && {
        identity,
        reason: accessRule(identity.kind === 'authenticated' ? 'chosen-for-screen' : 'screen-over'),
      }
    )
  },
  async link(id, at) {
    const identity = await shareLinks.identityOf(id, at)
    return identity && { identity, reason: accessRule(identity.kind === 'authenticated' ? 'within-link' : 'link-over') }
  },
})

function previewedUser(
  user: CachedUser,
  at: number,
  { isAccepted, mustEnroll }: { readonly isAccepted: boolean; readonly mustEnroll: boolean },
): PreviewedCaller {
  if (!isActive(user, at)) {
    return { identity: unauthenticated, reason: accessRule(user.disabled ? 'user-disabled' : 'user-expired') }
  }
  if (!isAccepted) return { identity: unauthenticated, reason: accessRule('user-not-accepted') }
  return {
    identity: { ...userPrincipal(user), mustEnroll },
    reason: accessRule(user.provider ? 'given-by-provider' : 'given-by-admin'),
  }
}

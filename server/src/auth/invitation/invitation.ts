import type { AuthMethod } from '../../access/identity.ts'
import type { Roles } from '../../access/role.ts'
import { isActive, providerLimit, type User } from '../../users/user.ts'
import { hasTokenEnded, type TokenTerms } from '../api-token/token-end.ts'

/** What every one-time link has. Times are Unix milliseconds. */
interface LinkBase {
  /** 128 random bits, as hex. */
  readonly id: string
  /** SHA-256 of the secret, as hex. */
  readonly secretHash: string
  /** Name of the admin who created it, for display. */
  readonly createdBy: string
  /** How that admin was signed in. */
  readonly createdVia: AuthMethod
  /** A database user's id; null: not a database user. */
  readonly creatorId: string | null
  /** The API token by which it was created; null: its creator was signed in. */
  readonly tokenId: string | null
  readonly createdAt: number
  readonly expiresAt: number
  /** How it was ended; null: it was not. */
  readonly ended: 'used' | 'revoked' | null
}

/** The person who has its secret becomes a user. */
export interface Invitation extends LinkBase {
  readonly kind: 'invitation'
  readonly role: string
  /** null: the invited person chooses it. */
  readonly username: string | null
}

/** The person who has its secret sets a user's password. */
export interface PasswordReset extends LinkBase {
  readonly kind: 'reset'
  readonly username: string
  readonly userId: string
  /** The user's at creation: a password change since then ends the link. */
  readonly credentialVersion: number
}

/** A one-time link that an admin gives to a person (LINK-4). */
export type OneTimeLink = Invitation | PasswordReset

/** What a link depends on, as of its use. */
export interface LinkFacts {
  /** undefined: deleted, or not a database user. */
  readonly creator: User | undefined
  /** The API token by which it was created; undefined: revoked, or created without one. */
  readonly token: TokenTerms | undefined
  /** The user whose password a reset sets; undefined: deleted. */
  readonly user: User | undefined
  readonly roles: Pick<Roles, 'exists' | 'grantOf'>
  /** Whether the configuration accepts an active user's sessions and tokens now. */
  readonly isAccepted: (user: User) => boolean
  /** Unix milliseconds. */
  readonly now: number
}

export type LinkState = 'pending' | 'used' | 'expired' | 'ended'

/** Whether a link can be used, or why not. If in doubt, it can't. */
export function stateOf(link: OneTimeLink, facts: LinkFacts): LinkState {
  const { user, roles, now } = facts
  if (link.ended !== null) return link.ended === 'used' ? 'used' : 'ended'
  if (now >= link.expiresAt) return 'expired'
  if (!couldBeCreatedNow(link, facts)) return 'ended'
  if (link.kind === 'invitation') return roles.exists(link.role) ? 'pending' : 'ended'
  return user?.credentialVersion === link.credentialVersion && isActive(user, now) ? 'pending' : 'ended'
}

/**
 * Whether the creator can still sign in and manage users, and the API token, if one created the link, still works. No later check is
 * possible for the internal port and for a proxy's users: they could at creation.
 */
function couldBeCreatedNow(
  { createdVia, creatorId, tokenId }: OneTimeLink,
  { creator, token, roles, isAccepted, now }: LinkFacts,
): boolean {
  if (createdVia === 'internal' || createdVia === 'proxy') return creatorId === null
  if (creator === undefined || creator.id !== creatorId || !isActive(creator, now)) return false
  if (!isAccepted(creator) || providerLimit(creator.provider) <= now) return false
  if (!roles.grantOf(creator.role).actions.has('users.manage')) return false
  return tokenId === null || (token !== undefined && !hasTokenEnded(token, creator, now))
}

import type { AuthMethod } from '../../access/identity.ts'
import { isActive, type User } from '../../users/account-store.ts'

/** What every one-time link has. Times are Unix milliseconds. */
interface OneTimeLink {
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
  readonly createdAt: number
  readonly expiresAt: number
  /** How it was ended; null: it was not. */
  readonly ended: 'used' | 'revoked' | null
}

/** The person who has its secret becomes a user. */
export interface Invitation extends OneTimeLink {
  readonly kind: 'invitation'
  readonly role: string
  /** null: the invited person chooses it. */
  readonly username: string | null
}

/** The person who has its secret sets a user's password. */
export interface PasswordReset extends OneTimeLink {
  readonly kind: 'reset'
  readonly username: string
  readonly userId: string
  /** The user's at creation: a password change since then ends the link. */
  readonly credentialVersion: number
}

/** A one-time link that an admin gives to a person (LINK-4). */
export type PersonalLink = Invitation | PasswordReset

/** What a link rests on, when it is used. */
export interface LinkFacts {
  /** undefined: deleted, or not a database user. */
  readonly creator: User | undefined
  /** The user whose password a reset sets; undefined: deleted. */
  readonly user: User | undefined
  readonly roleExists: (role: string) => boolean
  /** Unix milliseconds. */
  readonly now: number
}

export type LinkState = 'pending' | 'used' | 'expired' | 'ended'

/** Whether a link can be used, or why not. In doubt it can't. */
export function stateOf(link: PersonalLink, { creator, user, roleExists, now }: LinkFacts): LinkState {
  if (link.ended !== null) return link.ended === 'used' ? 'used' : 'ended'
  if (now >= link.expiresAt) return 'expired'
  if (!isByAnAdmin(link, creator, now)) return 'ended'
  if (link.kind === 'invitation') return roleExists(link.role) ? 'pending' : 'ended'
  return user?.credentialVersion === link.credentialVersion && isActive(user, now) ? 'pending' : 'ended'
}

/** No later check is possible for the internal port and for a proxy's users: they were admins at creation. */
const isByAnAdmin = ({ createdVia, creatorId }: PersonalLink, creator: User | undefined, now: number): boolean =>
  createdVia === 'internal' || createdVia === 'proxy'
    ? creatorId === null
    : creator !== undefined && creator.id === creatorId && creator.role === 'admin' && isActive(creator, now)

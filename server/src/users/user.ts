import type { Owner } from '../access/identity.ts'
import { hour } from '../shared/time/durations.ts'

/** `own`: only the user knows the password. `printed`: it is in the log. `given`: an admin knows it. For the last two, the UI asks for a new password. */
export type PasswordOrigin = 'own' | 'printed' | 'given'

/** @param mustChange whether the user is asked for a new password at the next sign-in */
export const originOf = (mustChange: boolean | undefined): PasswordOrigin => (mustChange === true ? 'given' : 'own')

/** A user at an identity provider (OIDC-2). */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
  /** When the provider has to be asked again, by any of the user's sessions. Unix milliseconds. */
  readonly recheckAt: number
}

/** A user of the database. Times are Unix milliseconds. */
export interface User {
  /** Random, and never reused, even for a new user with an old name. */
  readonly id: string
  readonly name: string
  /** The name in lower case, because names are compared case-insensitively; of a provider's user see `oidcKey`. */
  readonly key: string
  readonly role: string
  /** `pbkdf2_sha256$<iterations>$<salt>$<base64 hash>`. */
  readonly passwordHash: string
  /** Incremented by every password change, so that a session's validity does not depend on a clock. */
  readonly credentialVersion: number
  readonly passwordSetAt: number
  readonly passwordOrigin: PasswordOrigin
  readonly createdAt: number
  readonly lastLoginAt: number | null
  /** The user cannot sign in. */
  readonly disabled: boolean
  /** From then on, the user cannot sign in. null: never. */
  readonly expiresAt: number | null
  /** Whether the user has a second factor. */
  readonly hasFactor: boolean
  /** Incremented when a factor is added, removed or reset, so that a sign-in that was under way then is not finished. */
  readonly factorVersion: number
  /** Who reset the user's factors, and when; null once the user has seen it. */
  readonly factorReset: { readonly by: string; readonly at: number } | null
  /** null: a local user, with a password. */
  readonly provider: ProviderAccount | null
}

/** What the caches keep of a user: all but the hash, which only the check of a password reads. */
export type CachedUser = Omit<User, 'passwordHash'>

/** Whether a user can sign in and use what they signed in to (GRANT-4). @param now Unix milliseconds */
export const isActive = ({ disabled, expiresAt }: Pick<User, 'disabled' | 'expiresAt'>, now: number): boolean =>
  !disabled && (expiresAt === null || now < expiresAt)

/** Milliseconds that a provider can be unavailable before the access that it gave ends (OIDC-5). */
const providerGrace = hour

/** When the access of a provider's user or session ends unless the provider confirms it. Unix milliseconds. */
export const providerLimit = (of: { readonly recheckAt: number } | null | undefined): number =>
  (of?.recheckAt ?? Infinity) + providerGrace

/**
 * Why the configuration gives an active user no access now. `not-accepted`: it doesn't let the user sign in (OIDC-1).
 * `enrollment-required`: the role requires a second factor, which the user has yet to set up (MFA-2).
 */
export type UserBlock = 'not-accepted' | 'enrollment-required'

/** The active users to whom the configuration gives access. */
export interface UnblockedUsers {
  /** Of users of an identity provider, those of this one. null: none. */
  readonly issuer: string | null
  /** Of local users, only the admin with this key, empty if there is none; undefined: every local user. */
  readonly onlyAdmin: string | undefined
  /** Roles whose local users need a second factor. */
  readonly factorRoles: readonly string[]
}

/** A user as the owner of stored data. */
export const databaseOwner = ({ key, id, provider }: Pick<User, 'key' | 'id' | 'provider'>): Owner => ({
  authMethod: methodOf({ provider }),
  key,
  userId: id,
})

/** How a user of the database signs in. */
export const methodOf = ({ provider }: Pick<User, 'provider'>): 'oidc' | 'password' => (provider ? 'oidc' : 'password')

/** A change of whether and until when a user can sign in. */
export type UserStatus = Partial<Pick<User, 'disabled' | 'expiresAt'>>

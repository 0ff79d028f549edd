/** A login session. Tokens refer to it by its id. Times are Unix milliseconds. */
export interface Session {
  /** 128 random bits, as hex. */
  readonly id: string
  readonly userId: string
  /** The user's credential version at login. The session is invalid once the user's version differs. */
  readonly credentialVersion: number
  readonly createdAt: number
  readonly lastSeenAt: number
  /** The latest expiry of any token of this session. */
  readonly expiresAt: number
  readonly address: string
  readonly userAgent: string
  /** When the user last confirmed who they are (MFA-4); null: not since a sign-in with a remembered device. */
  readonly confirmedAt: number | null
  /** null: of a local user. */
  readonly provider: ProviderSession | null
}

/** What the caches keep of a session: what requests are decided by, without the provider's tokens. */
export interface CachedSession extends Omit<Session, 'address' | 'userAgent' | 'provider'> {
  readonly provider: Pick<ProviderSession, 'recheckAt'> | null
}

/** What a session keeps of the sign-in at the identity provider. */
export interface ProviderSession {
  /** Id of the session at the provider; null if the provider has none. */
  readonly sid: string | null
  /** Sealed: see `auth/oidc/provider-tokens.ts`. */
  readonly token: string
  readonly idToken: string
  /** When the provider has to be asked again, Unix milliseconds. */
  readonly recheckAt: number
}

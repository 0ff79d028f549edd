import type { GrantLimits } from './grant.ts'

/**
 * How a caller was authenticated. The proxy's `bob` and the database's `bob` are different users, and so is the `bob` of
 * an identity provider. `screen`: a paired screen, which isn't a user.
 */
export type AuthMethod = 'password' | 'oidc' | 'proxy' | 'internal' | 'screen'

/**
 * A credential that allows less than its owner's role: an API token (KEY-2), a paired screen (KEY-6) or a share link
 * (LINK-3). The identity that it gives is the owner's, with this beside it.
 */
export type LimitedCredential = TokenCredential | (CredentialBase & { readonly kind: 'screen' | 'link' })

interface CredentialBase {
  readonly id: string
  /** The name that its owner gave it, for display. */
  readonly name: string
  readonly limits: GrantLimits
}

export interface TokenCredential extends CredentialBase {
  readonly kind: 'token'
  /** The token's own expiry, Unix milliseconds; null: it has none. */
  readonly expiresAt: number | null
}

/** The owner of stored data. `key` is the name, in lower case for database users. */
export interface Owner {
  readonly authMethod: AuthMethod
  readonly key: string
  /** A database user's id, which differs for a new user with an old name. null: not a database user. */
  readonly userId: string | null
}

/** Who sent a request. */
export type Identity =
  | { readonly kind: 'unauthenticated' }
  | {
      readonly kind: 'authenticated'
      readonly authMethod: AuthMethod
      /** The name in responses and in the audit log. Not unique: a provider's users choose theirs. */
      readonly name: string
      /** A proxy's own name for the user, which the UI shows instead. Not unique: two users can have the same. */
      readonly displayName?: string | undefined
      /** The name for comparisons: lower case for database users, exact for a proxy's users. */
      readonly key: string
      /** A database user's id; null: not a database user. */
      readonly userId: string | null
      /** undefined: no role applies. */
      readonly role: string | undefined
      /** The id of the token's session; undefined if the caller has no session. */
      readonly session: string | undefined
      /** undefined: the caller has everything that the role allows. */
      readonly credential?: LimitedCredential | undefined
      /** The role requires a second factor, and the user has none (MFA-2). */
      readonly mustEnroll?: boolean | undefined
    }

export type Principal = Extract<Identity, { kind: 'authenticated' }>

export const unauthenticated: Identity = { kind: 'unauthenticated' }

/** The identity of every request on the internal port. */
export const internalAdmin: Principal = {
  kind: 'authenticated',
  authMethod: 'internal',
  name: 'anonymous',
  key: 'anonymous',
  userId: null,
  role: 'admin',
  session: undefined,
}

/** @throws Error if unauthenticated. Rules with an owner are never allowed for unauthenticated callers. */
export function principalOf(identity: Identity): Principal {
  if (identity.kind === 'unauthenticated') throw new Error('unreachable: an unauthenticated caller gets 401')
  return identity
}

/** The owner for data that belongs to this identity. @throws Error if unauthenticated */
export function ownerOf(identity: Identity): Owner {
  const { authMethod, key, userId } = principalOf(identity)
  return { authMethod, key, userId }
}

/** The owner as one text, for an index; differs for two users with the same name. */
export const ownerText = ({ authMethod, key, userId }: Owner): string =>
  userId === null ? `${authMethod} ${key}` : `id ${userId}`

export const isOwner = (one: Owner, owner: Owner): boolean =>
  one.authMethod === owner.authMethod && one.key === owner.key && one.userId === owner.userId

/** The name for admins, who have to recognize a user by it: with the proxy's own name, if the user has one. */
export const nameForAdmins = ({ name, displayName }: Principal): string =>
  displayName === undefined || displayName === name ? name : `${displayName} (${name})`

/**
 * The name for other programs, which know users by it alone (PROXY-14): of an identity provider's user the key, because the
 * name can be that of any local user (OIDC-2).
 */
export const nameForPrograms = ({ authMethod, key, name }: Principal): string => (authMethod === 'oidc' ? key : name)

/**
 * The id of a database user; undefined for any other caller. Only database users have sessions. What a caller changes of
 * their own account is found by it: the name can be that of a later user by then.
 */
export const databaseIdOf = (identity: Identity): string | undefined =>
  identity.kind === 'authenticated' ? (identity.userId ?? undefined) : undefined

/** The token, screen or link by which the caller was authenticated; undefined: the caller signed in. */
export const credentialOf = (identity: Identity): LimitedCredential | undefined =>
  identity.kind === 'authenticated' ? identity.credential : undefined

/** The id of the caller's session; undefined without one. */
export const sessionOf = (identity: Identity): string | undefined =>
  identity.kind === 'authenticated' ? identity.session : undefined

/** Where a name comes from. The proxy's `bob` is not the database's `bob`. */
export type AuthMethod = 'password' | 'proxy' | 'inside'

/** Somebody, as kept beside what is theirs: the source and the name, in lower case where names are compared so. */
export interface Owner {
  readonly source: AuthMethod
  readonly key: string
  /** The id of a user of the database: one who is made again under an old name has another. null: of another source. */
  readonly userId: string | null
}

/** Who is asking. */
export type Identity =
  | { readonly kind: 'stranger' }
  | {
      readonly kind: 'known'
      readonly source: AuthMethod
      /** As shown. */
      readonly name: string
      /** As compared: lower case for database users, exact for a proxy's. */
      readonly key: string
      /** The id of a user of the database; null: of another source. */
      readonly userId: string | null
      /** undefined: somebody whom no role fits. */
      readonly role: string | undefined
      /** The session that the token points at; undefined where there is none. */
      readonly session: string | undefined
    }

export type Principal = Extract<Identity, { kind: 'known' }>

export const unauthenticated: Identity = { kind: 'stranger' }

/** Every request on the inside port is this one. */
export const internalAdmin: Principal = {
  kind: 'known',
  source: 'inside',
  name: 'anonymous',
  key: 'anonymous',
  userId: null,
  role: 'admin',
  session: undefined,
}

/** @throws Error for a stranger, whom no route lets as far as to what is somebody's. */
export function known(identity: Identity): Principal {
  if (identity.kind === 'stranger') throw new Error('unreachable: a stranger is answered 401')
  return identity
}

/** As of what is kept for them. @throws Error for a stranger */
export function ownerOf(identity: Identity): Owner {
  const { source, key, userId } = known(identity)
  return { source, key, userId }
}

export const isOwner = (identity: Principal, owner: Owner): boolean =>
  identity.source === owner.source && identity.key === owner.key && identity.userId === owner.userId

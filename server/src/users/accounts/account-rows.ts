import { sql, type Selectable } from 'kysely'
import type { DeletedRoleTable, SessionTable, UserTable } from '../../store/tables.ts'
import type { CachedUser, PasswordOrigin, User } from '../user.ts'
import type { RoleDeletionNote } from './account-store.ts'
import type { CachedSession, Session } from './session.ts'

/** Password origins, in the order of their numbers in a row. */
export const passwordOrigins: readonly PasswordOrigin[] = ['own', 'printed', 'given']

/** The columns of a {@link CachedUser}. */
export const cachedUserColumns = [
  'id',
  'name',
  'key',
  'role',
  'credential_version',
  'password_set_at',
  'password_origin',
  'created_at',
  'last_login_at',
  'disabled',
  'expires_at',
  'has_factor',
  'factor_version',
  'factors_reset_by',
  'factors_reset_at',
  'issuer',
  'subject',
  'recheck_at',
] as const satisfies readonly (keyof UserTable)[]

export const userRow = (user: User): Selectable<UserTable> => ({
  id: user.id,
  name: user.name,
  key: user.key,
  role: user.role,
  password_hash: user.passwordHash,
  credential_version: user.credentialVersion,
  password_set_at: user.passwordSetAt,
  password_origin: passwordOrigins.indexOf(user.passwordOrigin),
  created_at: user.createdAt,
  last_login_at: user.lastLoginAt,
  disabled: user.disabled ? 1 : 0,
  expires_at: user.expiresAt,
  has_factor: user.hasFactor ? 1 : 0,
  factor_version: user.factorVersion,
  factors_reset_by: user.factorReset?.by ?? null,
  factors_reset_at: user.factorReset?.at ?? null,
  issuer: user.provider?.issuer ?? null,
  subject: user.provider?.subject ?? null,
  recheck_at: user.provider?.recheckAt ?? null,
})

export const cachedUserFrom = (row: Pick<Selectable<UserTable>, (typeof cachedUserColumns)[number]>): CachedUser => ({
  id: row.id,
  name: row.name,
  key: row.key,
  role: row.role,
  credentialVersion: row.credential_version,
  passwordSetAt: row.password_set_at,
  passwordOrigin: passwordOrigins[row.password_origin] ?? 'given',
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
  disabled: row.disabled === 1,
  expiresAt: row.expires_at,
  hasFactor: row.has_factor === 1,
  factorVersion: row.factor_version,
  factorReset:
    row.factors_reset_by === null || row.factors_reset_at === null
      ? null
      : { by: row.factors_reset_by, at: row.factors_reset_at },
  provider:
    row.issuer === null || row.subject === null
      ? null
      : // Without a time the provider is overdue.
        { issuer: row.issuer, subject: row.subject, recheckAt: row.recheck_at ?? 0 },
})

export const userFrom = (row: Selectable<UserTable>): User => ({
  ...cachedUserFrom(row),
  passwordHash: row.password_hash,
})

/** The columns of a {@link CachedSession}. */
export const cachedSessionColumns = [
  'id',
  'user_id',
  'credential_version',
  'created_at',
  'last_seen_at',
  'expires_at',
  'confirmed_at',
  // Without a time the provider is overdue.
  sql<number | null>`case when provider_token is not null then coalesce(recheck_at, 0) end`.as('recheck_at'),
] as const

export const sessionRow = (session: Session): Selectable<SessionTable> => ({
  id: session.id,
  user_id: session.userId,
  credential_version: session.credentialVersion,
  created_at: session.createdAt,
  last_seen_at: session.lastSeenAt,
  expires_at: session.expiresAt,
  address: session.address,
  user_agent: session.userAgent.replaceAll('\0', ''),
  confirmed_at: session.confirmedAt,
  provider_sid: session.provider?.sid ?? null,
  provider_token: session.provider?.token ?? null,
  id_token: session.provider?.idToken ?? null,
  recheck_at: session.provider?.recheckAt ?? null,
  recheck_lease: null,
})

type CachedSessionRow = Pick<
  Selectable<SessionTable>,
  'id' | 'user_id' | 'credential_version' | 'created_at' | 'last_seen_at' | 'expires_at' | 'confirmed_at' | 'recheck_at'
>

export const cachedSessionFrom = (row: CachedSessionRow): CachedSession => ({
  id: row.id,
  userId: row.user_id,
  credentialVersion: row.credential_version,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  confirmedAt: row.confirmed_at,
  provider: row.recheck_at === null ? null : { recheckAt: row.recheck_at },
})

export const sessionFrom = (row: Selectable<SessionTable>): Session => ({
  ...cachedSessionFrom(row),
  address: row.address,
  userAgent: row.user_agent,
  provider:
    row.provider_token === null
      ? null
      : {
          sid: row.provider_sid,
          token: row.provider_token,
          idToken: row.id_token ?? '',
          // Without a time the provider is overdue.
          recheckAt: row.recheck_at ?? 0,
        },
})

export const roleDeletionFrom = (row: Selectable<DeletedRoleTable>): RoleDeletionNote => ({
  role: row.role,
  owner: row.owner,
  at: row.deleted_at,
  by: JSON.parse(row.deleted_by) as RoleDeletionNote['by'],
})

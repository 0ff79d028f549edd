/** What is worth a line in the audit record. */
export type AuditAction =
  | 'login'
  | 'logout'
  | 'request'
  | 'user.create'
  | 'user.delete'
  | 'user.role'
  | 'user.password'
  | 'user.reassign'
  | 'role.set'
  | 'role.delete'
  | 'session.end'
  | 'recordings.delete'
  | 'review.delete'
  | 'config.save'
  | 'config.apply'
  | 'export.create'
  | 'export.rename'
  | 'export.cancel'
  | 'export.delete'

/** One line of the audit record, without its time and number, which the record gives. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly result: 'ok' | 'refused' | 'failed'
  /** Who: a user's name, or what was typed as one; null for nobody and for the service itself. */
  readonly user: string | null
  /** Where the name comes from; null where there is no name. */
  readonly source: 'password' | 'proxy' | 'inside' | null
  /** The originating address; null for the service itself. */
  readonly address: string | null
  /** What it was done to: a user, a role, a session, a camera, a route. */
  readonly target: string | null
  /** A few words more, for people. Never a secret. */
  readonly detail?: string
}

/** Who did what. Writing never fails the request that it tells of. */
export interface Audit {
  record(entry: AuditEntry): void
}

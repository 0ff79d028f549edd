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
  | 'role.missing'
  | 'role.confirm'
  | 'session.end'
  | 'recordings.delete'
  | 'review.delete'
  | 'camera.create'
  | 'camera.change'
  | 'camera.delete'
  | 'camera.motion'
  | 'recording.limits'
  | 'config.save'
  | 'config.apply'
  | 'export.create'
  | 'export.rename'
  | 'export.cancel'
  | 'export.delete'
  | 'config.read'
  | 'camera.test'
  | 'internal.use'
  | ReadAction

/** Seeing what cameras show or showed (AUD-3): live, recorded, as a file, as a picture. */
export const readActions = ['watch', 'playback', 'download', 'snapshot'] as const
export type ReadAction = (typeof readActions)[number]

/** A stretch of recorded time, Unix milliseconds. */
export interface RecordedRange {
  readonly start: number
  readonly end: number
}

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
  /** How often it happened, or how many it was done to; 1 where it is absent. */
  readonly count?: number
  /** Of a use: milliseconds that it has lasted. */
  readonly duration?: number
  /** Of a read: the recorded range that was seen, Unix milliseconds. */
  readonly start?: number
  readonly end?: number
}

/** Stands for the address where there are too many to name each. */
export const anyAddress = '::/0'

/** Who made a change, as the audit log names them. */
export type Actor = Pick<AuditEntry, 'user' | 'source' | 'address'>

/** The service itself. */
export const byTheService: Actor = { user: null, source: null, address: null }

/**
 * Who did what. A change to the database is not recorded here: its store takes the entry and inserts it in the
 * transaction of the change (AUD-1).
 */
export interface Audit {
  /**
   * Of a refusal or an attempt that failed (AUD-2): written soon, and never fails the request that it tells of. Those of
   * one minute with the same address (IPv6: /64), user, action, result and detail are one entry with a count; of a
   * known user only where `like` is the same, too. However many there are, they make a limited number of rows a day.
   *
   * @param like without it, the target.
   */
  record(entry: AuditEntry, like?: string): void
  /**
   * Of what goes on for a while: one entry for each continuous use (AUD-3). Reads are left out, unless `audit.reads`.
   *
   * @param range of the recording that is seen.
   * @returns a function to call when this part of the use is over.
   */
  use(entry: AuditEntry, range?: RecordedRange): () => void
  /**
   * Of a change to a file: resolves once the entry is in the database, and is awaited before the answer. Where the
   * database does not take it, it is tried again later, as with {@link record}.
   *
   * @throws ServiceError `unavailable`
   */
  commit(entry: AuditEntry): Promise<void>
  /**
   * Asked before a change to a file is made: whether its entry can be written.
   *
   * @throws ServiceError `unavailable`
   */
  ready(): Promise<void>
}

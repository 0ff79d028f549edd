import type { CameraKey } from '../camera/camera-keys.ts'

/** Actions in the audit log. */
export type AuditAction =
  | 'login'
  | 'logout'
  | 'request.denied'
  | 'user.create'
  | 'user.delete'
  | 'user.role'
  | 'user.status'
  | 'user.password'
  | 'user.reassign'
  | 'role.set'
  | 'role.delete'
  | 'camera-group.set'
  | 'camera-group.delete'
  | 'role.missing'
  | 'role.confirm'
  | 'session.revoke'
  | 'token.create'
  | 'token.revoke'
  | 'factor.add'
  | 'factor.rename'
  | 'factor.remove'
  | 'factor.reset'
  | 'recovery-code.use'
  | 'recovery-code.renew'
  | 'device.remember'
  | 'device.revoke'
  | 'account.confirm'
  | 'screen.create'
  | 'screen.connect'
  | 'screen.change'
  | 'screen.revoke'
  | 'invitation.create'
  | 'invitation.accept'
  | 'invitation.revoke'
  | 'password-reset.create'
  | 'password-reset.accept'
  | 'password-reset.revoke'
  | 'link.create'
  | 'link.revoke'
  | 'link.open'
  | 'recordings.delete'
  | 'review.delete'
  | 'camera.create'
  | 'camera.change'
  | 'camera.delete'
  | 'camera.motion'
  | 'camera.move'
  | 'instance.drain'
  | 'instance.undrain'
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

/** Reading video (AUD-3): live, recorded, as a file, as a snapshot. */
export const readActions = ['watch', 'playback', 'download', 'snapshot'] as const
export type ReadAction = (typeof readActions)[number]

export const isRead = ({ action }: Pick<AuditEntry, 'action'>): boolean => readActions.some((read) => read === action)

/** A range of recorded time, Unix milliseconds. */
export interface RecordedRange {
  readonly start: number
  readonly end: number
}

/** Names a credential of a user: the id is unique, the name is what its owner called it. */
export interface AuditCredential {
  readonly id: string
  readonly name: string
}

/** An entry of the audit log, without its time and id, which the log adds. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly result: 'success' | 'denied' | 'failure'
  /** Username, or the text entered as one; null for an unauthenticated caller and for the service itself. */
  readonly user: string | null
  /** Sign-in method, or kind of credential, that gave the name; `command`: of the command `gatehouse`, without a name. */
  readonly auth_method: 'password' | 'oidc' | 'proxy' | 'internal' | 'token' | 'screen' | 'link' | 'command' | null
  /** The API token, screen or link by which the user was authenticated, or the operating system's user who ran the command `gatehouse`; absent if there was none. */
  readonly credential?: AuditCredential
  /** The originating address; null for the service itself. */
  readonly address: string | null
  /** Object of the action: a user, a role, a session, a camera, a route. */
  readonly target: string | null
  /** Additional text for admins. Never a secret. */
  readonly detail?: string
  /** Number of occurrences, or of affected objects; 1 if absent. */
  readonly count?: number
  /** Duration of a use so far, milliseconds. */
  readonly duration?: number
  /** Recorded range of a read, Unix milliseconds. */
  readonly start?: number
  readonly end?: number
  /** Of a read: its user, as {@link ownerText} gives it. Not shown; usernames can be reused. */
  readonly owner?: string
  /** Of a read, an export or a share link: the camera's key. Not shown; camera names can be reused (CAM-4). */
  readonly camera?: CameraKey
}

/** Used as the address of an entry when there are too many addresses to list. */
export const anyAddress = '::/0'

/** The actor of a change in the audit log. */
export type Actor = Pick<AuditEntry, 'user' | 'auth_method' | 'credential' | 'address'>

/** The name of an actor, as the list of the configuration's versions shows it. */
export const nameOfActor = ({ user, credential, auth_method }: Actor): string =>
  user ?? credential?.name ?? auth_method ?? 'gatehouse'

/** The service itself. */
export const byTheService: Actor = { user: null, auth_method: null, address: null }

/**
 * Writes the audit log. A change to the database is not recorded here: its store inserts the entry in the transaction
 * of the change (AUD-1).
 */
export interface Audit {
  /**
   * Records a denied request or a failed attempt (AUD-2). Written soon after; never fails the request. Records within
   * one minute with the same address (IPv6: /64), user, action, result and detail become one entry with a count; those
   * of a known user only if `like` is the same, too. The number of rows per day is limited.
   *
   * @param like default: the target
   */
  record(entry: AuditEntry, like?: string): void
  /**
   * Records a use that lasts: one entry for each continuous use (AUD-3). Reads are recorded only with `audit.reads`.
   *
   * @param range recorded range that the user reads
   * @returns a function to call when this part of the use ends
   */
  use(entry: AuditEntry, range?: RecordedRange): () => void
  /**
   * Records a change to a file: resolves once the entry is in the database, and is awaited before the response. If the
   * database doesn't accept the entry, it is tried again later, as with {@link record}.
   *
   * @throws ServiceError `unavailable`
   */
  commit(entry: AuditEntry): Promise<void>
  /**
   * Checks, before a change to a file, that its entry can be written.
   *
   * @throws ServiceError `unavailable`
   */
  ready(): Promise<void>
}

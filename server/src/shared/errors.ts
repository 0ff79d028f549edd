import { textOf, type AnyCodedMessage, type ShownValues } from './coded-message.ts'
import { english } from './english.gen.ts'

/** Stable and public: clients and tests match on these, never on messages. */
export type ErrorCode =
  | 'invalid-request'
  | 'unsafe-path'
  | 'login-failed'
  | 'unauthenticated'
  | 'forbidden'
  | 'cross-origin'
  | 'wrong-password'
  | 'not-found'
  | 'method-not-allowed'
  | 'upgrade-required'
  | 'conflict'
  | 'precondition-failed'
  | 'precondition-required'
  | 'too-large'
  | 'unsupported-media-type'
  | 'misdirected'
  | 'too-many-attempts'
  | 'busy'
  | 'no-space'
  | 'unavailable'

/** Distinguishes failures with the same {@link ErrorCode}, with the values in the message. Stable and public. */
export interface Reasons {
  'no-role-from-proxy': null
  'role-deleted': null
  'no-such-user': null
  'no-such-role': null
  'no-such-session': null
  'no-such-camera': null
  'name-taken': null
  'camera-name-taken': null
  'role-name-taken': null
  'last-admin': null
  'password-changed': null
  'built-in-role': null
  'proxy-auth-enabled': null
  'proxy-secret-required': null
  'https-required': null
  'login-queue-full': null
  'no-password-check': null
  'connection-test-busy': null
  'snapshot-queue-full': null
  'no-picture': null
  'segment-expired': null
  'nothing-recorded': null
  'recording-deleted': null
  'no-thumbnail': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
  /** Bytes. `left` is null for a caller who can't see all exports. */
  'export-limit-own': { readonly needed: number; readonly left: number; readonly limit: number }
  'export-limit-all': { readonly needed: number; readonly left: number | null; readonly limit: number }
  /** Bytes. `free` is null for a caller who can't see all cameras. */
  'export-no-space': { readonly needed: number; readonly free: number | null }
  /** Limits of all users together, and of one user. */
  'too-many-exports': { readonly max: number }
  'too-many-own-exports': { readonly max: number }
  /** Limit of one user. */
  'too-many-streams': { readonly max: number }
  'too-many-export-changes': null
  'no-ffmpeg': null
  'no-such-export': null
  'export-not-done': null
  'export-ended': null
  'export-file-missing': null
  'database-unavailable': null
  'no-authority': null
  'config-problems': { readonly count: number }
  'config-not-editable': null
  /** `users`: the first thousand users who would have one of `roles`. */
  'orphaned-roles': { readonly roles: readonly string[]; readonly users: readonly string[] }
  'config-not-active': null
  'config-not-applied': null
  /** `error`: the system's error code, such as `EROFS`. */
  'config-not-written': { readonly error: string }
  'disk-full': { readonly error: string }
  'config-changed': null
  'role-changed': null
  'nothing-to-confirm': null
}

/** `shown`: the values as the English text shows them, if they aren't the same. */
type Reason =
  | { readonly reason?: undefined; readonly values?: undefined; readonly shown?: undefined }
  | {
      [Code in keyof Reasons]: Reasons[Code] extends null
        ? { readonly reason: Code; readonly values?: undefined; readonly shown?: undefined }
        : ShownValues<(typeof english.refusals)[Code], Reasons[Code]> extends [infer Values]
          ? { readonly reason: Code; readonly values: Reasons[Code]; readonly shown: Values }
          : { readonly reason: Code; readonly values: Reasons[Code]; readonly shown?: undefined }
    }[keyof Reasons]

/** A problem in a request or a file. `line` and `column` start at 1. */
export interface Problem extends AnyCodedMessage {
  readonly field: string
  readonly line?: number
  readonly column?: number
}

export type ErrorDetails = Reason & {
  /** Instead of the code's text: ERR-1 fixes it for a failed login. */
  readonly message?: 'Login failed'
  /** More about this case, after the text of the code: for programs and their authors. The web UI doesn't show it. */
  readonly note?: string | undefined
  /** For the log only. */
  readonly cause?: unknown
  /** Every problem found, for the caller. */
  readonly problems?: readonly Problem[]
  /** Whole seconds after which to try again; sent as `Retry-After`. */
  readonly retryAfter?: number
}

/** An expected failure. `message` is safe to show: the text of the reason, else of the code, and the note. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly reason: keyof Reasons | undefined
  readonly values: object | undefined
  readonly problems: readonly Problem[] | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    { cause, reason, values, shown, message, note, problems, retryAfter }: ErrorDetails = {},
  ) {
    const text = message ?? textOf(english.refusals, reason ?? code, shown ?? values)
    super(note === undefined ? text : `${text} ${note}`, { cause })
    this.code = code
    this.reason = reason
    this.values = values
    this.problems = problems
    this.retryAfter = retryAfter
  }
}

/** A request with an invalid field. */
export const invalidField = (field: string, problem: AnyCodedMessage, cause?: unknown): ServiceError =>
  invalidFields([{ field, ...problem }], cause)

/** A request with invalid fields. */
export const invalidFields = (problems: readonly Problem[], cause?: unknown): ServiceError =>
  new ServiceError('invalid-request', {
    cause,
    problems,
    note: problems.map(({ field, message }) => `${field}: ${message}`).join(' '),
  })

/** The service cannot start; the process prints `message` and ends with `status` (78: a configuration error). */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly status: number

  constructor(message: string, { status = 78, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

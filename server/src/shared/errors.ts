import { textOf, type AnyCodedMessage, type ShownValues } from './messages/coded-message.ts'
import { english } from './messages/english.gen.ts'

/** Stable and public: clients and tests match on these, never on messages. */
export type ErrorCode =
  | 'invalid-request'
  | 'unsafe-path'
  | 'login-failed'
  | 'second-factor-required'
  | 'unauthenticated'
  | 'confirm-required'
  | 'forbidden'
  | 'cross-origin'
  | 'wrong-password'
  | 'not-found'
  | 'method-not-allowed'
  | 'upgrade-required'
  | 'conflict'
  | 'gone'
  | 'precondition-failed'
  | 'precondition-required'
  | 'too-large'
  | 'unsupported-media-type'
  | 'misdirected'
  | 'too-many-attempts'
  | 'busy'
  | 'no-space'
  | 'unavailable'

/** Reasons that several features have. */
export interface SharedReasons {
  'no-such-user': null
  'no-such-camera': null
  'login-queue-full': null
  'database-unavailable': null
  'instance-unreachable': null
  'recordings-disk-missing': null
}

/** `shown`: the values as the English text shows them, if they aren't the same. */
type Reason<Reasons> =
  | { readonly reason?: undefined; readonly values?: undefined; readonly shown?: undefined }
  | {
      [Code in keyof Reasons & keyof typeof english.refusals]: Reasons[Code] extends null
        ? { readonly reason: Code; readonly values?: undefined; readonly shown?: undefined }
        : ShownValues<(typeof english.refusals)[Code], Reasons[Code]> extends [infer Values]
          ? { readonly reason: Code; readonly values: Reasons[Code] & object; readonly shown: Values }
          : { readonly reason: Code; readonly values: Reasons[Code] & object; readonly shown?: undefined }
    }[keyof Reasons & keyof typeof english.refusals]

/** A problem in a request or a file. `line` and `column` start at 1. */
export interface Problem extends AnyCodedMessage {
  readonly field: string
  readonly line?: number
  readonly column?: number
}

export type ErrorDetails<Reasons> = Reason<Reasons & SharedReasons> & {
  /** Instead of the code's text: ERR-1 fixes it for a failed login. */
  readonly message?: 'Login failed'
  /** More about this case, after the text of the code: for programs and their authors. The web UI doesn't show it. */
  readonly note?: string | undefined
  /** For the log only. */
  readonly cause?: unknown
  /** Every problem found, for the caller. */
  readonly problems?: readonly Problem[]
  /** More members of the response's body, for programs. */
  readonly extension?: Readonly<Record<string, unknown>>
  /** Whole seconds after which to try again; sent as `Retry-After`. */
  readonly retryAfter?: number
}

/**
 * An expected failure. `message` is safe to show: the text of the reason, else of the code, and the note.
 *
 * `Reasons`: what distinguishes failures with the same {@link ErrorCode}, with the values in the text. Each feature
 * declares its own, and `app/reasons.ts` has all of them. Stable and public.
 */
export class ServiceError<Reasons = object> extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly reason: string | undefined
  readonly values: object | undefined
  readonly problems: readonly Problem[] | undefined
  readonly extension: Readonly<Record<string, unknown>> | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    { cause, reason, values, shown, message, note, problems, extension, retryAfter }: ErrorDetails<Reasons> = {},
  ) {
    const text = message ?? textOf(english.refusals, reason ?? code, shown ?? values)
    super(note === undefined ? text : `${text} ${note}`, { cause })
    this.code = code
    this.reason = reason
    this.values = values
    this.problems = problems
    this.extension = extension
    this.retryAfter = retryAfter
  }
}

/** The code of the service's own errors; undefined for any other, whatever it has under that name. */
export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof ServiceError ? error.code : undefined

/** Whether an error says that the database or the disk is unavailable. */
export const isUnavailable = (error: unknown): boolean => codeOf(error) === 'unavailable'

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

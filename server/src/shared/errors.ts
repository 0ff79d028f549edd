/** Stable and public: clients and tests match on these, never on messages. */
export type ErrorCode =
  | 'invalid'
  | 'unsafe-path'
  | 'login-failed'
  | 'sign-in'
  | 'forbidden'
  | 'foreign-origin'
  | 'wrong-password'
  | 'not-found'
  | 'method-not-allowed'
  | 'upgrade-required'
  | 'conflict'
  | 'changed-meanwhile'
  | 'precondition-required'
  | 'too-large'
  | 'unsupported-media-type'
  | 'misdirected'
  | 'too-many-attempts'
  | 'busy'
  | 'unavailable'

/** One thing wrong with what was sent. `line` and `column` start at 1. */
export interface Problem {
  readonly field: string
  readonly message: string
  readonly line?: number
  readonly column?: number
}

export interface ErrorDetails {
  /** For the log only. */
  readonly cause?: unknown
  /** Every problem found, for the caller. */
  readonly problems?: readonly Problem[]
  /** Whole seconds after which to try again; sent as `Retry-After`. */
  readonly retryAfter?: number
}

/** A failure we expected. `message` is safe to show; what must stay in the log goes in `cause`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly problems: readonly Problem[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, { cause, problems, retryAfter }: ErrorDetails = {}) {
    super(message, { cause })
    this.code = code
    this.problems = problems
    this.retryAfter = retryAfter
  }
}

/** The service cannot start; the process prints `message` and ends with `status` (78: a configuration error). */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly status: number

  constructor(message: string, { status = 78, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Failures of the checks before a route, and of open streams. Reasons and the values in their texts are stable and public. */
export interface GateReasons {
  /** The instance lacks the job `gate`. */
  'serves-no-users': null
  'no-role-from-proxy': null
  'role-deleted': null
  /** GRANT-4: the role allows nothing at this time. */
  'outside-hours': null
  'role-not-yet-valid': null
  'role-expired': null
  /** MFA-2: the role requires a second factor, and the user has none. */
  'enrollment-required': null
  /** Limit of one user. */
  'too-many-streams': { readonly max: number }
  /** Limit of one user for the streams of a route. */
  'too-many-streams-of-kind': { readonly max: number }
  /** Limit of one user for changes of the account, API tokens and share links. */
  'too-many-own-changes': null
}

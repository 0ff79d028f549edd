/** Failures of the checks before a route, and of open streams. Reasons and the values in their texts are stable and public. */
export interface GateReasons {
  'no-role-from-proxy': null
  'role-deleted': null
  /** Limit of one user. */
  'too-many-streams': { readonly max: number }
}

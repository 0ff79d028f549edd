/** Failures of the configuration editor and the certificate. Reasons and the values in their texts are stable and public. */
export interface SystemReasons {
  'no-authority': null
  /** `users`: the first thousand users who would have one of `roles`. */
  'orphaned-roles': { readonly roles: readonly string[]; readonly users: readonly string[] }
}

/** Failures of users, roles and passwords. Reasons and the values in their texts are stable and public. */
export interface UserReasons {
  'no-such-role': null
  'name-taken': null
  'role-name-taken': null
  'last-admin': null
  'password-changed': null
  'built-in-role': null
  'no-password-check': null
  'role-changed': null
  'provider-user': null
}

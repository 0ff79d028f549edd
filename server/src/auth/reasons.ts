/** Failures of sign-in and sessions. Reasons and the values in their texts are stable and public. */
export interface AuthReasons {
  'no-such-session': null
  'proxy-auth-enabled': null
  'proxy-secret-required': null
  'https-required': null
}

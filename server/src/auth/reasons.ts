/** Failures of sign-in and sessions. Reasons and the values in their texts are stable and public. */
export interface AuthReasons {
  'no-such-session': null
  'proxy-auth-enabled': null
  /** OIDC-1: passwords are disabled. */
  'provider-only': null
  'proxy-secret-required': null
  'https-required': null
  'invalid-logout-token': null
  'no-such-token': null
  'too-many-tokens': { readonly max: number }
  'no-account': null
  'no-such-screen': null
  /** Of the second step of a sign-in, and of a confirmation. */
  'wrong-second-factor': null
  'login-expired': null
  'passkey-not-accepted': null
  'passkey-exists': null
  'no-passkeys-here': null
  'no-such-factor': null
  /** MFA-2: the role requires a second factor. */
  'factor-required': null
  'factors-elsewhere': null
  'wrong-totp-code': null
  'too-many-screens': { readonly max: number }
  'too-many-pairings': null
  'wrong-pairing-code': null
  'pairing-over': null
  'one-time-link-wrong': null
  'one-time-link-used': null
  'one-time-link-expired': null
  'one-time-link-ended': null
  'no-such-invitation': null
  'too-many-invitations': { readonly max: number }
  'no-such-link': null
  'too-many-links': { readonly max: number }
  'too-many-viewers': null
  /** Limit of one address. */
  'link-opened-too-often': null
  'nothing-to-share': null
  'export-not-finished': null
  'wrong-link': null
  'link-code-required': null
  'wrong-link-code': null
  'link-expired': null
  'link-revoked': null
  'link-used-up': null
  'link-locked': null
  'link-unavailable': null
}

/** Why a sign-in with the identity provider failed, as the service puts it into the login page's URL. */
const signInFailures = ['provider-unavailable', 'provider-denied', 'sign-in-expired', 'no-role', 'not-saved'] as const
export type SignInFailure = (typeof signInFailures)[number]

/** @param given from the URL, so possibly crafted by an attacker */
export const signInFailureIn = (given: unknown): SignInFailure | undefined =>
  signInFailures.find((failure) => failure === given)

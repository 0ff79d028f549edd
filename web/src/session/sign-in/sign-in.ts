import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { ApiError, jsonOf, send, sendJson, type SecondFactorChallenge } from '../../api/api.ts'
import type { LoginResponse, RequestBodies } from '../../../../server/src/api-types.ts'
import { dropPrefetched } from '../../api/ahead.ts'
import { requestPasskey } from '../factors/passkey.ts'

/** The result of a login. `until`: Unix milliseconds before which another attempt is useless. */
export type LoginResult =
  | { readonly kind: 'in'; readonly as: LoginResponse }
  | { readonly kind: 'second-factor'; readonly challenge: SecondFactorChallenge }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too-many'; readonly until: number | undefined }
  | { readonly kind: 'busy'; readonly until: number | undefined }
  /** The password was correct, but the browser rejected the session cookie. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'proxy' }
  | { readonly kind: 'network' }
  | { readonly kind: 'other'; readonly error: Error }

const signingIn = { signingIn: true } as const

export async function signIn(user: string, password: string): Promise<LoginResult> {
  try {
    return await resultOf(sendJson('POST /api/login', {}, { user, password }, signingIn))
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'other', error: error as Error }
    const { status, retryAfter, challenge, goTo } = error.failure
    if (challenge) return { kind: 'second-factor', challenge }
    const until = retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000
    if (goTo) return { kind: 'other', error }
    switch (status) {
      case 0:
        return { kind: 'network' }
      case 401:
        return { kind: 'wrong' }
      case 404:
        return { kind: 'proxy' }
      case 429:
        return { kind: 'too-many', until }
      case 503:
        return { kind: 'busy', until }
      default:
        return { kind: 'other', error }
    }
  }
}

/** Finishes a sign-in that waits for the second factor. @throws ApiError */
export const signInWithFactor = (proof: RequestBodies['POST /api/login/second-factor']): Promise<LoginResult> =>
  resultOf(sendJson('POST /api/login/second-factor', {}, proof, signingIn))

/** @throws ApiError, PasskeyNotUsed */
export async function signInWithPasskey(): Promise<LoginResult> {
  const assertion = await requestPasskey(await loginPasskeyOptions())
  return resultOf(sendJson('POST /api/login/passkey', {}, { assertion }, signingIn))
}

/** @param ticket undefined: for a sign-in with a passkey alone. @throws ApiError */
export const loginPasskeyOptions = (ticket?: string): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  jsonOf(sendJson('POST /api/login/passkey/options', {}, ticket === undefined ? {} : { ticket }, signingIn))

/** The result of a response that signs in. @throws ApiError */
export async function resultOf(response: Promise<Response>): Promise<LoginResult> {
  const as = await jsonOf<LoginResponse>(response)
  // Those from before the sign-in say that no one is signed in.
  dropPrefetched()
  return (await isKept()) ? { kind: 'in', as } : { kind: 'not-kept' }
}

/** Whether the browser accepted the session cookie, so that the next request is authenticated. Only a 401 means no; the next page handles any other failure. */
async function isKept(): Promise<boolean> {
  try {
    await send('api/profile', { signingIn: true })
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.failure.status === 401)
  }
}

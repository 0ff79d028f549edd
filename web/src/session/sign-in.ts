import { ApiError, jsonOf, send, sendJson } from '../api/api.ts'
import type { LoginResponse } from '../../../server/src/api-types.ts'

/** The result of a login. `until`: Unix milliseconds before which another attempt is useless. */
export type LoginResult =
  | { readonly kind: 'in'; readonly as: LoginResponse }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too-many'; readonly until: number | undefined }
  | { readonly kind: 'busy'; readonly until: number | undefined }
  /** The password was correct, but the browser rejected the session cookie. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'proxy' }
  | { readonly kind: 'network' }
  | { readonly kind: 'other'; readonly error: Error }

export async function signIn(user: string, password: string): Promise<LoginResult> {
  try {
    const as = await jsonOf<LoginResponse>(sendJson('POST /api/login', {}, { user, password }, { signingIn: true }))
    return (await isKept()) ? { kind: 'in', as } : { kind: 'not-kept' }
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'other', error: error as Error }
    const { status, retryAfter, goTo } = error.failure
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

/** Whether the browser accepted the session cookie, so that the next request is authenticated. Only a 401 means no; the next page handles any other failure. */
export async function isKept(): Promise<boolean> {
  try {
    await send('api/profile', { signingIn: true })
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.failure.status === 401)
  }
}

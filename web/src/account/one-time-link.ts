import { queryOptions } from '@tanstack/react-query'
import type { OpenedOneTimeLink } from '../../../server/src/api-types.ts'
import { ApiError, jsonOf, sendJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { resultOf, type LoginResult } from '../session/sign-in/sign-in.ts'

export type LinkKind = 'invitation' | 'reset'

/** An invitation or a password reset, as its URL says. */
export interface OneTimeLink {
  readonly kind: LinkKind
  readonly id: string
  /** Empty if the URL was cut off. */
  readonly secret: string
}

const openRoutes = {
  invitation: 'POST /api/invitations/:id/open',
  reset: 'POST /api/password-resets/:id/open',
} as const satisfies Record<LinkKind, string>

/** What the link is for, if it can be used. */
export const openedLinkQuery = ({ kind, id, secret }: OneTimeLink) =>
  queryOptions({
    queryKey: queryKeys.oneTimeLinks.opened(kind, id, secret),
    // Without a signal of its own, so that it's given up after the time that every change has.
    queryFn: () => jsonOf<OpenedOneTimeLink>(sendJson(openRoutes[kind], { id }, { secret }, { signingIn: true })),
    // Not again by itself: a wrong secret counts as a failed login.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })

/** What the person chose. */
export interface Chosen {
  /** undefined: the link names it. */
  readonly username: string | undefined
  readonly password: string
}

/** Sets the password, which uses up the link and signs in, or asks for the second factor. @throws ApiError */
export async function acceptLink(
  { kind, id, secret }: OneTimeLink,
  { username, password }: Chosen,
): Promise<LoginResult> {
  const call = { signingIn: true }
  const response =
    kind === 'invitation'
      ? sendJson(
          'POST /api/invitations/:id/accept',
          { id },
          { secret, password, ...(username !== undefined && { username }) },
          call,
        )
      : sendJson('POST /api/password-resets/:id/accept', { id }, { secret, password }, call)
  try {
    return await resultOf(response)
  } catch (error) {
    const challenge = error instanceof ApiError ? error.failure.challenge : undefined
    if (challenge) return { kind: 'second-factor', challenge }
    throw error
  }
}

const ends = {
  'one-time-link-wrong': 'wrong',
  'one-time-link-used': 'used',
  'one-time-link-expired': 'expired',
  'one-time-link-ended': 'ended',
} as const

/** Why the link can't be used; undefined for any other failure. */
export const endOf = (error: Error): (typeof ends)[keyof typeof ends] | undefined =>
  ends[reasonOf(error) as keyof typeof ends]

export const reasonOf = (error: Error): string | undefined =>
  error instanceof ApiError ? error.failure.reason?.code : undefined

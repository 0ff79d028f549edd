import { queryOptions, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { dropPrefetched } from '../api/ahead.ts'
import { fetchJson, profilePath } from '../api/api.ts'
import type { LoginMethods, Profile } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { setRecheckInterval } from '../api/renewed-socket.ts'
import { clearToasts } from '../ui/feedback/ToastArea.tsx'
import { dropCodes } from './new-codes.ts'
import { isSameUser } from './same-user.ts'
import { knownLength, renewalInterval } from './session-length.ts'

export const profileQuery = queryOptions({
  queryKey: queryKeys.profile,
  queryFn: async ({ signal, client }) => {
    const me = await fetchJson<Profile>(profilePath, { signal })
    setRecheckInterval(me.recheck_interval)
    const before = client.getQueryData<Profile>(queryKeys.profile)
    // Another tab can have signed in a different user, who must not see the previous user's data.
    if (before && !isSameUser(before, me)) {
      clearToasts()
      dropCodes()
      void client.resetQueries({ predicate: notProfile })
    }
    return me
  },
  staleTime: 30_000,
  // In the background too, for a wall display: these requests renew the session. While they fail, the page shows nothing
  // else, and access can come back.
  refetchInterval: ({ state: { status } }) => (status === 'error' ? 10_000 : renewalInterval(knownLength())),
  refetchIntervalInBackground: true,
})

/** The same for the login page, where 401 is an expected response. */
export const whoIsItQuery = queryOptions({
  queryKey: queryKeys.whoIsIt,
  queryFn: ({ signal }) => fetchJson<Profile>(profilePath, { signal, signingIn: true }),
  retry: false,
  gcTime: 0,
})

/** How users can sign in here. */
export const loginMethodsQuery = queryOptions({
  queryKey: queryKeys.loginMethods,
  queryFn: ({ signal }) => fetchJson<LoginMethods>('api/login/methods', { signal, signingIn: true }),
  retry: false,
})

let hasSignedOut = false

/** Notes that the user leaves this page to sign out, whatever the service says of a page that the browser keeps. */
export const noteSignOut = (): void => {
  hasSignedOut = true
}

/** Asks the service whether the user of this page is still signed in. */
export async function isStillSignedIn(queries: QueryClient): Promise<boolean> {
  if (hasSignedOut) return false
  const before = queries.getQueryData(profileQuery.queryKey)
  if (!before) return false
  await queries.cancelQueries({ queryKey: profileQuery.queryKey })
  const me = await queries.fetchQuery({ ...profileQuery, staleTime: 0, retry: false }).catch(() => undefined)
  return me !== undefined && isSameUser(before, me)
}

function dropOutsideCache(): void {
  dropPrefetched()
  clearToasts()
  dropCodes()
}

/** Drops everything of a user who has signed out: the next user must not see the previous user's data. */
export function forget(queries: QueryClient): void {
  dropOutsideCache()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== whoIsItQuery.queryKey[0] })
}

/**
 * The same for a page that stays open, whose own responses are requested again.
 *
 * @param isKept whether a response is already of the time after the sign-out
 */
export async function forgetAndRefetch(queries: QueryClient, isKept?: (query: Query) => boolean): Promise<void> {
  dropOutsideCache()
  const predicate = (query: Query) => !isKept?.(query)
  queries.removeQueries({ type: 'inactive', predicate })
  await queries.resetQueries({ type: 'active', predicate })
}

const notProfile = ({ queryKey: [first] }: Query) => first !== profileQuery.queryKey[0]

/** Drops responses cached under another role, and refetches those on screen. */
export function forgetRole(queries: QueryClient): void {
  dropPrefetched()
  queries.removeQueries({ type: 'inactive', predicate: notProfile })
  void queries.invalidateQueries({ predicate: notProfile })
}

export const SessionContext = createContext<Profile | null>(null)

/** The signed-in user. Only for pages inside <AppShell>, which renders them for signed-in users only. */
export function useMe(): Profile {
  const me = use(SessionContext)
  if (!me) throw new Error('useMe outside of <AppShell>')
  return me
}

/**
 * Whether the user of this render is still the one in this tab: asked after an `await`, before something of theirs is
 * shown outside the pages.
 */
export function useIsStillMe(): () => boolean {
  const me = useMe()
  const queries = useQueryClient()
  return () => {
    const now = queries.getQueryData(profileQuery.queryKey)
    return now !== undefined && isSameUser(me, now)
  }
}

/** The name to show for the signed-in user. */
export const shownName = ({ username, display_name: name = username }: Profile): string => name

/** Whether the user has sessions here and can have API tokens: not a proxy's, nor the internal port's. */
export const hasAccount = ({ auth }: Profile): boolean => auth === 'password' || auth === 'oidc'

/** The oldest recorded time that the user's role shows, Unix seconds; undefined: any. @param now Unix seconds */
export const oldestFor = ({ history_days: days }: Profile, now: number): number | undefined =>
  // The service rounds up to the minute.
  days === null ? undefined : now - days * 86_400 + 60

/** Whether to offer an action. The service checks again. */
export const useCan = (action: string): boolean => useMe().actions.includes(action)

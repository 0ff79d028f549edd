import { queryOptions, type Query, type QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { ask, profilePath } from '../shared/api.ts'
import type { Profile } from '../shared/api-types.ts'
import { queryKeys } from '../shared/query-keys.ts'
import { setRecheckInterval } from '../shared/renewed-socket.ts'
import { knownLength, renewalInterval } from './session-length.ts'

const isSame = (one: Profile, other: Profile): boolean => one.username === other.username && one.auth === other.auth

export const profileQuery = queryOptions({
  queryKey: queryKeys.profile,
  queryFn: async ({ signal, client }) => {
    const me = await ask<Profile>(profilePath, { signal })
    setRecheckInterval(me.recheck_interval)
    const before = client.getQueryData<Profile>(queryKeys.profile)
    // Another tab may have signed somebody else in: what the one could see is not the other's.
    if (before && !isSame(before, me))
      void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.profile[0] })
    return me
  },
  staleTime: 30_000,
  // Hidden too, for a wall display: these are the requests that renew the session.
  refetchInterval: () => renewalInterval(knownLength()),
  refetchIntervalInBackground: true,
})

/** The same for the login page, where nobody being signed in is an answer. */
export const whoIsItQuery = queryOptions({
  queryKey: queryKeys.whoIsIt,
  queryFn: ({ signal }) => ask<Profile>(profilePath, { signal, signingIn: true }),
  retry: false,
  gcTime: 0,
})

/** Drops all that was asked for: what one person could see is not the next one's. */
export const forget = (queries: QueryClient): void =>
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== whoIsItQuery.queryKey[0] })

const notProfile = ({ queryKey: [first] }: Query) => first !== profileQuery.queryKey[0]

/** Drops what one could see with another role; what is looked at is asked for anew. */
export function forgetRole(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive', predicate: notProfile })
  void queries.invalidateQueries({ predicate: notProfile })
}

export const SessionContext = createContext<Profile | null>(null)

/** Who is signed in. Only for pages inside the frame, which shows them to nobody else. */
export function useMe(): Profile {
  const me = use(SessionContext)
  if (!me) throw new Error('useMe outside of the frame')
  return me
}

/** Whether to offer something. The service decides again. */
export const useCan = (action: string): boolean => useMe().actions.includes(action)

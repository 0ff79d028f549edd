import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** How often a request is repeated. */
function retriesAfter({ failure: { status, goTo, reason } }: ApiError): number {
  if (goTo) return 0
  if (status === 0 || status >= 500) return 2
  // The users of a deleted role get another one a moment later (ROLE-7).
  return reason?.code === 'role-deleted' ? 1 : 0
}

/** Caches what the pages fetch. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A camera service is often reached without internet access, so the browser's online state is ignored.
        networkMode: 'always',
        retry: (tries, error) => error instanceof ApiError && tries < retriesAfter(error),
      },
      // What was sent can be a password and the response a token, so a form that closes leaves neither.
      mutations: { networkMode: 'always', gcTime: 1000 },
    },
  })

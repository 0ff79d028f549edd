import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OpenedLink } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { openLink } from './open-link.ts'
import { refusalOf, retryDelay, type Refusal } from './refusal.ts'

/** What the page of a link shows. */
export type LinkView = { readonly kind: 'opening' } | { readonly kind: 'open'; readonly link: OpenedLink } | Refusal

/** Opens a link, and finds out when and why it ends. */
export function useSharedLink(id: string) {
  /** The code that the viewer entered last. */
  const code = useRef<string>(undefined)
  const query = useQuery({
    queryKey: queryKeys.sharedLink(id),
    queryFn: ({ signal }) => openLink(id, code.current, signal),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { error, errorUpdateCount } }) =>
      (error && retryDelay(refusalOf(error), errorUpdateCount, 0)) ?? false,
  })
  // The query forgets why it failed while it asks again. The page says it until the next response.
  const [lastError, setLastError] = useState(query.error)
  if (query.error !== null && query.error !== lastError) setLastError(query.error)
  useEffect(() => {
    window.addEventListener('hashchange', openPasted)
    return () => window.removeEventListener('hashchange', openPasted)
  }, [])
  return {
    view: viewOf(query.data, query.error ?? (query.isPending ? lastError : null)),
    again: () => void query.refetch(),
    /** Rejects if it's the wrong code. */
    async enterCode(entered: string): Promise<void> {
      code.current = entered
      const { error } = await query.refetch()
      if (error && refusalOf(error).kind === 'code') throw error
    },
  }
}

/** Asks the service again whether an opened link still shows something; if the service doesn't respond, it does. */
export async function isStillOpen(queries: QueryClient, id: string): Promise<boolean> {
  const queryKey = queryKeys.sharedLink(id)
  await queries.refetchQueries({ queryKey })
  const { data, error = null } = queries.getQueryState<OpenedLink>(queryKey) ?? {}
  return viewOf(data, error).kind === 'open'
}

/**
 * A link that is pasted whole into a tab that shows it changes only the fragment, which loads nothing. The page begins
 * again, because the router numbers a history entry, in which the tab keeps the secret, only then.
 */
function openPasted(): void {
  if (window.location.hash.length > 1) window.location.reload()
}

/** A service that doesn't respond says nothing about a link that is open. */
function viewOf(link: OpenedLink | undefined, error: Error | null): LinkView {
  const refusal = error ? refusalOf(error) : undefined
  if (link && (!refusal || refusal.kind === 'away')) return { kind: 'open', link }
  return refusal ?? { kind: 'opening' }
}

import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { RemovedCamera } from '../../../../server/src/api-types.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** What an earlier camera with this name left behind; null if the name is new. */
export const removedCameraQuery = (name: string) =>
  queryOptions({
    queryKey: queryKeys.removedCamera(name),
    queryFn: ({ signal }) =>
      fetchJson<RemovedCamera>(`api/removed-cameras/${encodeURIComponent(name)}`, { signal }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.failure.status === 404) return null
          throw error
        },
      ),
    enabled: /^[A-Za-z0-9_-]{1,64}$/.test(name),
  })

/** An earlier camera had the name, and the user hasn't been asked yet what becomes of what it left behind. */
export class NotAskedYet extends Error {
  override readonly name = 'NotAskedYet'
}

/**
 * Waits for what is known of a name, because a form can be saved before it is (CAM-4).
 *
 * @param shownFor the name whose earlier camera the form has shown
 * @throws NotAskedYet, or why it isn't known
 */
export async function requireAsked(queries: QueryClient, name: string, shownFor: string | undefined): Promise<void> {
  if (shownFor !== name && (await queries.fetchQuery(removedCameraQuery(name)))) throw new NotAskedYet()
}

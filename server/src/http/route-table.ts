import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Route } from './route.ts'

/** A route and what its path's parameters are, decoded. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

/** How a path is matched; the same for the listeners and for the table that `/api/auth` asks. */
export const matching = { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 1024 } as const

/** Finds routes by the router that serves them, with the same options. */
export function createRouteTable(routes: readonly Route[]): (method: string, url: string) => Match | undefined {
  const router = findMyWay(matching)
  for (const route of routes) router.on([...route.methods], route.path, () => undefined, { route })
  return (method, url) => {
    const found = router.find(method as HTTPMethod, url)
    return found ? { route: (found.store as { route: Route }).route, params: found.params } : undefined
  }
}

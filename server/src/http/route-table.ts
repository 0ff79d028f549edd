import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Route } from './route.ts'

/** A route and what its path's parameters are, decoded. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, unknown>>
}

/**
 * How a path is matched; the same for the listeners and for the table that `/api/auth` asks.
 * No parameter is too long for it: the listeners take no more than this in all headers together, and whoever asks for
 * something long is asked who they are, as for anything else.
 */
export const matching = { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16 * 1024 } as const

/** A route's path for the router: a parameter is never empty, so that a slash at the end is another path (PATH-1). */
export const routerPath = (path: string): string => path.replaceAll(/:\w+/g, '$&(^[^]+$$)')

/** Finds routes by the router that serves them, with the same options. */
export function createRouteTable(routes: readonly Route[]): (method: string, url: string) => Match | undefined {
  const router = findMyWay(matching)
  for (const route of routes) router.on([...route.methods], routerPath(route.path), () => undefined, { route })
  return (method, url) => {
    const found = router.find(method as HTTPMethod, url)
    if (!found) return undefined
    const { store, params, searchParams } = found
    return { route: (store as { route: Route }).route, params, query: searchParams }
  }
}

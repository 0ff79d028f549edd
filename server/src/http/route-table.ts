import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Method, Route } from './route.ts'

/** A route, with the decoded path parameters and query of a request. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, unknown>>
}

/**
 * Router options, shared by the listeners and the table that `/api/auth` uses.
 * `maxParamLength` is the listeners' limit for all headers, so a long parameter never skips authentication.
 */
export const matching = { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16 * 1024 } as const

/** A route's path for the router. A parameter is never empty, so a path with a trailing slash is a different path (PATH-1). */
export const routerPath = (path: string): string => path.replaceAll(/:\w+/g, '$&(^[^]+$$)')

/** Finds routes with the same router and options that serve requests. The router is made when it is first needed. */
export function createRouteTable(routes: readonly Route[]): (method: string, url: string) => Match | undefined {
  let router: ReturnType<typeof routerOf> | undefined
  return (method, url) => {
    router ??= routerOf(routes)
    const found = router.find(method as HTTPMethod, url)
    if (!found) return undefined
    const { store, params, searchParams } = found
    return { route: (store as { route: Route }).route, params, query: searchParams }
  }
}

function routerOf(routes: readonly Route[]) {
  const router = findMyWay(matching)
  for (const route of routes) router.on([...route.methods], routerPath(route.path), () => undefined, { route })
  return router
}

/** Whether HEAD works where GET does: RFC 9110 9.2.1, it changes nothing. */
export const hasHead = ({ methods, sameOriginOnly }: Route): boolean => methods.includes('GET') && !sameOriginOnly

/** Finds the methods with a route at a request's target, HEAD included. */
export const methodsIn =
  (find: ReturnType<typeof createRouteTable>) =>
  (url: string): readonly string[] =>
    methods.flatMap((method) => {
      const route = find(method, url)?.route
      if (!route) return []
      return method === 'GET' && hasHead(route) ? ['GET', 'HEAD'] : [method]
    })

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

import type { APIResponse, Route } from 'playwright-core'

/**
 * What the service answers to a request that a test intercepts. Tried again if the service closed the kept-alive
 * connection at the moment of the request: Playwright, unlike a browser, doesn't do that by itself.
 */
export const fetched = (route: Route, options: { readonly url?: string } = {}): Promise<APIResponse> =>
  route.fetch({ maxRetries: 3, ...options })

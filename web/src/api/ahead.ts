declare global {
  /** Responses that `web/ahead.js` requested while this script was still loading, by path. */
  var gatehouseAhead: Map<string, Promise<Response>> | undefined
}

/** The prefetched response for a path: once, and for the first page only. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const answer = globalThis.gatehouseAhead?.get(path)
  globalThis.gatehouseAhead?.delete(path)
  return answer
}

/** Drops responses that were prefetched under another sign-in. */
export const dropPrefetched = (): void => globalThis.gatehouseAhead?.clear()

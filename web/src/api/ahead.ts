declare global {
  /** Responses that `web/ahead.js` requested while this script was still loading, by path. */
  var gatehouseAhead: Map<string, Promise<Response>> | undefined
}

/** `web/ahead.js` requests nothing if it loads after this script: no request would take its responses. */
const prefetched = (globalThis.gatehouseAhead ??= new Map<string, Promise<Response>>())

/** The prefetched response for a path: once, and for the first page only. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const response = prefetched.get(path)
  prefetched.delete(path)
  return response
}

/** Drops responses that were prefetched under another sign-in or role. */
export const dropPrefetched = (): void => prefetched.clear()

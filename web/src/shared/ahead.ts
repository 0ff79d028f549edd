declare global {
  /** What `web/ahead.js` asked for while this script was still on its way, by path. */
  var gatehouseAhead: Map<string, Promise<Response>> | undefined
}

/** The answer that was asked for ahead; once, and for the first page only. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const answer = globalThis.gatehouseAhead?.get(path)
  globalThis.gatehouseAhead?.delete(path)
  return answer
}

/** What was asked for as somebody else is of no use any more. */
export const dropAhead = (): void => globalThis.gatehouseAhead?.clear()

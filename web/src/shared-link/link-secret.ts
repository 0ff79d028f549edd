/** Where a tab keeps the secret. */
const key = 'linkSecret'

/**
 * The secret of the opened URL. It's removed from the address bar at once, so that neither a shared screen nor a copied
 * address gives it away. The tab's history entry keeps it, so that a reload opens the link again: the link's cookie makes
 * that the same viewer, without the code and without another use.
 */
export function takeSecret(): string | undefined {
  const { pathname, search, hash } = window.location
  const inUrl = hash.slice(1)
  if (inUrl !== '') window.history.replaceState({ ...stateNow(), [key]: inUrl }, '', pathname + search)
  const kept = stateNow()[key]
  return typeof kept === 'string' ? kept : undefined
}

const stateNow = (): Readonly<Record<string, unknown>> => {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null ? { ...state } : {}
}

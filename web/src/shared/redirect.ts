import { webAddress } from './web-address.ts'

/** Where an answer to an API call sends the page: an address, or somewhere that a script is not told (PROXY-12). */
export type Elsewhere = { readonly kind: 'address'; readonly url: URL } | { readonly kind: 'unseen' }

/** What to do about it. `link`: it was tried and came back, so let the person decide. */
export type Step =
  { readonly do: 'go'; readonly url: URL } | { readonly do: 'reload' } | { readonly do: 'link'; readonly url: URL }

export function elsewhere(response: Response, requested: URL): Elsewhere | undefined {
  if (response.type === 'opaqueredirect') return { kind: 'unseen' }
  if (response.status !== 401) return undefined
  const url = webAddress(response.headers.get('location'), requested)
  return url && { kind: 'address', url }
}

/**
 * The next step, given how often we were sent away lately.
 *
 * A redirect that a script may not read is met by asking for the page again: a proxy that guards the page redirects it
 * too. One that guards only the API lets the page pass, and is met on the way through the API.
 *
 * @param throughApi leads, once the proxy lets one through, from the API to the login page, and from there back here
 */
export function nextStep(to: Elsewhere, triedLately: number, throughApi: URL): Step {
  if (to.kind === 'address') return triedLately === 0 ? { do: 'go', url: to.url } : { do: 'link', url: to.url }
  if (triedLately === 0) return { do: 'reload' }
  return triedLately === 1 ? { do: 'go', url: throughApi } : { do: 'link', url: throughApi }
}

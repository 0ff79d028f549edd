/** Where a response to an API call redirects the page: a URL, or `unseen` if scripts can't read it (PROXY-12). */
export type Elsewhere = { readonly kind: 'address'; readonly url: URL } | { readonly kind: 'unseen' }

/** The next step. `link`: the redirect was tried and came back, so the user decides. */
export type Step =
  | { readonly do: 'go'; readonly url: URL }
  | { readonly do: 'reload' }
  | { readonly do: 'link'; readonly url: URL }

export function elsewhere(response: Response, requested: URL): Elsewhere | undefined {
  if (response.type === 'opaqueredirect') return { kind: 'unseen' }
  if (response.status !== 401) return undefined
  const url = webAddress(response.headers.get('location'), requested)
  return url && { kind: 'address', url }
}

/**
 * The next step, given how often the page was redirected recently.
 *
 * An opaque redirect reloads the page: a proxy that protects the page redirects it too. If the proxy protects only the
 * API, the page loads, and the next step goes through the API.
 *
 * @param throughApi once the proxy lets the user through, leads from the API to the login page and from there back here
 */
export function nextStep(to: Elsewhere, triedLately: number, throughApi: URL): Step {
  if (to.kind === 'address') return triedLately === 0 ? { do: 'go', url: to.url } : { do: 'link', url: to.url }
  if (triedLately === 0) return { do: 'reload' }
  return triedLately === 1 ? { do: 'go', url: throughApi } : { do: 'link', url: throughApi }
}

/** A URL that the page can be sent to; undefined for `javascript:` and similar, and for invalid URLs. */
export function webAddress(raw: string | null | undefined, relativeTo: string | URL): URL | undefined {
  if (!raw || !URL.canParse(raw, relativeTo)) return undefined
  const url = new URL(raw, relativeTo)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

import { webAddress } from './web-address.ts'

/** Where an answer to an API call sends the page: an address, or somewhere that a script is not told (PROXY-12). */
export type Elsewhere =
  { readonly kind: 'address'; readonly url: URL } | { readonly kind: 'unseen'; readonly asked: URL }

/** What to do about it. `link`: it was tried and came back, so let the person decide. */
export type Step =
  { readonly do: 'go'; readonly url: URL } | { readonly do: 'reload' } | { readonly do: 'link'; readonly url: URL }

export function elsewhere(response: Response, asked: URL): Elsewhere | undefined {
  if (response.type === 'opaqueredirect') return { kind: 'unseen', asked }
  if (response.status !== 401) return undefined
  const url = webAddress(response.headers.get('location'), asked)
  return url && { kind: 'address', url }
}

/**
 * The next step, given how often we were sent away lately.
 *
 * A redirect that a script may not read is met by asking for the page again: a proxy that guards the page redirects it
 * too. One that guards only the API lets the page pass, and is met by asking it for what it redirected.
 */
export function nextStep(to: Elsewhere, triedLately: number): Step {
  if (to.kind === 'address') return triedLately === 0 ? { do: 'go', url: to.url } : { do: 'link', url: to.url }
  if (triedLately === 0) return { do: 'reload' }
  return triedLately === 1 ? { do: 'go', url: to.asked } : { do: 'link', url: to.asked }
}

/** Milliseconds for which a redirect counts as tried. Longer than a proxy takes to send us straight back. */
const memory = 60_000
const key = 'gatehouse-redirects'

/** Moments of late redirects; undefined where the browser remembers nothing for us. */
function lately(now: number): number[] | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((at): at is number => typeof at === 'number' && now - at < memory) : []
  } catch {
    return undefined
  }
}

let leaving = false
let stuck: URL | undefined

/** Sends the page away, once. Answers the address to show as a link where that would loop; else never answers. */
export async function follow(to: Elsewhere): Promise<URL> {
  if (stuck) return stuck
  if (!leaving) {
    const now = Date.now()
    const tried = lately(now)
    // Without a memory we could not tell a loop: ask the person at once.
    const step = nextStep(to, tried?.length ?? Number.POSITIVE_INFINITY)
    if (step.do === 'link') return (stuck = step.url)
    leaving = true
    sessionStorage.setItem(key, JSON.stringify([...(tried ?? []), now]))
    if (step.do === 'reload') window.location.reload()
    else window.location.assign(step.url)
  }
  return new Promise<URL>(() => {})
}

import { urlOf } from '../lib/base.ts'
import { rememberPlace } from './place.ts'
import { elsewhere, nextStep, type Elsewhere } from './redirect.ts'

/**
 * A single sign-on returns to the URL whose request the proxy redirected, and an API response isn't a page to return to.
 * So this sends the proxy another request, to the one API URL that leads to a page.
 */
async function withWayBack(to: Elsewhere, throughApi: URL): Promise<Elsewhere> {
  if (to.kind === 'unseen') return to
  try {
    const response = await fetch(throughApi, { redirect: 'manual', credentials: 'same-origin', cache: 'no-store' })
    const better = elsewhere(response, throughApi)
    return better?.kind === 'address' ? better : to
  } catch {
    return to
  }
}

/** Milliseconds for which a redirect counts as tried; longer than a proxy takes to redirect straight back. */
const memory = 60_000
const key = 'gatehouse-redirects'

/** Times of recent redirects, Unix milliseconds; undefined if session storage is unavailable. */
function lately(now: number): number[] | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((at): at is number => typeof at === 'number' && now - at < memory) : []
  } catch {
    return undefined
  }
}

/** Stores the redirect times. @returns false if session storage is unavailable */
function keep(tried: readonly number[]): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(tried))
    return true
  } catch {
    return false
  }
}

/** Milliseconds after which a page that was told to leave counts as kept: its user wants to stay, for unsaved changes. */
export const timeToLeave = 15_000

/** Leaves the page. If that would loop, or the user stays, resolves to the URL to show as a link. */
async function leave(to: Elsewhere): Promise<URL> {
  const now = Date.now()
  const tried = lately(now)
  const throughApi = urlOf('api/login')
  // Without stored attempts a loop can't be detected: show the link immediately.
  const step = nextStep(await withWayBack(to, throughApi), tried?.length ?? Number.POSITIVE_INFINITY, throughApi)
  if (step.do === 'link') return step.url
  const link = step.do === 'go' ? step.url : throughApi
  if (!keep([...(tried ?? []), now])) return link
  if (step.do === 'reload') window.location.reload()
  else {
    rememberPlace()
    window.location.assign(step.url)
  }
  await new Promise((resolve) => setTimeout(resolve, timeToLeave))
  return link
}

let leaving: Promise<URL> | undefined

/** Leaves the page once, whichever calls were redirected: a user who stays isn't asked again by the next poll. */
export const redirectToSignIn = (to: Elsewhere): Promise<URL> => (leaving ??= leave(to))

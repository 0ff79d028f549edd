import { urlOf } from './base.ts'
import { rememberPlace } from './place.ts'
import { elsewhere, nextStep, type Elsewhere } from './redirect.ts'

/**
 * What a sign-on is told to come back to is what the proxy was asked for, and nobody wants to see an answer of the API.
 * So the proxy is asked once more, for the one address there that leads to a page.
 */
async function withWayBack(to: Elsewhere, throughApi: URL): Promise<Elsewhere> {
  if (to.kind === 'unseen') return to
  try {
    const answer = await fetch(throughApi, { redirect: 'manual', credentials: 'same-origin', cache: 'no-store' })
    const better = elsewhere(answer, throughApi)
    return better?.kind === 'address' ? better : to
  } catch {
    return to
  }
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

/** Whether the browser keeps them for us. */
function keep(tried: readonly number[]): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(tried))
    return true
  } catch {
    return false
  }
}

/** Sends the page away. Answers the address to show as a link where that would loop; else never answers. */
async function leave(to: Elsewhere): Promise<URL> {
  const now = Date.now()
  const tried = lately(now)
  const throughApi = urlOf('api/login')
  // Without a memory we could not tell a loop: ask the person at once.
  const step = nextStep(await withWayBack(to, throughApi), tried?.length ?? Number.POSITIVE_INFINITY, throughApi)
  if (step.do === 'link') return step.url
  if (!keep([...(tried ?? []), now])) return step.do === 'go' ? step.url : throughApi
  if (step.do === 'reload') window.location.reload()
  else {
    rememberPlace()
    window.location.assign(step.url)
  }
  return new Promise<URL>(() => {})
}

let leaving: Promise<URL> | undefined

/** The same for every call that is sent away: the page leaves once. */
export const follow = (to: Elsewhere): Promise<URL> => (leaving ??= leave(to))

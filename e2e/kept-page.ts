import type { Dialog, Page } from 'playwright-core'
import type { SeededService, Who } from './seeded-service.ts'
import type { PageState } from './pages/page-state.ts'
import { load, rest } from './browser.ts'
import { reset, resetLanguage } from './state-checks.ts'

/** A page with unsaved changes asks before it is left. */
const accept = (dialog: Dialog) => dialog.accept()

/** A page of the web UI that keeps nothing: a tab shows it between two states. */
interface EmptyPage {
  readonly path: string
  readonly title: string
}

/** The frame around every page with nothing in it; signed out, a link without its secret, which requests nothing. */
const emptyPageOf = (who: Who): EmptyPage =>
  who === 'signed-out'
    ? { path: '/s/none', title: 'This link doesn’t work' }
    : { path: '/no/such/page', title: 'Page not found' }

/** A tab that shows no state. */
export interface LeftPage {
  readonly page: Page
  /** The page it shows, from which another one can be opened as a link does; undefined: none. */
  readonly empty: EmptyPage | undefined
  /** Whether it has responses in its cache that were mocked. */
  readonly mocked: boolean
}

/**
 * Leaves a state, so that the tab can show another one: a new tab would start another process, and a new load would
 * compile all scripts again.
 *
 * @returns undefined if it can't, and is closed
 */
export async function leave(page: Page, state: PageState): Promise<LeftPage | undefined> {
  if (state.ownTab) {
    await page.evaluate(resetLanguage)
    await page.close()
    return undefined
  }
  const empty = emptyPageOf(state.who)
  const isEmpty = !state.ownLoad && (await leaveTo(page, empty))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (!isEmpty) {
    await page.evaluate(`sessionStorage.clear(); ${resetLanguage}`)
    // Ends its videos. From here, every address is loaded: from the same page with another `#`, it wouldn't be.
    page.on('dialog', accept)
    await page.goto('about:blank')
    page.off('dialog', accept)
  }
  await reset(page)
  return { page, empty: isEmpty ? empty : undefined, mocked: state.before !== undefined || state.mocksLater === true }
}

/**
 * Leaves the shown page as a link would, which keeps the scripts loaded.
 *
 * @returns whether nothing of that page is left; otherwise only a newly loaded page is as if just opened
 */
const leaveTo = (page: Page, { path, title }: EmptyPage): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    if (!document.getElementById('root')?.hasChildNodes()) return false
    sessionStorage.clear()
    ${resetLanguage}
    history.pushState(null, '', '${path}')
    if (!(await ${untilTitle(title, 5)})) return false
    await new Promise((done) => requestAnimationFrame(done))
    const left = '[role=dialog], [role=alert]:not(:has(h1)), [aria-expanded=true], body > :not(div, noscript, [aria-hidden=true])'
    return !document.querySelector(left)
  })()`)

/** Shows a state in a page that was left, and waits until it is idle. */
export async function showNext(left: LeftPage, at: SeededService, state: PageState): Promise<void> {
  const { page, empty, mocked } = left
  if (!empty || state.ownLoad) {
    await load(page, at, state)
    return
  }
  await state.before?.(page, at)
  if (mocked || state.before) await page.evaluate(forgetResponses(empty))
  await page.evaluate(`(async () => {
    const empty = document.querySelector('h1')
    history.pushState(null, '', ${JSON.stringify(state.path)})
    const stays = location.pathname === '${empty.path}'
    while (empty.isConnected && !stays) await new Promise((done) => requestAnimationFrame(done))
    // The next Tab starts where the focus was lost: at the start of the page.
    const start = document.createElement('span')
    start.tabIndex = -1
    document.body.prepend(start)
    start.focus()
    start.remove()
  })()`)
  await state.reach(page, at)
  await rest(page)
}

/** Expression that waits until the page has this title, at most some seconds. Its value is whether it has. */
const untilTitle = (title: string, seconds: number): string => `(async () => {
    const until = Date.now() + ${seconds * 1000}
    while (document.querySelector('h1')?.textContent !== '${title}') {
      if (Date.now() > until) return false
      await new Promise((done) => requestAnimationFrame(done))
    }
    return true
  })()`

/**
 * Script that empties the cache of responses, as a load does. What the shown page needs, it requests again.
 *
 * The cache is found as React's developer tools find it: the web UI gives it to no script outside.
 */
const forgetResponses = ({ title }: EmptyPage): string => `(async () => {
    const root = document.getElementById('root')
    const start = root[Object.keys(root).find((key) => key.startsWith('__reactContainer$'))]
    const cacheIn = (fiber) => fiber && (fiber.memoizedProps?.client ?? cacheIn(fiber.child) ?? cacheIn(fiber.sibling))
    const cache = cacheIn(start.stateNode.current)
    cache.removeQueries({ type: 'inactive' })
    await cache.resetQueries()
    if (!(await ${untilTitle(title, 60)})) throw new Error('the frame did not come back: ' + document.body.innerText)
  })()`

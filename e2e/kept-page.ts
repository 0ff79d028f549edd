import type { Dialog, Page } from 'playwright-core'
import type { SeededService } from './seeded-service.ts'
import type { PageState } from './pages/page-state.ts'
import { load, rest } from './browser.ts'
import { reset, resetLanguage } from './state-checks.ts'

/** A page with unsaved changes asks before it is left. */
const accept = (dialog: Dialog) => dialog.accept()

/** Shows nothing but the frame around every page. */
const emptyPath = '/no/such/page'

/** A tab that shows no state. */
export interface LeftPage {
  readonly page: Page
  /** Whether it shows the frame around every page, in which another one can be opened as a link does. */
  readonly hasFrame: boolean
}

/**
 * Leaves a state, so that the tab can show another one: a new tab would start another process.
 *
 * @returns undefined if it can't, and is closed
 */
export async function leave(page: Page, { ownTab, before, mocksLater }: PageState): Promise<LeftPage | undefined> {
  if (ownTab) {
    await page.evaluate(resetLanguage)
    await page.close()
    return undefined
  }
  // What was mocked for a page is still in its caches.
  const hasFrame = !before && !mocksLater && (await leaveToFrame(page))
  if (!hasFrame) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.evaluate(`sessionStorage.clear(); ${resetLanguage}`)
    // Ends its videos. From here, every address is loaded: from the same page with another `#`, it wouldn't be.
    page.on('dialog', accept)
    await page.goto('about:blank')
    page.off('dialog', accept)
  }
  await reset(page)
  return { page, hasFrame }
}

/**
 * Leaves the shown page as a link would, which keeps the scripts loaded.
 *
 * @returns whether nothing of that page is left; otherwise only a newly loaded page is as if just opened
 */
const leaveToFrame = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    if (!document.getElementById('content')) return false
    sessionStorage.clear()
    ${resetLanguage}
    history.pushState(null, '', '${emptyPath}')
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const until = Date.now() + 5000
    while (document.querySelector('#content h1')?.textContent !== 'Page not found') {
      if (Date.now() > until) return false
      await frame()
    }
    await frame()
    const left = '[role=dialog], [role=alert], [aria-expanded=true], body > :not(div, noscript)'
    return !document.querySelector(left)
  })()`)

/** Shows a state in a page that was left, and waits until it is idle. */
export async function showNext(left: LeftPage, at: SeededService, state: PageState): Promise<void> {
  const { page } = left
  if (!left.hasFrame || state.before) {
    await load(page, at, state)
    return
  }
  await page.evaluate(`(async () => {
    const empty = document.querySelector('h1')
    history.pushState(null, '', ${JSON.stringify(state.path)})
    const stays = location.pathname === '${emptyPath}'
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

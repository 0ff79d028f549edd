import type { Page } from 'playwright-core'
import type { SeededService } from './seeded-service.ts'
import type { PageState } from './pages/page-state.ts'
import { rest } from './browser.ts'

/** Shows nothing but the frame around every page. */
const emptyPath = '/no/such/page'

/**
 * Leaves the shown page as a link would, which keeps the scripts loaded.
 *
 * @returns whether nothing of that page is left; otherwise only a new page is as if just opened
 */
export const leave = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    if (!document.getElementById('content')) return false
    sessionStorage.clear()
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

/** Opens a state in a page that was left, and waits until it is idle. */
export async function showNext(page: Page, at: SeededService, state: PageState): Promise<void> {
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

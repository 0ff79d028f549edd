import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserOf, launch, open } from './browser.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { leave, showNext, type LeftPage } from './kept-page.ts'
import { checkState, phone } from './state-checks.ts'
import { startSeededService, type SeededService, type Who } from './seeded-service.ts'
import { pageStates } from './pages/page-states.ts'
import type { PageState } from './pages/page-state.ts'
import { program } from '../server/test/support/programs.ts'

const executablePath = program('chromium')

const stateNamed = (name: string) => {
  const state = pageStates.find((each) => each.name === name)
  if (!state) throw new Error(`pages/ has no ${name}`)
  return state
}

const namesOf = (matches: (state: PageState) => boolean) => pageStates.filter(matches).map(({ name }) => name)

describe.skipIf(!executablePath)('accessibility', () => {
  let browser: Browser
  let at: SeededService
  /**
   * What no test uses, by user: a context for each tab, because a chosen language is its context’s, and the tab to show
   * the next state in.
   */
  const idle = new Map<Who, { context: BrowserContext; left?: LeftPage }[]>()

  /** Shows a page in one of its states on a phone. The tab serves the next state, unless the test fails. */
  async function onPage(name: string, checks: (page: Page) => Promise<void>): Promise<void> {
    const state = stateNamed(name)
    const found = idle.get(state.who)?.pop()
    const context = found?.context ?? (await browserOf(browser, at, state.who, { viewport: phone }))
    try {
      const page = await shown(context, found?.left, state)
      await checks(page)
      const left = await leave(page, state)
      idle.set(state.who, [...(idle.get(state.who) ?? []), { context, ...(left && { left }) }])
    } catch (error) {
      await context.close()
      throw error
    }
  }

  async function shown(context: BrowserContext, left: LeftPage | undefined, state: PageState): Promise<Page> {
    if (!left || state.ownTab) {
      await left?.page.close()
      return open(context, at, state)
    }
    await showNext(left, at, state)
    return left.page
  }

  /** Checks a state in both sizes, color schemes and directions, magnified, in all languages, and by keyboard. */
  const check = (name: string): Promise<void> => onPage(name, (page) => checkState(page, stateNamed(name).onDesk))

  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
    at = await startSeededService({ tls: false })
  })
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  test.concurrent.each(namesOf(({ changesService }) => !changesService))('%s', check)
  test.each(namesOf(({ changesService }) => changesService === true))('%s', check)

  test.each([
    ['account-dialog', 'Sign out all others'],
    ['users-add', 'Add user'],
    ['user-delete', 'Delete user'],
    ['roles-add', 'Add role'],
    ['role-delete', 'Delete role'],
    ['cameras-add', 'Add camera'],
    ['cameras-remove', 'Remove Side yard'],
    ['tokens-revoke', 'Revoke Home Assistant'],
    ['screens-remove', 'Remove Reception'],
    ['instances-drain', 'Drain cellar'],
    ['config-differences', 'Review and save'],
  ])('%s closes with Escape and returns the focus to its opener', (name, opener) =>
    onPage(name, async (page) => {
      const dialog = page.getByRole('dialog')
      expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      const button = page.getByRole('button', { name: opener, exact: true })
      await expect.poll(() => button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    }),
  )

  test('the first Tab stop skips the menu', async () => {
    const context = await browserOf(browser, at, 'ada', { viewport: phone })
    const page = await open(context, at, stateNamed('users'))
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await context.close()
  })
})

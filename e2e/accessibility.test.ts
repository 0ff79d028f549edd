import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFinds } from './axe.ts'
import { browserOf, launch, open, untilRest } from './browser.ts'
import { stopAll } from '../server/test/harness.ts'
import { walk } from './keyboard.ts'
import { leave, showNext } from './kept-page.ts'
import { layoutFinds } from './layout.ts'
import { startSeededService, type SeededService, type Who } from './seeded-service.ts'
import { pageStates } from './pages/page-states.ts'
import type { PageState } from './pages/page-state.ts'
import { program } from '../server/test/programs.ts'

const executablePath = program('chromium')

const desktop = { width: 1440, height: 900 }
const phone = { width: 360, height: 800 }
const screens = { phone, desk: desktop }
/** 1280 CSS pixels at 400 % zoom, as in WCAG 1.4.10. */
const magnified = { width: 320, height: 640 }

const stateNamed = (name: string) => {
  const state = pageStates.find((each) => each.name === name)
  if (!state) throw new Error(`pages/ has no ${name}`)
  return state
}

const namesOf = (matches: (state: PageState) => boolean) => pageStates.filter(matches).map(({ name }) => name)

async function holds(screen: string, found: Promise<readonly string[]>): Promise<void> {
  // Joined, so that the findings appear in the test report.
  expect((await found).join('\n'), screen).toBe('')
}

/** Checks the page on a phone and a desktop, where it stays. */
async function checkSizes(page: Page): Promise<void> {
  await scrollUp(page)
  await holds('phone, light, axe', axeFinds(page))
  await choose(page, 'dark')
  await holds('phone, dark, axe', axeFinds(page, 'colors'))
  await checkLayout(page, 'phone')

  await page.setViewportSize(magnified)
  await holds('magnified', layoutFinds(page, 'width'))

  await page.setViewportSize(desktop)
  await scrollUp(page)
  await holds('desk, dark, axe', axeFinds(page, 'colors'))
  await checkLayout(page, 'desk')
  // A browser with text at twice the default size.
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await holds('letters twice as large', layoutFinds(page, 'width'))
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
}

async function checkLayout(page: Page, screen: string): Promise<void> {
  await holds(screen, layoutFinds(page, 'width', 'cut off', 'moving'))
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await holds(`${screen} from right to left`, layoutFinds(page, 'width'))
  await page.evaluate(`document.documentElement.dir = 'ltr'`)
}

async function choose(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await scrollUp(page)
}

/** Elements half under the top bar would count as smaller. */
async function scrollUp(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.evaluate(`scrollTo(0, 0); ${untilRest}`)
}

/** Checks the page in all languages, and leaves it in English on a desktop. */
async function checkLanguages(page: Page): Promise<void> {
  const turns = ['desk', 'phone', 'phone', 'desk'] as const
  for (const [at, tag] of ['de', 'es', 'fr', 'zh-Hans'].entries()) {
    await chooseLanguage(page, tag)
    // Every other language begins with the size that the one before ended with.
    for (const screen of at % 2 === 0 ? turns.slice(0, 2) : turns.slice(2)) {
      await page.setViewportSize(screens[screen])
      await holds(`${screen}, ${tag}`, layoutFinds(page, 'width', 'cut off'))
    }
  }
  await chooseLanguage(page, undefined)
}

/** Chooses a language as if in another tab, without reloading. undefined: the browser’s. */
const chooseLanguage = (page: Page, tag: string | undefined): Promise<unknown> =>
  page.evaluate(`(async () => {
    const key = 'gatehouse-language'
    ${tag === undefined ? 'localStorage.removeItem(key)' : `localStorage.setItem(key, '${tag}')`}
    dispatchEvent(new StorageEvent('storage', { key }))
    while (document.documentElement.lang !== '${tag ?? 'en'}') await new Promise((done) => requestAnimationFrame(done))
  })()`)

describe.skipIf(!executablePath)('accessibility', () => {
  let browser: Browser
  let at: SeededService
  /**
   * What no test uses, by user: a context for each page, because a chosen language is its context’s, and the page to
   * show the next state in.
   */
  const idle = new Map<Who, { context: BrowserContext; left?: Page }[]>()

  /** Shows a page in one of its states on a phone. The page serves the next state, unless the test fails. */
  async function onPage(name: string, checks: (page: Page) => Promise<void>): Promise<void> {
    const state = stateNamed(name)
    const found = idle.get(state.who)?.pop()
    const context = found?.context ?? (await browserOf(browser, at, state.who, { viewport: phone }))
    try {
      const page = await shown(context, found?.left, state)
      await checks(page)
      // What was mocked for a page is still in its caches.
      const kept = !state.before && !state.mocksLater && (await leave(page))
      if (!kept) await page.close()
      idle.set(state.who, [...(idle.get(state.who) ?? []), { context, ...(kept && { left: page }) }])
    } catch (error) {
      await context.close()
      throw error
    }
  }

  async function shown(context: BrowserContext, left: Page | undefined, state: PageState): Promise<Page> {
    if (left && !state.before) {
      await left.setViewportSize(phone)
      await showNext(left, at, state)
      return left
    }
    await left?.close()
    return open(context, at, state)
  }

  /** Checks a state in both sizes, color schemes and directions, magnified, in all languages, and by keyboard. */
  const check = (name: string): Promise<void> =>
    onPage(name, async (page) => {
      await checkSizes(page)
      await holds('keyboard', walk(page))
      await checkLanguages(page)
      await choose(page, 'light')
      await holds('desk, light, axe', axeFinds(page))
    })

  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
    at = await startSeededService({ tls: false })
  })
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  // One after another, these need no new page.
  test.concurrent.each(namesOf(({ changesService, before }) => !changesService && !before))('%s', check)
  test.concurrent.each(namesOf(({ changesService, before }) => !changesService && before !== undefined))('%s', check)
  test.each(namesOf(({ changesService }) => changesService === true))('%s', check)

  test.each([
    ['account-dialog', 'Sign out all others'],
    ['users-add', 'Add user'],
    ['user-delete', 'Delete user'],
    ['roles-add', 'Add role'],
    ['role-delete', 'Delete role'],
    ['cameras-add', 'Add camera'],
    ['cameras-remove', 'Remove Side yard'],
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

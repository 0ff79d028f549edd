import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFinds } from './axe.ts'
import { browserOf, launch, open, rest, turnAround } from './browser.ts'
import { stopAll } from '../server/test/harness.ts'
import { walk } from './keyboard.ts'
import { cutOff, moving, tooWide } from './layout.ts'
import { startSeededService, type SeededService, type Who } from './seeded-service.ts'
import { pageStates } from './pages/page-states.ts'
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

async function holds(screen: string, found: Promise<readonly string[]>): Promise<void> {
  // Joined, so that the findings appear in the test report.
  expect((await found).join('\n'), screen).toBe('')
}

async function checkSizesAndSchemes(page: Page): Promise<void> {
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      await page.locator('h1').first().waitFor()
      // Elements half under the top bar would count as smaller.
      await page.evaluate('scrollTo(0, 0)')
      await rest(page)
      await holds(`${screen}, ${colorScheme}, axe`, axeFinds(page, colorScheme === 'light' ? 'everything' : 'colors'))
    }
    await holds(`${screen}, width`, tooWide(page))
    await holds(`${screen}, cut off`, cutOff(page))
    await holds(`${screen}, moving`, moving(page))
  }
}

async function checkMagnified(page: Page): Promise<void> {
  // A browser with text at twice the default size.
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await rest(page)
  await holds('letters twice as large, width', tooWide(page))
  await page.evaluate(`document.documentElement.style.fontSize = ''`)

  await page.setViewportSize(magnified)
  await rest(page)
  await holds('magnified, width', tooWide(page))
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size)
    await turnAround(page)
    await holds(`${screen} from right to left, width`, tooWide(page))
  }
  await page.evaluate(`document.documentElement.removeAttribute('dir')`)
}

async function checkLanguages(page: Page): Promise<void> {
  for (const tag of ['de', 'es', 'fr', 'zh-Hans']) {
    await chooseLanguage(page, tag)
    for (const [screen, size] of Object.entries(screens)) {
      await page.setViewportSize(size)
      await rest(page)
      await holds(`${screen}, ${tag}, width`, tooWide(page))
      await holds(`${screen}, ${tag}, cut off`, cutOff(page))
    }
  }
  await chooseLanguage(page, undefined)
}

/** Chooses a language as if in another tab, without reloading. undefined: the browser’s. */
async function chooseLanguage(page: Page, tag: string | undefined): Promise<void> {
  await page.evaluate(`{
    const key = 'gatehouse-language'
    ${tag === undefined ? 'localStorage.removeItem(key)' : `localStorage.setItem(key, '${tag}')`}
    dispatchEvent(new StorageEvent('storage', { key }))
  }`)
  await page.locator(`html[lang="${tag ?? 'en'}"]`).waitFor({ state: 'attached' })
}

describe.skipIf(!executablePath)('accessibility', () => {
  let browser: Browser
  let at: SeededService
  /** Contexts without an open page, by user: a page that chooses a language does so for its whole context. */
  const idle = new Map<Who, BrowserContext[]>()

  /** Opens a page in one of its states, on a phone. */
  async function opened(name: string): Promise<Page> {
    const state = stateNamed(name)
    const context = idle.get(state.who)?.pop() ?? (await browserOf(browser, at, state.who, { viewport: phone }))
    return open(context, at, state)
  }

  /** Closes the page; its context and cache serve the next one. */
  async function close(page: Page, name: string): Promise<void> {
    const { who } = stateNamed(name)
    await page.close()
    idle.set(who, [...(idle.get(who) ?? []), page.context()])
  }

  /** Checks a state in both sizes, color schemes and directions, magnified, in all languages, and by keyboard. */
  async function check(name: string): Promise<void> {
    const page = await opened(name)
    await checkSizesAndSchemes(page)
    await checkMagnified(page)
    await holds('keyboard', walk(page))
    await checkLanguages(page)
    await close(page, name)
  }

  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
    at = await startSeededService({ tls: false })
  })
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  const [alone, others] = [true, false].map((value) =>
    pageStates.filter(({ changesService = false }) => changesService === value).map(({ name }) => name),
  ) as [string[], string[]]
  test.concurrent.each(others)('%s', check)
  test.each(alone)('%s', check)

  test.each([
    ['account-dialog', 'Sign out all others'],
    ['users-add', 'Add user'],
    ['user-delete', 'Delete user'],
    ['roles-add', 'Add role'],
    ['role-delete', 'Delete role'],
    ['cameras-add', 'Add camera'],
    ['cameras-remove', 'Remove Side yard'],
    ['config-differences', 'Review and save'],
  ])('%s closes with Escape and returns the focus to its opener', async (name, opener) => {
    const page = await opened(name)
    const dialog = page.getByRole('dialog')
    expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const button = page.getByRole('button', { name: opener, exact: true })
    await expect.poll(() => button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    await close(page, name)
  })

  test('the first Tab stop skips the menu', async () => {
    const page = await opened('users')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await close(page, 'users')
  })
})

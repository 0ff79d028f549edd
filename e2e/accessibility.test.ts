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

describe.skipIf(!executablePath)('accessibility', () => {
  let browser: Browser
  let at: SeededService
  const contexts = new Map<Who, BrowserContext>()

  /** Opens a page in one of its states, on a phone. */
  async function opened(name: string): Promise<Page> {
    const state = stateNamed(name)
    const known = contexts.get(state.who)
    const context = known ?? (await browserOf(browser, at, state.who, { viewport: phone }))
    contexts.set(state.who, context)
    return open(context, at, state)
  }

  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
    at = await startSeededService({ tls: false })
  })
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  test.each(pageStates.map(({ name }) => name))('%s', async (name) => {
    const page = await opened(name)
    for (const [screen, size] of Object.entries({ phone, desk: desktop })) {
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
    // A browser with text at twice the default size.
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await rest(page)
    await holds('letters twice as large, width', tooWide(page))
    await page.evaluate(`document.documentElement.style.fontSize = ''`)

    await page.setViewportSize(magnified)
    await rest(page)
    await holds('magnified, width', tooWide(page))
    for (const [screen, size] of Object.entries({ phone, desk: desktop })) {
      await page.setViewportSize(size)
      await turnAround(page)
      await holds(`${screen} from right to left, width`, tooWide(page))
    }
    await page.evaluate(`document.documentElement.removeAttribute('dir')`)

    const walked = await walk(page)
    expect(walked).toMatchObject({ missed: [], unseen: [], covered: [] })
    await page.close()
  })

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
    await page.close()
  })

  test('the first Tab stop skips the menu', async () => {
    const page = await opened('users')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    expect(await skip.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.close()
  })
})

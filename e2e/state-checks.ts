import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFinds } from './axe.ts'
import { untilRest } from './browser.ts'
import { walk } from './keyboard.ts'
import { layoutFinds, type LayoutCheck } from './layout.ts'
import { resize, type Size } from './page-size.ts'

export const phone: Size = { width: 360, height: 800 }
const desktop: Size = { width: 1440, height: 900 }
/** 1280 CSS pixels at 400 % zoom, as in WCAG 1.4.10. */
const magnified: Size = { width: 320, height: 640 }

const languages = ['de', 'es', 'fr', 'zh-Hans'] as const

/**
 * Checks a state in both sizes, color schemes and directions, magnified, with large letters, in all languages, and by
 * keyboard. Resizing, switching colors and switching languages cost most of the time, so that the order has few of
 * them. The page begins on a phone, light and in English, and ends on a phone, dark and in Chinese: see `reset`.
 *
 * Axe runs whole in each size, because a size shows other elements, and only the rules about colors in dark, because
 * color schemes differ in nothing else. Each of the four combinations has its run: a rule of a style sheet can depend
 * on both.
 */
export async function checkState(page: Page): Promise<void> {
  await resize(page, phone, 'reduced')
  await scrollUp(page)
  await holds('phone, light, axe', axeFinds(page))

  await resize(page, desktop, 'reduced')
  await scrollUp(page)
  await holds('desk, light, axe', axeFinds(page))
  await chooseColors(page, 'dark')
  await holds('desk, dark, axe', axeFinds(page, 'colors'))
  await checkLayout(page, 'desk')
  await withLargeLetters(page, () => holds('letters twice as large', layoutFinds(page, 'width')))
  await holds('keyboard', walk(page))

  await resize(page, phone, 'reduced')
  await scrollUp(page)
  await holds('phone, dark, axe', axeFinds(page, 'colors'))
  await checkLayout(page, 'phone')
  await resize(page, magnified, 'reduced')
  await holds('magnified', layoutFinds(page, 'width'))
  await checkLanguages(page)
}

/** Makes the page light again, and a phone painted in full. */
export async function reset(page: Page): Promise<void> {
  await resize(page, phone, 'in full')
  await page.emulateMedia({ colorScheme: 'light' })
}

async function holds(screen: string, found: Promise<readonly string[]>): Promise<void> {
  // Joined, so that the findings appear in the test report.
  expect((await found).join('\n'), screen).toBe('')
}

async function checkLayout(page: Page, screen: string): Promise<void> {
  await holds(screen, layoutFinds(page, 'width', 'cut off', 'moving'))
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await holds(`${screen} from right to left`, layoutFinds(page, 'width'))
  await page.evaluate(`document.documentElement.dir = 'ltr'`)
}

/** As in a browser with text at twice the default size. */
async function withLargeLetters(page: Page, check: () => Promise<void>): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await check()
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
}

/** Checks the page in all languages on a desktop and a phone. It ends in the last language, on a phone. */
async function checkLanguages(page: Page): Promise<void> {
  const both: readonly (readonly [string, Size])[] = [
    ['desk', desktop],
    ['phone', phone],
  ]
  const checks: readonly LayoutCheck[] = ['width', 'cut off']
  for (const [at, tag] of languages.entries()) {
    // Every other language begins with the size that the one before ended with.
    const [first, second] = at % 2 === 0 ? both.toReversed() : both
    if (at === 0) await resize(page, phone, 'reduced')
    await page.evaluate(chooseLanguage(tag))
    await holds(`${first![0]}, ${tag}`, layoutFinds(page, ...checks))
    await resize(page, second![1], 'reduced')
    await holds(`${second![0]}, ${tag}`, layoutFinds(page, ...checks))
  }
}

async function chooseColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await page.evaluate(untilRest)
}

/** Elements half under the top bar would count as smaller. */
async function scrollUp(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.evaluate(`scrollTo(0, 0); ${untilRest}`)
}

const languageKey = 'gatehouse-language'

/** Script that chooses a language as if in another tab, without reloading. */
const chooseLanguage = (tag: string): string => `(async () => {
    localStorage.setItem('${languageKey}', '${tag}')
    dispatchEvent(new StorageEvent('storage', { key: '${languageKey}' }))
    while (document.documentElement.lang !== '${tag}') await new Promise((done) => requestAnimationFrame(done))
  })()`

/** Script that goes back to the browser's language, which the page shows a little later. */
export const resetLanguage = `
    localStorage.removeItem('${languageKey}')
    dispatchEvent(new StorageEvent('storage', { key: '${languageKey}' }))`

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFinds } from './axe.ts'
import { untilRest } from './browser.ts'
import { walk } from './keyboard.ts'
import { layoutFinds, type LayoutCheck, type Screen } from './layout.ts'
import { resize, type Size } from './page-size.ts'
import type { PageState } from './pages/page-state.ts'

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
export async function checkState(page: Page, onDesk?: PageState['onDesk']): Promise<void> {
  await resize(page, phone, 'reduced')
  await scrollUp(page)
  await holds('phone, light, axe', axeFinds(page))

  await resize(page, desktop, 'reduced')
  await onDesk?.(page)
  await scrollUp(page)
  await holds('desk, light, axe', axeFinds(page))
  await chooseColors(page, 'dark')
  await holds('desk, dark, axe', axeFinds(page, 'colors'))
  await holds('desk', layoutFinds(page, inEnglish('desk'), mirrored('desk'), largeLetters))
  await holds('keyboard', walk(page))

  await resize(page, phone, 'reduced')
  await scrollUp(page)
  await holds('phone, dark, axe', axeFinds(page, 'colors'))
  await holds('phone', layoutFinds(page, inEnglish('phone'), mirrored('phone')))
  await resize(page, magnified, 'reduced')
  await holds('magnified', layoutFinds(page, { name: 'magnified', checks: ['width'] }))
  await resize(page, phone, 'reduced')
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

const inEnglish = (name: string): Screen => ({ name, checks: ['width', 'cut off', 'moving'] })

const mirrored = (screen: string): Screen => ({
  name: `${screen} from right to left`,
  change: `document.documentElement.dir = 'rtl'`,
  undo: `document.documentElement.dir = 'ltr'`,
  checks: ['width'],
})

/** As in a browser with text at twice the default size. */
const largeLetters: Screen = {
  name: 'letters twice as large',
  change: `document.documentElement.style.fontSize = '200%'`,
  undo: `document.documentElement.style.fontSize = ''`,
  checks: ['width'],
}

/** Checks the page in all languages on a phone and a desktop. It begins and ends on a phone, in the last language. */
async function checkLanguages(page: Page): Promise<void> {
  const sizes = { phone, desk: desktop }
  const checks: readonly LayoutCheck[] = ['width', 'cut off']
  for (const [at, tag] of languages.entries()) {
    // Every other language begins with the size that the one before ended with.
    const [first, second] = at % 2 === 0 ? (['phone', 'desk'] as const) : (['desk', 'phone'] as const)
    await holds(tag, layoutFinds(page, { name: `${first}, ${tag}`, change: chooseLanguage(tag), checks }))
    await resize(page, sizes[second], 'reduced')
    await holds(tag, layoutFinds(page, { name: `${second}, ${tag}`, checks }))
  }
}

async function chooseColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(`(async () => {
    const shows = () => document.documentElement.dataset.mantineColorScheme === '${colorScheme}'
    while (!shows()) await new Promise((done) => requestAnimationFrame(done))
    await ${untilRest}
  })()`)
}

/** Elements half under the top bar would count as smaller. */
async function scrollUp(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    while (!document.querySelector('h1')?.checkVisibility()) await new Promise((done) => requestAnimationFrame(done))
    scrollTo(0, 0)
    await ${untilRest}
  })()`)
}

const languageKey = 'gatehouse-language'

/** Script that chooses a language as if in another tab, without reloading, and waits until the page has it. */
const chooseLanguage = (tag: string): string => `
    localStorage.setItem('${languageKey}', '${tag}')
    dispatchEvent(new StorageEvent('storage', { key: '${languageKey}' }))
    while (document.documentElement.lang !== '${tag}') await new Promise((done) => requestAnimationFrame(done))`

/** Script that goes back to the browser's language, which the page shows a little later. */
export const resetLanguage = `
    localStorage.removeItem('${languageKey}')
    dispatchEvent(new StorageEvent('storage', { key: '${languageKey}' }))`

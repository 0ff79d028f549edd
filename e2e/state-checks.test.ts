import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from './browser.ts'
import { checkState, phone } from './state-checks.ts'
import { program } from '../server/test/support/programs.ts'

const executablePath = program('chromium')

/** A page without a fault that follows the color scheme and the chosen language as the web UI does. */
const faultless = `<!doctype html>
<html lang="en" data-mantine-color-scheme="light">
  <head>
    <title>Users</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>
      body { font: 16px sans-serif; color: #111; background: #fff }
      [data-mantine-color-scheme='dark'] body { color: #eee; background: #111 }
      button { padding: 12px }
      :focus-visible { outline: 3px solid #17c }
      @media (max-width: 999px) { .desk { display: none } }
      @media (min-width: 1000px) { .phone { display: none } }
    </style>
    <script>
      const dark = matchMedia('(prefers-color-scheme: dark)')
      const follow = () => (document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light')
      dark.addEventListener('change', follow)
      addEventListener('storage', ({ key }) => (document.documentElement.lang = localStorage.getItem(key) ?? 'en'))
    </script>
  </head>
  <body>
    <main>
      <h1>Users</h1>
      <p>Ada and Vera</p>
      <button id="add">Add</button> <button id="remove">Remove</button>
      <!-- fault -->
    </main>
  </body>
</html>`

const onPhone = '(max-width: 999px)'
const onDesk = '(min-width: 1000px)'
const dimmed = (query: string, scheme: string, color: string) =>
  `<style>@media ${query} { [data-mantine-color-scheme='${scheme}'] p { color: ${color} } }</style>`
const wide = (query: string, where: string) => `<style>@media ${query} { ${where} h1 { width: 2000px } }</style>`
const turning = (query: string) =>
  `<style>@keyframes turn { to { rotate: 1deg } } @media ${query} { p { animation: turn 1s infinite } }</style>`

describe.skipIf(!executablePath)('the checks of every page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
  })
  afterAll(() => browser.close())

  /** Shows the page with this fault. */
  async function withFault(fault: string, check: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { ...phone }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const body = faultless.replace('<!-- fault -->', () => fault)
    await page.route('http://users.test/', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto('http://users.test/')
    await check(page)
    await context.close()
  }

  test('find nothing on a page without a fault', () => withFault('', checkState))

  test.each([
    ['phone, light, axe', 'color-contrast', dimmed(onPhone, 'light', '#ccc')],
    ['phone, dark, axe', 'color-contrast', dimmed(onPhone, 'dark', '#333')],
    ['desk, light, axe', 'color-contrast', dimmed(onDesk, 'light', '#ccc')],
    ['desk, dark, axe', 'color-contrast', dimmed(onDesk, 'dark', '#333')],
    ['phone, light, axe', 'button-name', '<button class="phone"></button>'],
    ['desk, light, axe', 'button-name', '<button class="desk"></button>'],
    [
      'phone, light, axe',
      'target-size',
      `<style>@media ${onPhone} { button { all: unset; display: block; font: 9px/1 serif } }</style>`,
    ],
    ['magnified', 'width', wide('(max-width: 320px)', '')],
    ['letters twice as large', 'width', `<style>[style*='200%'] h1 { width: 2000px }</style>`],
    ['desk from right to left', 'width', wide(onDesk, '[dir=rtl]')],
    ['phone from right to left', 'width', wide(onPhone, '[dir=rtl]')],
    ...['de', 'es', 'fr', 'zh-Hans'].flatMap((tag): [string, string, string][] => [
      [`desk, ${tag}`, 'width', wide(onDesk, `[lang=${tag}]`)],
      [`phone, ${tag}`, 'width', wide(onPhone, `[lang=${tag}]`)],
    ]),
    [
      'phone, de',
      'cut off',
      `<style>@media ${onPhone} { [lang=de] p { width: 40px; overflow: hidden; white-space: nowrap } }</style>`,
    ],
    ['desk', 'moving', turning(onDesk)],
    ['phone', 'moving', turning(onPhone)],
    ['keyboard', 'missed', `<script>remove.onfocus = () => add.focus()</script>`],
    ['keyboard', 'unseen', '<style>#remove:focus-visible { outline: none }</style>'],
    ['keyboard', 'covered', '<header style="position: fixed; inset: 0 0 50% 0">Header</header>'],
  ])('find a fault that only “%s” shows: %s', (screen, problem, fault) =>
    withFault(fault, async (page) => {
      const found = await checkState(page).catch((error: unknown) => String(error))
      expect(found).toContain(`${screen}: `)
      expect(found).toContain(problem)
    }),
  )
})

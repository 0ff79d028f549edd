// Pictures of every page on a desk and on a phone, light and dark, into screenshots/; index.html there shows them all.
// A part of a page's name takes only those, as `npm run screenshots -- config`. `--language de`: in German.
// `--screen 820x1180`: in a window of that size. `--rtl`: as in a script from right to left.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { browserOf, launch, open, rest, turnAround } from '../server/test/browser.ts'
import { stopAll } from '../server/test/harness.ts'
import { liveIn } from '../server/test/lived-in.ts'
import { pageStates } from '../server/test/pages.ts'
import { program } from '../server/test/programs.ts'

interface Screen {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly deviceScaleFactor?: number
  readonly isMobile?: boolean
  readonly hasTouch?: boolean
}
const usual: Readonly<Record<string, Screen>> = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  wall: { viewport: { width: 3840, height: 2160 } },
}
const schemes = ['light', 'dark'] as const

const { values, positionals } = parseArgs({
  options: {
    rtl: { type: 'boolean', default: false },
    language: { type: 'string' },
    screen: { type: 'string' },
    scheme: { type: 'string' },
  },
  allowPositionals: true,
})
const wanted = pageStates.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)
const screens = values.screen === undefined ? usual : { [values.screen]: screenOf(values.screen) }
const chromium = program('chromium')
if (!chromium) throw new Error('Screenshots need Chromium.')

const folder = resolve(import.meta.dirname, '../screenshots')
mkdirSync(folder, { recursive: true })
const at = await liveIn()
const browser = await launch(chromium)
const failed: string[] = []
const taken: { readonly page: string; readonly screen: string; readonly scheme: string; readonly file: string }[] = []

/** What stays at the edge of the window stands at the end of the page, where the whole of it is shown. */
const unpinned = `
  scrollTo(0, 0)
  for (const element of document.querySelectorAll('body *')) {
    const { position, bottom } = getComputedStyle(element)
    if (position === 'sticky') element.style.position = 'static'
    if (position === 'fixed' && bottom === '0px') element.style.position = 'absolute'
  }
  document.body.style.position = 'relative'`

/** One of the usual, or a window of some size, as `820x1180`. */
function screenOf(name: string): Screen {
  const [width, height] = name.split('x').map(Number)
  const screen = usual[name] ?? (width && height ? { viewport: { width, height } } : undefined)
  if (!screen) throw new Error(`No screen is called ${name}.`)
  return screen
}

/** Every state is reached by English words, and then said in another language, as where another tab chose one. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate(`
    localStorage.setItem('gatehouse-language', '${language}')
    dispatchEvent(new StorageEvent('storage', { key: 'gatehouse-language' }))`)
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
}

for (const [screen, options] of Object.entries(screens)) {
  for (const colorScheme of schemes) {
    if (values.scheme && values.scheme !== colorScheme) continue
    for (const state of wanted) {
      if (screen === 'wall' && state.name !== 'live') continue
      const context = await browserOf(browser, at, state.who, { ...options, colorScheme })
      const file = `${state.name}-${screen}-${colorScheme}.png`
      try {
        const page = await open(context, at, state)
        if (values.language) await speak(page, values.language)
        if (values.rtl) await turnAround(page)
        await rest(page)
        // What lies over a page covers the window, not the whole page.
        const over = await page.getByRole('dialog').count()
        const fullPage = screen !== 'wall' && over === 0
        if (fullPage) await page.evaluate(unpinned)
        const path = join(folder, file)
        await page.screenshot({ path, fullPage, caret: 'hide' })
        taken.push({ page: state.name, screen, scheme: colorScheme, file })
      } catch (error) {
        failed.push(`${file}: ${String(error)}`)
      }
      await context.close()
    }
  }
}

const figures = wanted.map(({ name }) => {
  const pictures = taken.filter(({ page }) => page === name)
  const shown = pictures.map(
    ({ screen, scheme, file }) =>
      `<a href="${file}"><img loading="lazy" src="${file}" alt="${name}, ${screen}, ${scheme}"></a>`,
  )
  return `<h2>${name}</h2>\n<div>${shown.join('\n')}</div>`
})
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Gatehouse, every page</title>
<style>
  body { font: 16px system-ui; margin: 24px; background: #888 }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  img { height: 360px; object-fit: cover; object-position: top }
</style>
${figures.join('\n')}\n`,
)
await browser.close()
await stopAll()

console.log(`${taken.length} pictures are in ${folder}; index.html shows them all.`)
for (const line of failed) console.error(`FAILED: ${line}`)
process.exitCode = failed.length > 0 ? 1 : 0

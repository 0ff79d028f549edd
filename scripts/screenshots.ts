// Takes screenshots of every page, desktop and phone-sized, light and dark, into screenshots/; index.html shows them all.
// Part of a page's name selects pages: `npm run screenshots -- config`. `--language de`: in German.
// `--screen 820x1180`: in a window of that size. `--rtl`: with the layout of a right-to-left language.
// `--docs`: takes the screenshots of the documentation instead, into docs/images/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { browserOf, launch, open, rest, turnAround } from '../e2e/browser.ts'
import { docsImages, outlineFile, outlineOf, screens as usual, type Screen } from '../e2e/docs-images.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startSeededService } from '../e2e/seeded-service.ts'
import type { PageState } from '../e2e/pages/page-state.ts'
import { pageStates } from '../e2e/pages/page-states.ts'
import { program } from '../server/test/support/programs.ts'

interface Shot {
  readonly file: string
  readonly state: PageState
  readonly screen: string
  readonly options: Screen
  readonly colorScheme: 'light' | 'dark'
  /** Captures only the visible part of the page. */
  readonly windowOnly: boolean
}

const { values, positionals } = parseArgs({
  options: {
    rtl: { type: 'boolean', default: false },
    language: { type: 'string' },
    screen: { type: 'string' },
    scheme: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const chromium = program('fullChromium')
if (!chromium) throw new Error('Screenshots need Chromium.')

const folder = resolve(import.meta.dirname, values.docs ? '../docs/images' : '../screenshots')
const shots = values.docs ? docsShots() : everyShot()
mkdirSync(folder, { recursive: true })
const at = await startSeededService()
const browser = await launch(chromium)
const failed: string[] = []
const taken: Shot[] = []
const outlines: Record<string, readonly string[]> = {}

for (const shot of shots) {
  const context = await browserOf(browser, at, shot.state.who, { ...shot.options, colorScheme: shot.colorScheme })
  try {
    await take(await open(context, at, shot.state), shot)
    taken.push(shot)
  } catch (error) {
    failed.push(`${shot.file}: ${String(error)}`)
  }
  await context.close()
}
await browser.close()
await stopAll()

if (values.docs) writeFileSync(join(folder, outlineFile), `${JSON.stringify(outlines, undefined, 2)}\n`)
else writeFileSync(join(folder, 'index.html'), indexPage())
console.log(`${taken.length} screenshots are in ${folder}.${values.docs ? '' : ' index.html shows them all.'}`)
for (const line of failed) console.error(`FAILED: ${line}`)
process.exitCode = failed.length > 0 ? 1 : 0

function everyShot(): readonly Shot[] {
  const requested = pageStates.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  )
  const screens = Object.entries<Screen>(
    values.screen === undefined ? usual : { [values.screen]: sized(values.screen) },
  )
  const schemes = (['light', 'dark'] as const).filter((scheme) => !values.scheme || values.scheme === scheme)
  return screens.flatMap(([screen, options]) =>
    schemes.flatMap((colorScheme) =>
      requested
        .filter(({ name }) => screen !== 'wall' || name === 'live')
        .map((state) => {
          const file = `${state.name}-${screen}-${colorScheme}.png`
          return { file, state, screen, options, colorScheme, windowOnly: screen === 'wall' }
        }),
    ),
  )
}

function docsShots(): readonly Shot[] {
  return Object.entries(docsImages).map(([file, { state: name, screen, scheme, windowOnly = false }]) => {
    const state = pageStates.find((each) => each.name === name)
    if (!state) throw new Error(`pages/ has no ${name}.`)
    return { file, state, screen, options: usual[screen], colorScheme: scheme, windowOnly }
  })
}

async function take(page: Page, { file, windowOnly }: Shot): Promise<void> {
  if (values.language) await speak(page, values.language)
  if (values.rtl) await turnAround(page)
  // Snapshots load after the page. A page that polls never becomes idle.
  if (values.docs) await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await rest(page)
  outlines[file] = await outlineOf(page)
  // A dialog covers the window, not the whole page.
  const fullPage = !windowOnly && (await page.getByRole('dialog').count()) === 0
  if (fullPage) await page.evaluate(unpinned())
  await page.screenshot({ path: join(folder, file), fullPage, caret: 'hide' })
}

/** A script that moves elements pinned to an edge of the window to the end of the page, for a full-page screenshot. */
function unpinned(): string {
  return `
    scrollTo(0, 0)
    for (const element of document.querySelectorAll('body *')) {
      const { position, bottom } = getComputedStyle(element)
      if (position === 'sticky') element.style.position = 'static'
      if (position === 'fixed' && bottom === '0px') element.style.position = 'absolute'
    }
    document.body.style.position = 'relative'`
}

/** A common screen by name, or a window size, for example `820x1180`. */
function sized(name: string): Screen {
  const [width, height] = name.split('x').map(Number)
  const known = Object.entries<Screen>(usual).find(([key]) => key === name)?.[1]
  if (known) return known
  if (!width || !height) throw new Error(`No screen is called ${name}. There are ${Object.keys(usual).join(', ')}.`)
  return { viewport: { width, height } }
}

/** Pages are reached by their English texts; then the language changes, as when another tab changes it. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate(`
    localStorage.setItem('gatehouse-language', '${language}')
    dispatchEvent(new StorageEvent('storage', { key: 'gatehouse-language' }))`)
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
}

function indexPage(): string {
  const names = [...new Set(taken.map(({ state }) => state.name))]
  const figures = names.map((name) => {
    const screenshots = taken.filter(({ state }) => state.name === name)
    const shown = screenshots.map(
      ({ screen, colorScheme, file }) =>
        `<a href="${file}"><img loading="lazy" src="${file}" alt="${name}, ${screen}, ${colorScheme}"></a>`,
    )
    return `<h2>${name}</h2>\n<div>${shown.join('\n')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Gatehouse, every page</title>
<style>
  body { font: 16px system-ui; margin: 24px; background: #888 }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  img { height: 360px; object-fit: cover; object-position: top }
</style>
${figures.join('\n')}\n`
}

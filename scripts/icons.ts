// Draws web/public/icons/*.png from web/public/favicon.svg, with Chromium. Run it when the logo changes:
// node scripts/icons.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumArgs, program } from '../server/test/support/programs.ts'

const drawn = resolve(import.meta.dirname, '../web/public')
const mark = readFileSync(resolve(drawn, 'favicon.svg'), 'utf8')
/** For devices that crop icons to a shape: full bleed, with the logo inside the safe area of every shape. */
const whole = mark
  .replace(' rx="8"', '')
  .replace('<path', '<path transform="translate(16 16) scale(.8) translate(-16 -16)"')

const icons = [
  ['icon-192', 192, mark],
  ['icon-512', 512, mark],
  ['maskable-512', 512, whole],
  ['apple-touch-icon', 180, whole],
] as const

const browser = await chromium.launch({ executablePath: program('fullChromium') ?? '', args: [...chromiumArgs] })
const page = await browser.newPage()
for (const [name, size, svg] of icons) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`)
  writeFileSync(resolve(drawn, `icons/${name}.png`), await page.screenshot({ omitBackground: true }))
}
await browser.close()

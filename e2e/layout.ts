import type { Page } from 'playwright-core'
import { untilRest } from './browser.ts'

/** Scripts that find problems. */
const checks = {
  /** Elements that overflow the page horizontally. */
  width: `(() => {
    const root = document.documentElement
    const found = root.scrollWidth > root.clientWidth ? ['the page is ' + root.scrollWidth + ' wide, of ' + root.clientWidth] : []
    // Content of a scrolling or clipping element can be wider.
    const free = (element) => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== 'visible') return false
      }
      return true
    }
    for (const element of document.querySelectorAll('a, button, input, select, textarea, h1, h2, h3, p, td, th, dt, dd, li, code')) {
      const { left, right, width, height, bottom } = element.getBoundingClientRect()
      if (left >= -1 && right <= root.clientWidth + 1) continue
      if (width < 2 || height < 2 || bottom < 0 || !free(element)) continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.visually-hidden')) continue
      found.push(Math.round(left) + ' to ' + Math.round(right) + ': ' + element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 160))
    }
    return found
  })()`,
  /** Texts that are clipped by their container without an ellipsis. */
  'cut off': `(() => {
    const found = []
    for (const element of document.querySelectorAll('a, button, label, h1, h2, h3, p, td, th, dt, dd, li, span')) {
      if (element.clientWidth <= 1 || element.scrollWidth <= element.clientWidth + 1) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (!['hidden', 'clip'].includes(overflowX) || textOverflow === 'ellipsis') continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.visually-hidden, .cm-editor')) continue
      if (element.innerText.trim() !== '') found.push(element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 200))
    }
    return found
  })()`,
  /** Animations that still run with reduced motion, except camera video. */
  moving: `document.getAnimations()
    .filter((animation) => animation.playState === 'running' && animation.effect.getComputedTiming().duration > 20)
    .map(({ effect }) => effect.target.outerHTML.slice(0, 160))`,
}

export type LayoutCheck = keyof typeof checks

/** How a page is shown, as far as scripts in it can change that. */
export interface Screen {
  readonly name: string
  /** Script that changes the page. */
  readonly change?: string
  /** Script that changes it back. */
  readonly undo?: string
  readonly checks: readonly LayoutCheck[]
}

/** Shows the page in one way after another, and checks each as soon as it is at rest. @returns one line per problem */
export const layoutFinds = (page: Page, ...screens: readonly Screen[]): Promise<string[]> =>
  page.evaluate<string[]>(`(async () => {
    const found = []
    ${screens.map(scriptOf).join('\n')}
    return found
  })()`)

const scriptOf = ({ name: screen, change = '', undo = '', checks: names }: Screen): string => `
    ${change}
    await ${untilRest}
    found.push(${names.map((name) => `...${checks[name]}.map((found) => '${screen}: ${name}: ' + found)`).join()})
    ${undo}`

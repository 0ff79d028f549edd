import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options = {
  /** WCAG 2.2 A and AA, and axe's own best practices. */
  everything: {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'target-size': { enabled: true } },
  },
  /** The rules whose result depends on the color scheme. */
  colors: { resultTypes: ['violations'], runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
}

/** No rule here reads style sheets or frames, and no report shows selectors. */
const lean = { preload: false, iframes: false, selectors: false, elementRef: false }

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Runs axe on the page. @returns one line per violation */
export async function axeFinds(page: Page, about: keyof typeof options = 'everything'): Promise<string[]> {
  const run = () =>
    page.evaluate<readonly Violation[] | undefined>(
      `window.axe?.run(document, ${JSON.stringify({ ...options[about], ...lean })}).then(({ violations }) => violations)`,
    )
  let found = await run()
  if (!found) {
    await page.evaluate(axe)
    found = await run()
  }
  if (!found) throw new Error('the page does not run axe')
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.split('\n').at(1) ?? ''}`,
    ),
  )
}

import type { Page } from 'playwright-core'

/** What somebody meets who has only a keyboard. */
export interface Walk {
  /** What can be used, and Tab does not come to. */
  readonly missed: readonly string[]
  /** What does not show that it has the focus. */
  readonly unseen: readonly string[]
  /** What lies below something else while it has the focus. */
  readonly covered: readonly string[]
  readonly steps: number
}

/** In the page: what it takes to follow the focus. */
const eyes = `
  window.keyboardWalk ??= (() => {
    const usable = 'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]'
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
    const nameOf = (element) => element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 160)
    const parts = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'borderBottomColor', 'backgroundColor', 'textDecorationLine']
    const looksOf = (element) => {
      const styles = [getComputedStyle(element), getComputedStyle(element, '::after'), getComputedStyle(element, '::before')]
      if (element.nextElementSibling) styles.push(getComputedStyle(element.nextElementSibling))
      for (let at = element.parentElement, up = 0; at && up < 5; at = at.parentElement, up += 1) styles.push(getComputedStyle(at))
      return styles.map((style) => parts.map((part) => style[part]).join()).join(';')
    }
    return {
      seen: new Map(),
      wanted: () => {
        const dialog = [...document.querySelectorAll('[role=dialog]')].filter(shown).at(-1)
        return [...(dialog ?? document).querySelectorAll(usable)].filter(
          (element) =>
            element.tabIndex >= 0 && shown(element) && !element.closest('[inert]') &&
            // Of a group of radio buttons the chosen one is reached, and the arrows lead on.
            !(element.type === 'radio' && !element.checked))
      },
      step() {
        const element = document.activeElement
        if (!element || element === document.body) return 'out'
        // Within such a field Tab leads from its days to its months first.
        if (element === this.last && element.type === 'datetime-local') return 'on'
        this.last = element
        if (this.seen.has(element)) return 'round'
        const { left, top, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
        const over = at?.closest('header, nav')
        const covered = Boolean(over && !over.contains(element) && !element.contains(over) && element.clientHeight < innerHeight / 2)
        this.seen.set(element, { looks: looksOf(element), covered })
        return 'on'
      },
      end() {
        const missed = this.wanted().filter((element) => !this.seen.has(element)).map(nameOf)
        document.activeElement?.blur()
        const all = [...this.seen]
        return {
          missed,
          steps: all.length,
          unseen: all.filter(([element, { looks }]) => element.isConnected && looksOf(element) === looks).map(([element]) => nameOf(element)),
          covered: all.filter(([, { covered }]) => covered).map(([element]) => nameOf(element)),
        }
      },
    }
  })()`

/** Goes through the page with Tab, from its start until it comes round. */
export async function walk(page: Page): Promise<Walk> {
  await page.evaluate(eyes)
  await page.evaluate(`if (!document.querySelector('[role=dialog]')) document.activeElement?.blur()`)
  let outside = 0
  for (let at = 0; at < 400; at += 1) {
    // An editor takes Tab for itself until Escape is pressed.
    const inEditor = await page.evaluate(`document.activeElement?.matches('.cm-content') ?? false`)
    if (inEditor) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const where = await page.evaluate('window.keyboardWalk.step()')
    if (where === 'round') break
    if (where === 'out') outside += 1
    if (outside > 1) break
  }
  return page.evaluate<Walk>('window.keyboardWalk.end()')
}

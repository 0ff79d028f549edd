import type { Page } from 'playwright-core'

/** Problems that a keyboard user meets on a page. */
interface Walk {
  /** Usable elements that Tab does not reach. */
  readonly missed: readonly string[]
  /** Elements without a visible focus indicator. */
  readonly unseen: readonly string[]
  /** Elements that are covered by something else while focused. */
  readonly covered: readonly string[]
}

/** Script in the page that follows the focus. */
const focusTracker = `
  window.keyboardWalk = (() => {
    const usable = 'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]'
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
    const nameOf = (element) => element.outerHTML.replaceAll(/\\s+/g, ' ').slice(0, 160)
    const parts = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'borderBottomColor', 'backgroundColor', 'textDecorationLine']
    const styleOf = (element) => {
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
            // Tab reaches the checked radio button of a group; arrow keys reach the rest.
            !(element.type === 'radio' && !element.checked))
      },
      step() {
        const element = document.activeElement
        if (!element || element === document.body) return 'out'
        // In these kinds of fields, Tab moves through day, month, hour and so on first.
        if (element === this.last && ['datetime-local', 'time'].includes(element.type)) return 'on'
        this.last = element
        if (this.seen.has(element)) return 'round'
        const { left, top, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
        const over = at?.closest('header, nav')
        const covered = Boolean(over && !over.contains(element) && !element.contains(over) && element.clientHeight < innerHeight / 2)
        this.seen.set(element, { looks: styleOf(element), covered })
        // An editor uses Tab itself until Escape is pressed.
        return element.matches('.cm-content') ? 'editor' : 'on'
      },
      end() {
        const missed = this.wanted().filter((element) => !this.seen.has(element)).map(nameOf)
        document.activeElement?.blur()
        const all = [...this.seen]
        return {
          missed,
          unseen: all.filter(([element, { looks }]) => element.isConnected && styleOf(element) === looks).map(([element]) => nameOf(element)),
          covered: all.filter(([, { covered }]) => covered).map(([element]) => nameOf(element)),
        }
      },
    }
  })()`

const lines = (problem: string, elements: readonly string[]) => elements.map((element) => `${problem}: ${element}`)

/** Presses Tab through the page, from the start until the focus wraps around. @returns one line per problem */
export async function walk(page: Page): Promise<string[]> {
  await page.evaluate(focusTracker)
  await page.evaluate(`if (!document.querySelector('[role=dialog]')) document.activeElement?.blur()`)
  let outside = 0
  let inEditor = await page.evaluate<boolean>(`document.activeElement?.matches('.cm-content') ?? false`)
  for (let at = 0; at < 400; at += 1) {
    if (inEditor) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const where = await page.evaluate('window.keyboardWalk.step()')
    inEditor = where === 'editor'
    if (where === 'round') break
    if (where === 'out') outside += 1
    if (outside > 1) break
  }
  const { missed, unseen, covered } = await page.evaluate<Walk>('window.keyboardWalk.end()')
  return [...lines('missed', missed), ...lines('unseen', unseen), ...lines('covered', covered)]
}

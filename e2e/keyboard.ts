import type { Page } from 'playwright-core'
import { devToolsOf } from './page-size.ts'

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
    const walk = {
      seen: new Map(),
      /** Series of key presses in which the focus left the page. */
      outside: 0,
      leftInSeries: false,
      /** Whether the focus has wrapped around. */
      over: false,
      inEditor: Boolean(document.activeElement?.matches('.cm-content')),
      wanted: () => {
        const dialog = [...document.querySelectorAll('[role=dialog]')].filter(shown).at(-1)
        return [...(dialog ?? document).querySelectorAll(usable)].filter(
          (element) =>
            element.tabIndex >= 0 && shown(element) && !element.closest('[inert]') &&
            // Tab reaches the checked radio button of a group; arrow keys reach the rest.
            !(element.type === 'radio' && !element.checked))
      },
      missing() {
        return this.wanted().filter((each) => !this.seen.has(each))
      },
      /** What is missing now: the rest of the series moves the focus on, which can scroll and so show other buttons. */
      finish() {
        this.over = true
        this.missed = this.missing()
      },
      step() {
        const element = document.activeElement
        this.inEditor = false
        if (!element || element === document.body) {
          // The browser brings the focus back a little later, maybe after the next key.
          if (!this.leftInSeries) this.outside += 1
          this.leftInSeries = true
          if (this.outside > 1 && this.missing().length === 0) this.finish()
          return
        }
        // In these kinds of fields, Tab moves through day, month, hour and so on first.
        if (element === this.last && ['datetime-local', 'time'].includes(element.type)) return
        this.last = element
        if (this.seen.has(element)) {
          this.finish()
          return
        }
        const { left, top, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
        const over = at?.closest('header, nav, [data-pinned]')
        // What is behind a dialog that has just opened still has the focus for a moment.
        const isBehind = over?.closest('[role=dialog]') && !over.closest('[role=dialog]').contains(element)
        const covered = Boolean(over && !isBehind && !over.contains(element) && !element.contains(over) && element.clientHeight < innerHeight / 2)
        this.seen.set(element, { looks: styleOf(element), covered })
        // An editor uses Tab itself until Escape is pressed.
        this.inEditor = element.matches('.cm-content')
      },
      async nextSeries() {
        // On a slow machine, the focus stays outside for a while.
        if (this.leftInSeries && this.missing().length > 0) {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        }
        this.leftInSeries = false
        return { over: this.over, inEditor: this.inEditor, hasEditor: document.querySelector('.cm-content') !== null }
      },
      end() {
        removeEventListener('keyup', onKeyUp, true)
        const missed = (this.missed ?? this.missing()).map(nameOf)
        document.activeElement?.blur()
        const all = [...this.seen]
        return {
          missed,
          unseen: all.filter(([element, { looks }]) => element.isConnected && styleOf(element) === looks).map(([element]) => nameOf(element)),
          covered: all.filter(([, { covered }]) => covered).map(([element]) => nameOf(element)),
        }
      },
    }
    const onKeyUp = ({ key }) => {
      if (key === 'Tab' && !walk.over) walk.step()
    }
    addEventListener('keyup', onKeyUp, true)
    return walk
  })()`

interface WalkState {
  /** Whether the focus has wrapped around. */
  readonly over: boolean
  readonly inEditor: boolean
  readonly hasEditor: boolean
}

/** Presses a key some times, without waiting in between. */
async function press(page: Page, key: 'Tab' | 'Escape', times = 1): Promise<void> {
  const devTools = await devToolsOf(page)
  const code = { key, code: key, windowsVirtualKeyCode: key === 'Tab' ? 9 : 27 }
  const types = Array.from({ length: times }, () => ['rawKeyDown', 'keyUp'] as const).flat()
  await Promise.all(types.map((type) => devTools.send('Input.dispatchKeyEvent', { type, ...code })))
}

const lines = (problem: string, elements: readonly string[]) => elements.map((element) => `${problem}: ${element}`)

/** Presses Tab through the page, from the start until the focus wraps around. @returns one line per problem */
export async function walk(page: Page): Promise<string[]> {
  await page.evaluate(`
    if (!document.querySelector('[role=dialog]')) document.activeElement?.blur()
    ${focusTracker}`)
  const next = () => page.evaluate<WalkState>('window.keyboardWalk.nextSeries()')
  for (let { over, inEditor, hasEditor } = await next(), pressed = 0; !over && pressed < 400;) {
    if (inEditor) await press(page, 'Escape')
    const times = hasEditor ? 1 : 10
    await press(page, 'Tab', times)
    pressed += times
    ;({ over, inEditor } = await next())
  }
  const { missed, unseen, covered } = await page.evaluate<Walk>('window.keyboardWalk.end()')
  return [...lines('missed', missed), ...lines('unseen', unseen), ...lines('covered', covered)]
}

import type { Page } from 'playwright-core'

export interface Screen {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly deviceScaleFactor?: number
  readonly isMobile?: boolean
  readonly hasTouch?: boolean
}

/** Viewports of the screenshots, CSS pixels. */
export const screens = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  wall: { viewport: { width: 3840, height: 2160 } },
} as const satisfies Readonly<Record<string, Screen>>

export interface DocsImage {
  /** Name of the state in pages/. */
  readonly state: string
  readonly screen: keyof typeof screens
  readonly scheme: 'light' | 'dark'
  /** Captures only the viewport, not the whole page. */
  readonly windowOnly?: true
}

/** Every file of docs/images; `npm run screenshots -- --docs` writes them. */
export const docsImages: Readonly<Record<string, DocsImage>> = {
  'live.png': { state: 'live', screen: 'desk', scheme: 'light' },
  'phone.png': { state: 'live', screen: 'phone', scheme: 'dark', windowOnly: true },
  'history.png': { state: 'history', screen: 'desk', scheme: 'light' },
  'masks.png': { state: 'motion', screen: 'desk', scheme: 'light' },
  'access.png': { state: 'access-tried', screen: 'desk', scheme: 'light' },
  'role-delete.png': { state: 'role-delete', screen: 'desk', scheme: 'light' },
}

/** The outlines of the pages when the images were taken, next to the images. */
export const outlineFile = 'outlines.json'

/**
 * The text that identifies a page: headings, navigation links, labels and buttons. Omits text with digits, since
 * numbers and times differ from run to run. If an image's outline has changed since, the image shows an older UI.
 */
export async function outlineOf(page: Page): Promise<readonly string[]> {
  const words = await page.evaluate<string[]>(`
    [...document.querySelectorAll('h1, h2, h3, nav a, th, label, button, [role="tab"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => (element.getAttribute('aria-label') ?? element.textContent).trim())`)
  const steady = words.filter((text) => text !== '' && !/\d/.test(text))
  return [...new Set(steady)].toSorted()
}

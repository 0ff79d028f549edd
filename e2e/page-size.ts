import type { CDPSession, Page } from 'playwright-core'

export interface Size {
  readonly width: number
  readonly height: number
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** The page's session of the DevTools protocol, opened once. */
export function devToolsOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/**
 * Resizes a page without Playwright, which doesn't notice.
 *
 * A reduced page has the layout of the size in CSS pixels, and scripts and media queries see that size, but it is
 * painted at a tenth of it: painting would take almost half of the CPU time of a check that looks at no pixel. A
 * pointer wouldn't hit its elements, so that it has to be painted in full before the next click.
 *
 * What measures itself in a script follows when the page is at rest.
 */
export async function resize(page: Page, { width, height }: Size, painted: 'reduced' | 'in full'): Promise<void> {
  const devTools = await devToolsOf(page)
  await devTools.send('Emulation.setDeviceMetricsOverride', {
    mobile: false,
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor: 1,
    screenOrientation: { angle: 0, type: 'landscapePrimary' },
    ...(painted === 'reduced' && { scale: 0.1 }),
  })
  await page.evaluate(`(async () => {
    while (innerWidth !== ${width}) await new Promise((done) => requestAnimationFrame(done))
  })()`)
}

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import type { LivedIn, Who } from './seeded-service.ts'
import type { PageState } from './pages.ts'
import { chromiumArgs } from '../server/test/programs.ts'

export const launch = (executablePath: string, args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [...chromiumArgs, '--disable-gpu', '--disable-quic', '--disable-background-networking', ...args],
  })

/** A browser of `who`, signed in already. Nothing glides, so that what is seen has arrived. */
export async function browserOf(
  browser: Browser,
  { house, tokenOf }: LivedIn,
  who: Who,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  if (who !== 'nobody') {
    const cookie = { name: 'gatehouse_token', value: await tokenOf(who), url: house.gate.base, secure: true }
    await context.addCookies([{ ...cookie, httpOnly: true }])
  }
  return context
}

/** Opens a page in one of its states, at rest. */
export async function open(context: BrowserContext, at: LivedIn, state: PageState): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await state.before?.(page, at)
  await page.goto(`${at.house.gate.base}${state.path}`)
  await state.reach(page, at)
  await rest(page)
  return page
}

/** Until fonts, pictures and whatever moves only once are there. */
export const rest = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    await document.fonts.ready
    const pictures = [...document.images].filter((image) => image.src && image.loading !== 'lazy' && !image.complete)
    await Promise.race([
      Promise.all(pictures.map((image) => new Promise((done) => { image.onload = image.onerror = done }))),
      new Promise((done) => setTimeout(done, 5000)),
    ])
    const moving = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
    await Promise.race([
      Promise.allSettled(moving.map((animation) => animation.finished)),
      new Promise((done) => setTimeout(done, 2000)),
    ])
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })()`)

/** As in a script that is read from right to left. */
export async function turnAround(page: Page): Promise<void> {
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await rest(page)
}

/** Everything that a page holds, and what its browser keeps. */
export const wholeOf = (page: Page): Promise<string> =>
  page.evaluate(`[
    document.title,
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea, select')].map((field) => field.value),
    ...Object.entries(localStorage).flat(),
    ...Object.entries(sessionStorage).flat(),
    document.cookie,
  ].join('\\n')`)

/** Watches a playing picture from here on. @returns when it was gone from the page, or held nothing more (Unix ms) */
export async function stopOf(page: Page, video: string): Promise<() => Promise<number>> {
  await page.evaluate(`void (window.stopped = new Promise((done) => {
    const video = document.querySelector(${JSON.stringify(video)})
    const look = () => (video?.isConnected && video.videoWidth > 0 ? requestAnimationFrame(look) : done(Date.now()))
    look()
  }))`)
  return () => page.evaluate<number>('window.stopped')
}

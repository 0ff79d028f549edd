import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import type { SeededService, Who } from './seeded-service.ts'
import type { PageState } from './pages/page-state.ts'
import { descendantsOf } from '../server/test/support/children.ts'
import { stopwatch } from '../server/test/support/own-time.ts'
import { chromiumArgs } from '../server/test/support/programs.ts'

/** A page of a test lives for seconds: to optimize its scripts costs more than it saves. */
const unoptimized = '--js-flags=--no-opt,--max-lazy'

/**
 * Painting and the network are threads of the browser, not processes of their own: messages between processes cost
 * about a twentieth of the browser's CPU time. Chromium reads the last list of features only, so that Playwright's are repeated.
 */
const fewerProcesses = [
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
]

export const launchArgs = [
  ...chromiumArgs,
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  ...fewerProcesses,
  unoptimized,
]

export const launch = (executablePath: string, args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...launchArgs, ...args] })

/** A browser context signed in as `who`. Reduced motion, so that screenshots show the end of animations. */
export async function browserOf(
  browser: Browser,
  { service, tokenOf }: SeededService,
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
  if (who !== 'signed-out') {
    const { base } = service.gate
    const cookie = { name: 'gatehouse_token', value: await tokenOf(who), url: base, secure: base.startsWith('https:') }
    await context.addCookies([{ ...cookie, httpOnly: true }])
  }
  return context
}

/** Opens a page in one of its states, in a new tab, and waits until it is idle. */
export async function open(context: BrowserContext, at: SeededService, state: PageState): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await load(page, at, state)
  return page
}

/** Loads a page in one of its states and waits until it is idle. */
export async function load(page: Page, at: SeededService, state: PageState): Promise<void> {
  await state.before?.(page, at)
  await page.goto(`${at.service.gate.base}${state.path}`)
  await state.reach(page, at)
  await rest(page)
}

/** Script that waits for fonts, images, one-time animations, and for what measures itself in a script. */
export const untilRest = `(async () => {
    await document.fonts.ready
    const images = [...document.images].filter((image) => image.src && image.loading !== 'lazy' && !image.complete)
    await Promise.race([
      Promise.all(images.map((image) => new Promise((done) => { image.onload = image.onerror = done }))),
      new Promise((done) => setTimeout(done, 5000)),
    ])
    const moving = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
    await Promise.race([
      Promise.allSettled(moving.map((animation) => animation.finished)),
      new Promise((done) => setTimeout(done, 2000)),
    ])
    // An element's new size reaches React with the second frame, and React renders in a task after it.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }))
  })()`

/** Waits for fonts, images and one-time animations. */
export const rest = (page: Page): Promise<unknown> => page.evaluate(untilRest)

/** Mirrors the page, as for a right-to-left script. */
export async function turnAround(page: Page): Promise<void> {
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await rest(page)
}

/** The whole page, plus everything stored in the browser. */
export const wholeOf = (page: Page): Promise<string> =>
  page.evaluate(`[
    document.title,
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea, select')].map((field) => field.value),
    ...Object.entries(localStorage).flat(),
    ...Object.entries(sessionStorage).flat(),
    document.cookie,
  ].join('\\n')`)

/** A {@link stopwatch} for what the service and a page do together: the browser is a child of this process. */
export const pageStopwatch = (): (() => number) => stopwatch(...descendantsOf(process.pid))

/** Watches a playing video. @returns waits until it has left the page or lost its content */
export async function stopOf(page: Page, video: string): Promise<() => Promise<void>> {
  await page.evaluate(`void (window.stopped = new Promise((done) => {
    const video = document.querySelector(${JSON.stringify(video)})
    const look = () => (video?.isConnected && video.videoWidth > 0 ? requestAnimationFrame(look) : done())
    look()
  }))`)
  return () => page.evaluate<void>('window.stopped')
}

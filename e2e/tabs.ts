import type { Browser, BrowserContextOptions, Dialog, Page } from 'playwright-core'
import { onTestFinishedOrLater } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { reusePorts } from '../server/test/support/service-folder.ts'
import type { Service } from '../server/test/support/service.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { launch } from './browser.ts'

export type PageOptions = BrowserContextOptions

/** Browsers trust each name of this machine like a site with TLS, but not `camhost`. */
const untrusted = '--host-resolver-rules=MAP camhost 127.0.0.1'

reusePorts()

/** Reduced motion, because tests don't look at animations, each frame of which is painted. */
const defaults = { ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' } as const

let launched: Promise<Browser> | undefined
/** Empty pages that no test uses, the oldest first. */
let idle: readonly { readonly key: string; readonly page: Page }[] = []
/** Some files use pages of several users and sizes at the same time. */
const maxIdle = 5

/** The browser of all files that run in this process. It ends with the process. */
export const sharedBrowser = (): Promise<Browser> => (launched ??= start())

async function start(): Promise<Browser> {
  const browser = await launch(program('chromium') ?? '', [untrusted])
  browser.once('disconnected', () => {
    launched = undefined
    idle = []
  })
  return browser
}

async function create(options: PageOptions): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ ...defaults, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  return page
}

/** A page in a new context, which is closed after the test, or in `stopAll` if a hook opens it. */
export async function ownPage(options: PageOptions = {}): Promise<Page> {
  const page = await create(options)
  onTestFinishedOrLater(() => page.context().close())
  return page
}

/** What can't be undone in a page. */
const lasting = [
  'addInitScript',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'routeWebSocket',
  'setViewportSize',
] as const

/**
 * A page without cookies, storage, routes and listeners. A later test gets the same one, because a new page takes three
 * times as long: it has no scripts in its caches.
 *
 * @throws if the test does with it what can't be undone: that needs an {@link ownPage}
 */
export async function newPage(options: PageOptions = {}): Promise<Page> {
  const key = JSON.stringify({ ...defaults, ...options })
  const page = takeIdle(key) ?? (await createShared(options))
  const visited = new Set<string>()
  page.on('framenavigated', (frame) => visited.add(new URL(frame.url()).origin))
  onTestFinishedOrLater(async () => {
    const isEmpty = await empty(page, visited).catch(() => false)
    if (isEmpty) idle = [...idle, { key, page }]
    else await page.context().close()
    const [oldest, ...others] = idle
    if (oldest && others.length >= maxIdle) {
      idle = others
      await oldest.page.context().close()
    }
  })
  return page
}

function takeIdle(key: string): Page | undefined {
  const found = idle.findLast((each) => each.key === key)
  idle = idle.filter((each) => each !== found)
  return found?.page
}

async function createShared(options: PageOptions): Promise<Page> {
  const page = await create(options)
  for (const name of lasting) {
    page[name] = () => {
      throw new Error(`${name} can't be undone: use ownPage`)
    }
  }
  return page
}

/** A page with unsaved changes asks before it is left. */
const accept = (dialog: Dialog): Promise<void> => dialog.accept()

/** @returns whether nothing of the test is left */
async function empty(page: Page, visited: ReadonlySet<string>): Promise<boolean> {
  if (visited.size === 0) return false
  const context = page.context()
  const others = context.pages().filter((each) => each !== page)
  await Promise.all(others.map((each) => each.close()))
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  page.on('dialog', accept)
  for (const site of visited) {
    // An image of the same site, which keeps the process of the page. It does nothing, even if the service ends.
    await page.goto(`${site}/favicon.svg`, { timeout: 20_000 })
    if (new URL(page.url()).origin !== site) return false
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  }
  page.off('dialog', accept)
  await context.clearCookies()
  return true
}

/** Signs a user in, without the form. @param who a client shares its session */
export async function signInOn(page: Page, { gate }: Service, who: string | TestClient): Promise<void> {
  const { headers } = typeof who === 'string' ? await signIn(gate, who) : who
  const [name = '', value = ''] = String(headers['cookie']).split('=')
  await page.context().addCookies([{ name, value, url: gate.base, httpOnly: true }])
}

/** Opens a page for a user, who is signed in. @param path relative to the gate's base URL */
export async function openAs(page: Page, service: Service, user: string, path = '/'): Promise<void> {
  await signInOn(page, service, user)
  await page.goto(`${service.gate.base}${path}`)
  await page.getByRole('button', { name: `Account: ${user}` }).waitFor()
}

/** A {@link newPage} on which a user is signed in. @param path relative to the gate's base URL */
export async function signedIn(service: Service, user: string, path?: string, options?: PageOptions): Promise<Page> {
  const page = await newPage(options)
  await openAs(page, service, user, path)
  return page
}

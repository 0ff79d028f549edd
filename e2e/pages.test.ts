import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { wholeOf } from './browser.ts'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { wait } from '../server/test/support/wait.ts'
import { sharedBrowser } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  heron_pond: { source: 'demo:yard', title: 'Heron pond' },
  copper_gate: { source: 'demo:door', title: 'Copper gate' },
  velvet_attic: { source: 'demo:office', title: 'Velvet attic' },
}
/** Text that the role `gardener` must never receive in any form. */
const others = /copper|velvet|attic/i

/** Every page, its heading, and the users who can see it: all, or only admins. */
const pages = [
  ['/', 'Live view', 'all users'],
  ['/cameras/heron_pond', 'Heron pond', 'all users'],
  ['/review', 'Review', 'all users'],
  ['/history', /^History/, 'all users'],
  ['/exports', 'Exports', 'all users'],
  ['/account', /^(ada|vera|nina|anonymous)$/, 'all users'],
  ['/account/security', 'Security', 'all users'],
  ['/account/activity', 'Activity', 'all users'],
  ['/account/tokens', 'API tokens', 'all users'],
  ['/account/tokens/new', 'Create an API token', 'all users'],
  ['/account/links', 'Share links', 'all users'],
  ['/settings/users', 'Users', 'admins'],
  ['/settings/users/vera', 'vera', 'admins'],
  ['/settings/users/unknown', 'User not found', 'admins'],
  ['/settings/roles', 'Roles', 'admins'],
  ['/settings/roles/gardener', 'gardener', 'admins'],
  ['/settings/roles/nothing', 'Role not found', 'admins'],
  ['/settings/tokens', 'API tokens', 'admins'],
  ['/settings/access', 'Access', 'admins'],
  ['/settings/links', 'Share links', 'admins'],
  ['/settings/cameras', 'Cameras', 'admins'],
  ['/settings/screens', 'Screens', 'admins'],
  ['/settings/storage', 'Storage', 'admins'],
  ['/settings/instances', 'Instances', 'admins'],
  ['/settings/config', 'Configuration', 'admins'],
  ['/settings/audit', 'Audit log', 'admins'],
  ['/settings/log', 'Logs', 'admins'],
  ['/settings/system', 'System', 'admins'],
] as const
/** Requests of every page: profile, review counts, and running exports. */
const ofTheShell = /^GET \/api\/(profile|review\/summary|exports) 200$/
const sections = pages.flatMap(([path]) => /^\/settings\/(\w+)$/.exec(path)?.[1] ?? [])

let service: Service
/** Contexts of one test. */
const contexts: BrowserContext[] = []
/** Tabs that tests share, by user: to open one takes longer than most tests. */
const shared = new Map<string, Tab>()

/** An open page and a log of its activity. */
interface Tab {
  readonly page: Page
  /** Script errors, console errors and Content-Security-Policy violations. */
  readonly complaints: string[]
  /** API requests of the page that is shown: method, path and status; those of earlier ones only if they failed. */
  readonly requested: string[]
  /** Loads a page. */
  load(path: string): Promise<void>
  /** Opens a page as a link does, in the app that is open. */
  go(path: string): Promise<void>
  /** Waits until nothing is requested for half a second, or long enough: a video requests more and more. */
  settle(): Promise<void>
}

/** A tab whose responses are kept. */
interface Recorded extends Tab {
  /** All text received from the API, over HTTP or WebSocket. Closes the page, because some responses never end. */
  received(): Promise<string>
}

const baseOf = (user: string | undefined): string => (user === undefined ? service.internal : service.gate).base

/** A browser in which a user is already signed in; undefined for the internal port, without sign-in. */
async function browserOf(user: string | undefined): Promise<BrowserContext> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' })
  if (user !== undefined) {
    const { token } = await signIn(service.gate, user)
    await context.addCookies([{ name: 'gatehouse_token', value: token, url: baseOf(user), httpOnly: true }])
  }
  return context
}

/** Opens an empty tab for the pages of `base`. */
async function tabOf(context: BrowserContext, base: string): Promise<Tab> {
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)

  const complaints: string[] = []
  const requested: string[] = []
  const unanswered = new Set<Request>()
  let ofThisPage = new WeakSet<Request>()
  const leave = (): void => {
    unanswered.clear()
    ofThisPage = new WeakSet()
  }
  let last = 0
  const note = (): void => {
    last = Date.now()
  }
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (line.type() === 'error' || /Content Security Policy/i.test(line.text()))
      complaints.push(`${line.text()} ${line.location().url}`)
  })
  page.on('request', (request) => {
    note()
    unanswered.add(request)
    ofThisPage.add(request)
  })
  page.on('requestfailed', (request) => {
    note()
    unanswered.delete(request)
  })
  page.on('response', (response) => {
    note()
    unanswered.delete(response.request())
    const { pathname } = new URL(response.url())
    // On a busy machine, one of the page before can be answered late.
    const isLate = !ofThisPage.has(response.request()) && [200, 304].includes(response.status())
    if (pathname.startsWith('/api/') && !isLate)
      requested.push(`${response.request().method()} ${pathname} ${response.status()}`)
  })
  const isQuiet = () => unanswered.size === 0 && Date.now() - last > 500
  return {
    page,
    complaints,
    requested,
    async load(path) {
      leave()
      await page.goto(`${base}${path}`)
    },
    async go(path) {
      leave()
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    },
    async settle() {
      note()
      const until = last + 5000
      while (!isQuiet() && Date.now() < until) await wait(100, 'looks again until the page is quiet')
    },
  }
}

/** Keeps what a tab receives from now on. */
function recorded(tab: Tab): Recorded {
  const { page, settle } = tab
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/api/')) return
    texts.push(
      Promise.all([response.allHeaders(), response.text()]).then(
        (parts) => JSON.stringify(parts),
        () => '',
      ),
    )
  })
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') texts.push(Promise.resolve(payload))
    })
  })
  const received = async (): Promise<string> => {
    await settle()
    await page.close()
    return (await Promise.all(texts)).join('\n')
  }
  return { ...tab, received }
}

/** Opens a page in the tab that the tests of this user share. */
async function openedBy(user: string, path: string, options: { stills?: boolean } = {}): Promise<Tab> {
  const tab = shared.get(user) ?? (await tabOf(await browserOf(user), baseOf(user)))
  shared.set(user, tab)
  await tab.page.unrouteAll()
  if (options.stills) {
    await tab.page.addInitScript(`
      delete window.MediaSource
      delete window.ManagedMediaSource
      HTMLMediaElement.prototype.canPlayType = () => ''`)
  }
  tab.complaints.length = 0
  tab.requested.length = 0
  await tab.load(path)
  return tab
}

/** The paths that a source file of the web app declares. */
function inSource(file: string): string[] {
  const source = readFileSync(join(import.meta.dirname, '../web/src', file), 'utf8')
  return [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path ?? '')
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1, exact: true })
const accountButton = (page: Page) => page.getByRole('button', { name: /^Account:/ })
const dialog = (page: Page) => page.getByRole('dialog')

/** Records every match on the page in `window.seen` from now on, even if it disappears again. */
const watchFor = (others: string): string => `
  window.seen = []
  new MutationObserver(() => {
    const found = document.documentElement.outerHTML.match(/${others}/gi)
    if (found) window.seen.push(...found)
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`

/** Removes the matching lines. @returns their number */
function removeMatching(lines: string[], fitting: RegExp): number {
  const others = lines.filter((line) => !fitting.test(line))
  return lines.splice(0, lines.length, ...others).length - others.length
}

async function firstSnapshot(camera: string): Promise<void> {
  const { status } = await service.internal.get(`/api/cameras/${camera}/latest.jpg`)
  if (status === 200) return
  await wait(250, 'asks again until there is a frame')
  return firstSnapshot(camera)
}

/** Waits for a camera's first recording. Until then, requests of the History page fail. */
async function firstRecording(camera: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const { status } = await service.internal.get(`/api/cameras/${camera}/playback/${now - 300}/${now + 300}/index.m3u8`)
  if (status === 200) return
  await wait(250, 'asks again until there is a recording')
  return firstRecording(camera)
}

/** Turns a camera on or off. One that is on takes a tenth of a processor. */
async function turn(name: keyof typeof cameras, enabled: boolean): Promise<void> {
  const { status, text } = await service.internal.put(`/api/cameras/${name}`, { enabled }, { 'if-match': '*' })
  expect(status, text).toBe(200)
}

const rolesNow = async () =>
  Object.fromEntries(
    ((await service.internal.get('/api/roles')).json as { name: string; cameras: string[] }[]).map((role) => [
      role.name,
      role.cameras,
    ]),
  )
const roleOf = async (name: string) =>
  ((await service.internal.get('/api/users')).json as { username: string; role: string }[]).find(
    ({ username }) => username === name,
  )?.role
const setRole = (user: string, role: string) => service.internal.put(`/api/users/${user}/role`, { role })
const fileNow = () => readFileSync(service.configFile, 'utf8')
const writeFile = (text: string) =>
  service.internal.put('/api/config/raw', text, { 'content-type': 'text/yaml', 'if-match': '*' })

/** Runs `act` once, after the page has read its data and before its write arrives. */
async function beforeWrite(page: Page, url: string, act: () => Promise<unknown>): Promise<void> {
  let done = false
  await page.route(url, async (route) => {
    if (!done && route.request().method() === 'PUT') {
      done = true
      await act()
    }
    await route.fallback()
  })
}

/** Opens several tabs of a user, which visit pages at the same time: most of a visit is waiting. */
async function tabsOf(user: string | undefined): Promise<Tab[]> {
  const context = await browserOf(user)
  contexts.push(context)
  return Promise.all(Array.from({ length: 2 }, () => tabOf(context, baseOf(user))))
}

/** Visits each path in one of the tabs. @returns what each visit returned */
async function inTabs<OneTab extends Tab, Path, Result>(
  tabs: readonly OneTab[],
  paths: readonly Path[],
  visit: (tab: OneTab, path: Path) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...paths]
  const work = async (tab: OneTab): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await visit(tab, next))
  }
  await Promise.all(tabs.map(work))
  return results
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

type PageRow = (typeof pages)[number]

/** Checks the page that is shown to a user who can see everything. @returns the number of requests */
async function expectOpen({ page, complaints, requested, settle }: Tab, [path, title]: PageRow): Promise<number> {
  await heading(page, title).waitFor()
  expect(await page.getByRole('link', { name: 'Settings', exact: true }).count(), path).toBe(1)
  if (path.startsWith('/settings')) {
    const menu = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    expect(await menu.count(), path).toBe(sections.length)
  }
  await settle()
  if (path === '/settings/users/unknown') {
    // Requested by name; the browser logs the 404.
    expect(removeMatching(requested, /^GET \/api\/users\/unknown 404$/)).toBeGreaterThan(0)
    expect(removeMatching(complaints, /status of 404 .*\/api\/users\/unknown$/)).toBeGreaterThan(0)
  }
  expect(requested.filter((call) => !/ [23]\d\d$/.test(call))).toEqual([])
  expect(complaints).toEqual([])
  return requested.splice(0).length
}

/**
 * Checks the page that is shown to a user who can't see the settings.
 *
 * @param check called while the page is shown, and again with the account menu open
 * @returns the number of requests
 */
async function expectWithoutSettings(
  { page, complaints, requested, settle }: Tab,
  [path, title, who]: PageRow,
  check: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  await heading(page, who === 'all users' ? title : 'Access denied').waitFor()
  await settle()
  if (who === 'admins')
    expect(
      requested.filter((call) => !ofTheShell.test(call)),
      path,
    ).toEqual([])
  expect(
    requested.filter((call) => !/ (200|304)$/.test(call)),
    path,
  ).toEqual([])
  await check(page)
  await accountButton(page).click()
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor()
  expect(await page.locator('a[href*="settings"]').count(), path).toBe(0)
  expect(await page.getByText('Settings').count(), path).toBe(0)
  await check(page)
  expect(complaints).toEqual([])
  return requested.splice(0).length
}

/** Timeout in milliseconds of a test that visits every page and waits until each is idle. */
const walk = { timeout: 300_000 }

describe.skipIf(!executablePath)('every page', () => {
  beforeAll(async () => {
    service = await startService({
      config: { tls: { enabled: false }, cameras, auth: { roles: { gardener: ['heron_pond'] } } },
    })
    await service.user('ada', 'admin')
    await service.user('vera', 'viewer')
    await service.user('nina', 'gardener')
    // Until each camera has a snapshot and a recording, requests for them fail.
    await Promise.all(Object.keys(cameras).flatMap((camera) => [firstSnapshot(camera), firstRecording(camera)]))
  })
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(async () => {
    await Promise.all([...shared.values()].map(({ page }) => page.context().close()))
    await stopAll()
  })

  test('is covered by this test', () => {
    expect(inSource('app/settings/sections.ts').sort()).toEqual([...sections].sort())
    expect(inSource('app/routes.tsx').sort()).toEqual(
      [
        '/',
        '/',
        '/',
        '/$',
        '/account',
        '/cameras/$camera',
        '/exports',
        '/history',
        '/invite/$id',
        '/login',
        '/pair',
        '/reset/$id',
        '/review',
        '/screen',
        '/s/$id',
        '/settings',
        ...sections,
        'activity',
        'tokens',
        'tokens/new',
        'security',
        'users/$user',
        'roles/$role',
        'cameras/$camera/motion',
        'links',
        '$',
      ].sort(),
    )
  })

  describe('with all cameras', () => {
    // Of the tests below, few need them.
    afterAll(async () => {
      await turn('copper_gate', false)
      await turn('velvet_attic', false)
    })

    test('[PORT-2] is open to all users of the internal port, without failed requests or errors', walk, async () => {
      const counts = await inTabs(await tabsOf(undefined), pages, async (tab, row) => {
        await tab.load(row[0])
        return expectOpen(tab, row)
      })
      expect(sum(counts)).toBeGreaterThan(pages.length)
    })

    test('[ROLE-1] is open to an admin, without failed requests or errors', walk, async () => {
      const tab = await openedBy('ada', '/settings/system')
      let count = 0
      for (const row of pages) {
        await tab.go(row[0])
        count += await expectOpen(tab, row)
      }
      expect(count).toBeGreaterThan(pages.length)
    })
  })

  test('[ROLE-2] of the settings is closed to a viewer, in no menu, and sends no requests', walk, async () => {
    const tab = await openedBy('vera', '/nowhere')
    for (const row of pages) {
      await tab.go(row[0])
      await expectWithoutSettings(tab, row)
      await tab.page.keyboard.press('Escape')
      // The next page may have the same heading.
      await tab.go('/nowhere')
      await heading(tab.page, 'Page not found').waitFor()
    }
  })

  test(
    '[ROLE-3, ROLE-6] for a custom role: the settings are closed, and no page or response contains a trace of another camera',
    walk,
    async () => {
      const withoutTrace = async (page: Page): Promise<void> => {
        expect(await wholeOf(page), page.url()).not.toMatch(others)
      }
      const tabs = (await tabsOf('nina')).map(recorded)
      const counts = await inTabs(tabs, pages, async (tab, row) => {
        if (row[2] === 'all users') await tab.load(row[0])
        else {
          // The page before may have the same heading.
          await tab.page.keyboard.press('Escape')
          await tab.go('/nowhere')
          await heading(tab.page, 'Page not found').waitFor()
          await tab.go(row[0])
        }
        return expectWithoutSettings(tab, row, withoutTrace)
      })
      const guesses = [
        '/cameras/velvet_attic',
        '/cameras/no_such',
        '/settings',
        '/settings/nothing',
        '/settings/access?rows=roles',
        '/nowhere/at/all',
        '/',
      ]
      await inTabs(tabs, guesses, async ({ page, load, settle }, path) => {
        await load(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (path === '/') await page.locator('[data-camera="heron_pond"][data-state="playing"]').waitFor()
        await settle()
        await withoutTrace(page)
        await accountButton(page).click()
        await withoutTrace(page)
      })
      // Requests that any page could have sent.
      for (const path of ['config', 'stats', 'cameras', 'openapi.json', 'sessions', 'roles', 'cameras/velvet_attic']) {
        await tabs[0]?.page.evaluate(`fetch('/api/${path}').then((response) => response.text())`)
      }
      expect(sum(counts)).toBeGreaterThan(20)
      const reported = (await Promise.all(tabs.map(({ received }) => received()))).join('\n')
      expect(reported).toContain('Heron pond')
      expect(reported).not.toMatch(others)
    },
  )

  test('shows an error while the service is unreachable, and recovers', walk, async () => {
    const blocked = [...new Set(accessRows.map(({ path }) => path.split('/')[2] ?? ''))]
      .filter((name) => !/^(profile|auth)/.test(name))
      .map((name) => `*/api/${name}*`)
    const tried = pages.filter(([path]) => path !== '/account')
    // Each page retries a few times on its own.
    await inTabs(await tabsOf('ada'), tried, async ({ page, load }, [path, title]) => {
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Network.enable')
      // Not `page.route`, which disables the browser's cache.
      await devTools.send('Network.setBlockedURLs', { urls: blocked })
      await load(path)
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await devTools.detach()
      await again.click()
      await again.waitFor({ state: 'detached' })
      await heading(page, title).waitFor()
    })
  })

  describe('with two admins', () => {
    test('[ROLE-8] a role that another admin assigned in between is shown, not overwritten', async () => {
      await service.user('otto', 'viewer')
      const { page } = await openedBy('ada', '/settings/users/otto')
      const choice = page.getByRole('combobox', { name: 'Role' })
      await choice.selectOption('admin')
      await beforeWrite(page, '**/api/users/otto/role', () => setRole('otto', 'gardener'))
      await page.getByRole('button', { name: 'Change role' }).click()
      await page.getByText('Changed by someone else').waitFor()
      expect(await page.getByRole('alert').innerText()).toContain('otto is now gardener')
      expect(await choice.inputValue()).toBe('admin')
      expect(await roleOf('otto')).toBe('gardener')
      await page.getByRole('button', { name: 'Change role' }).click()
      await page.getByText('otto is now admin.').waitFor()
      expect(await roleOf('otto')).toBe('admin')
      // Nothing chosen: the current role is shown once it is known.
      await setRole('otto', 'viewer')
      await page.reload()
      await expect.poll(() => choice.inputValue()).toBe('viewer')
      await service.internal.delete('/api/users/otto')
    })

    test('[ROLE-3] cameras that another admin gave a role at the same time stay', async () => {
      await service.internal.put('/api/roles/brief', { cameras: ['heron_pond'] })
      const { page } = await openedBy('ada', '/settings/roles/brief')
      await page.getByRole('switch', { name: 'Copper gate' }).click()
      await beforeWrite(page, '**/api/roles/brief', () =>
        service.internal.put('/api/roles/brief', { cameras: ['velvet_attic'] }),
      )
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Changed by someone else').waitFor()
      expect((await rolesNow())['brief']).toEqual(['velvet_attic'])
      await service.internal.delete('/api/roles/brief')
    })

    test('[CONF-4] a camera that another admin changed in between is not overwritten, and the typed text stays', async () => {
      const before = fileNow()
      const { page } = await openedBy('ada', '/settings/cameras')
      await page.getByRole('button', { name: 'Edit Copper gate' }).click()
      const title = page.getByRole('textbox', { name: 'Title' })
      await title.fill('Gate of copper')
      await writeFile(before.replace('title: Copper gate', 'title: Iron gate'))
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('This camera was changed by someone else.').waitFor()
      expect(await title.inputValue()).toBe('Gate of copper')
      expect(fileNow()).toContain('title: Iron gate')
      await writeFile(before)
    })

    test('[CONF-4] a change to another camera by another admin at the same time stays', async () => {
      const before = fileNow()
      const { page } = await openedBy('ada', '/settings/cameras')
      await page.getByRole('button', { name: 'Edit Copper gate' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('Gate of copper')
      await beforeWrite(page, '**/api/cameras/*', () =>
        writeFile(before.replace('title: Velvet attic', 'title: Silk attic')),
      )
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Gate of copper saved.').waitFor()
      expect(fileNow()).toContain('title: Gate of copper')
      expect(fileNow()).toContain('title: Silk attic')
      await writeFile(before)
    })
  })

  describe('after access ends', () => {
    beforeAll(async () => {
      await turn('velvet_attic', true)
      await firstSnapshot('velvet_attic')
    })
    afterAll(() => turn('velvet_attic', false))

    test.each([
      ['as video', 'rita', false],
      ['as snapshots', 'stella', true],
    ])('[ROLE-10] one camera, %s: the video disappears, and the page says why', async (_, user, stills) => {
      await service.user(user, 'viewer')
      await setRole(user, 'viewer')
      const { page } = await openedBy(user, '/cameras/velvet_attic', { stills })
      await (
        stills ? page.locator('main img') : page.locator('[data-camera="velvet_attic"][data-state="playing"]')
      ).waitFor()
      await setRole(user, 'gardener')
      await page.getByRole('heading', { name: 'You no longer have access to this camera' }).waitFor()
      expect(await page.locator('video, main img').count()).toBe(0)
      expect(await page.getByText('Velvet attic').count()).toBe(0)
    })

    test('[ROLE-10] the log, for a former admin: the page closes and its content disappears', async () => {
      await service.user('eva', 'admin')
      await setRole('eva', 'admin')
      const { page, settle } = await openedBy('eva', '/')
      await page.locator('[data-camera="velvet_attic"]').waitFor()
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
      await page.getByRole('link', { name: 'Logs', exact: true }).click()
      await page.getByRole('region', { name: 'Log lines' }).locator('details').first().waitFor()
      await setRole('eva', 'gardener')
      await heading(page, 'Access denied').waitFor()
      await expect.poll(() => page.locator('a[href*="settings"]').count()).toBe(0)
      expect(await wholeOf(page)).not.toMatch(others)
      // Nothing the admin received is shown again, not even briefly.
      await page.evaluate(watchFor(others.source))
      await page.getByRole('link', { name: 'Go to live view' }).click()
      await page.locator('[data-camera="heron_pond"]').waitFor()
      await settle()
      expect(await page.evaluate('window.seen')).toEqual([])
      expect(await wholeOf(page)).not.toMatch(others)
    })

    test('[ROLE-10] the users, for a former admin: the page closes immediately, even in a dialog', async () => {
      await service.user('eva', 'admin')
      await setRole('eva', 'admin')
      const { page, requested, settle } = await openedBy('eva', '/settings/users')
      await page.getByRole('link', { name: 'vera' }).click()
      await page.getByRole('button', { name: 'Delete user' }).click()
      const confirm = dialog(page).getByRole('button', { name: 'Delete user' })
      await confirm.waitFor()
      await settle()
      await setRole('eva', 'viewer')
      await heading(page, 'Access denied').waitFor()
      expect(await confirm.count()).toBe(0)
      await expect.poll(() => wholeOf(page)).not.toContain('vera')
      expect(await roleOf('vera')).toBe('viewer')
      // Back to the list: nothing of it is left, and nothing is requested.
      requested.length = 0
      await page.goBack()
      await heading(page, 'Access denied').waitFor()
      await settle()
      expect(await wholeOf(page)).not.toContain('nina')
      expect(requested.filter((call) => !ofTheShell.test(call) && !/auth/.test(call))).toEqual([])
    })
  })

  test('[ROLE-10] the content of a page disappears at the first 403, before the new role is known', async () => {
    await service.user('eva', 'admin')
    await setRole('eva', 'admin')
    const { page, settle } = await openedBy('eva', '/settings/users/vera')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('gardener')
    await settle()
    const { promise: known, resolve: notify } = Promise.withResolvers<void>()
    await page.route('**/api/profile', async (route) => {
      await known
      await route.fallback()
    })
    await setRole('eva', 'viewer')
    await page.getByRole('button', { name: 'Change role' }).click()
    await heading(page, 'vera').waitFor({ state: 'detached' })
    notify()
    await heading(page, 'Access denied').waitFor()
    expect(await roleOf('vera')).toBe('viewer')
  })

  test('of a role with unsaved switches asks before it is left', async () => {
    await service.internal.put('/api/roles/brief', { cameras: ['heron_pond'] })
    const { page } = await openedBy('ada', '/settings/roles/brief')
    await page.getByRole('switch', { name: 'Copper gate' }).click()
    await page.getByRole('link', { name: 'All roles' }).click()
    await dialog(page).getByText('Your changes to brief aren’t saved').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('switch', { name: 'Copper gate' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Role brief saved.').waitFor()
    expect((await rolesNow())['brief']).toEqual(['heron_pond', 'copper_gate'])
    await page.getByRole('switch', { name: 'Copper gate' }).click()
    await page.getByRole('button', { name: 'Delete role' }).click()
    await page.getByTestId('consequences').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete role' }).click()
    await heading(page, 'Roles').waitFor()
  })

  describe('with a filter', () => {
    test('has it in the URL, which can be shared, and Back undoes it', async () => {
      const { page } = await openedBy('ada', '/settings/audit')
      const [action, result] = [page.getByLabel('Action'), page.getByLabel('Result')]
      await action.selectOption('user.create')
      await page.waitForURL(/\?action=user\.create$/)
      await result.selectOption('failure')
      await page.getByText('No entries', { exact: true }).waitFor()
      await page.waitForURL(/result=failure/)
      await page.reload()
      await page.getByText('No entries', { exact: true }).waitFor()
      expect(await action.inputValue()).toBe('user.create')
      await page.goBack()
      await expect.poll(() => result.inputValue()).toBe('')
      await page.getByRole('list', { name: 'Entries' }).getByText('Add user').first().waitFor()
      await page.goBack()
      await expect.poll(() => action.inputValue()).toBe('')
    })

    test('that is typed is one step in the history', async () => {
      const { page } = await openedBy('ada', '/settings/roles')
      await page.getByRole('link', { name: 'Users' }).click()
      const search = page.getByRole('searchbox', { name: 'Search users' })
      await search.pressSequentially('ver', { delay: 40 })
      await page.waitForURL(/\?q=ver$/)
      await search.pressSequentially('a', { delay: 40 })
      await page.waitForURL(/\?q=vera$/)
      await page.getByRole('link', { name: 'vera' }).click()
      await heading(page, 'vera').waitFor()
      await page.goBack()
      await expect.poll(() => search.inputValue()).toBe('vera')
      await expect.poll(() => page.getByRole('row').count()).toBe(2)
      await page.goBack()
      await heading(page, 'Roles').waitFor()
    })

    test.each([
      ['/settings/users?role=gardener&sort=-created_at', 'gardener'],
      ['/settings/access?rows=roles&q=gard', 'gardener'],
      ['/settings/log?level=error&q=%22%22', undefined],
      ['/settings/audit?result=nonsense&period=chosen&page=-1&q=%5B1%5D', undefined],
    ] as const)('opens at %s', async (path, row) => {
      const { page, complaints, settle } = await openedBy('ada', path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle()
      const rows = page.locator('tbody tr')
      if (row !== undefined) {
        await rows.filter({ hasText: row }).first().waitFor()
        expect(await rows.filter({ hasNotText: row }).count()).toBe(0)
      }
      if (path.includes('level=')) expect(await page.getByLabel('Minimum level').inputValue()).toBe('error')
      expect(complaints).toEqual([])
    })
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launch, wholeOf } from './browser.ts'
import { startService, signIn, stopAll, type Service } from '../server/test/harness.ts'
import { program } from '../server/test/programs.ts'
import { wait } from '../server/test/wait.ts'

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
  ['/settings/users', 'Users', 'admins'],
  ['/settings/users/vera', 'vera', 'admins'],
  ['/settings/users/unknown', 'User not found', 'admins'],
  ['/settings/roles', 'Roles', 'admins'],
  ['/settings/roles/gardener', 'gardener', 'admins'],
  ['/settings/roles/nothing', 'Role not found', 'admins'],
  ['/settings/access', 'Access', 'admins'],
  ['/settings/cameras', 'Cameras', 'admins'],
  ['/settings/storage', 'Storage', 'admins'],
  ['/settings/config', 'Configuration', 'admins'],
  ['/settings/audit', 'Audit log', 'admins'],
  ['/settings/log', 'Logs', 'admins'],
  ['/settings/system', 'System', 'admins'],
] as const
/** Requests of every page: profile, review counts, and running exports. */
const ofTheShell = /^GET \/api\/(profile|review\/summary|exports) 200$/
const sections = pages.flatMap(([path]) => /^\/settings\/(\w+)$/.exec(path)?.[1] ?? [])

let browser: Browser
let service: Service
const contexts: BrowserContext[] = []

/** An open page and a log of its activity. */
interface Watched {
  readonly page: Page
  /** Script errors, console errors and Content-Security-Policy violations. */
  readonly complaints: string[]
  /** API requests: method, path and status. */
  readonly requested: string[]
  /** All text received from the API, over HTTP or WebSocket. Closes the page, because some responses never end. */
  received(): Promise<string>
}

/** Opens a page for a user who is already signed in; undefined for the internal port, without sign-in. */
async function watched(user: string | undefined, path: string, options: { stills?: boolean } = {}): Promise<Watched> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' })
  contexts.push(context)
  const { base } = user === undefined ? service.internal : service.gate
  if (user !== undefined) {
    const { token } = await signIn(service.gate, user)
    await context.addCookies([{ name: 'gatehouse_token', value: token, url: base, httpOnly: true }])
  }
  if (options.stills) {
    await context.addInitScript(`
      delete window.MediaSource
      delete window.ManagedMediaSource
      HTMLMediaElement.prototype.canPlayType = () => ''`)
  }
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)

  const complaints: string[] = []
  const requested: string[] = []
  const texts: Promise<string>[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    if (line.type() === 'error' || /Content Security Policy/i.test(line.text()))
      complaints.push(`${line.text()} ${line.location().url}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/')) return
    requested.push(`${response.request().method()} ${pathname} ${response.status()}`)
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
  await page.goto(`${base}${path}`)
  const received = async (): Promise<string> => {
    await settled(page)
    await page.close()
    return (await Promise.all(texts)).join('\n')
  }
  return { page, complaints, requested, received }
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

/** Waits until a page is idle, or long enough: a page that polls every second may never be idle on a busy machine. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => {})
}

/** Removes the matching lines. @returns their number */
function removeMatching(lines: string[], fitting: RegExp): number {
  const others = lines.filter((line) => !fitting.test(line))
  return lines.splice(0, lines.length, ...others).length - others.length
}

async function firstPicture(camera: string): Promise<void> {
  const { status } = await service.internal.get(`/api/cameras/${camera}/latest.jpg`)
  if (status === 200) return
  await wait(250, 'asks again until there is a frame')
  return firstPicture(camera)
}

/** Waits for a camera's first recording. Until then, requests of the History page fail. */
async function firstRecording(camera: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const { status } = await service.internal.get(`/api/cameras/${camera}/playback/${now - 300}/${now + 300}/index.m3u8`)
  if (status === 200) return
  await wait(250, 'asks again until there is a recording')
  return firstRecording(camera)
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

/** Tabs that visit pages at the same time, because most of a visit is waiting. */
const tabs = 4

/** Visits the paths in several tabs, each for a user who is already signed in. @returns what each visit returned */
async function inTabs<Path, Result>(
  user: string | undefined,
  paths: readonly Path[],
  visit: (tab: Watched, path: Path) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...paths]
  const work = async (): Promise<void> => {
    const tab = await watched(user, '/account')
    await accountButton(tab.page).waitFor()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await visit(tab, next))
  }
  await Promise.all(Array.from({ length: tabs }, work))
  return results
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/**
 * Opens a page as a user who can't see the settings.
 *
 * @param check called while the page is shown, and again with the account menu open
 * @returns the number of requests
 */
async function visitWithoutSettings(
  { page, complaints, requested }: Watched,
  [path, title, who]: (typeof pages)[number],
  check: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  requested.length = 0
  await page.goto(`${service.gate.base}${path}`)
  await heading(page, who === 'all users' ? title : 'Access denied').waitFor()
  await settled(page)
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
  return requested.length
}

/** Timeout in milliseconds of a test that visits every page and waits until each is idle. */
const walk = { timeout: 300_000 }

describe.skipIf(!executablePath)('every page', () => {
  beforeAll(async () => {
    browser = await launch(executablePath ?? '')
    service = await startService({
      config: { tls: { enabled: false }, cameras, auth: { roles: { gardener: ['heron_pond'] } } },
    })
    await service.user('ada', 'admin')
    await service.user('vera', 'viewer')
    await service.user('nina', 'gardener')
    // Until each camera has a snapshot and a recording, requests for them fail.
    await Promise.all(Object.keys(cameras).flatMap((camera) => [firstPicture(camera), firstRecording(camera)]))
  })
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  test('is covered by this test', () => {
    expect(inSource('app/settings/sections.ts').sort()).toEqual([...sections].sort())
    expect(inSource('app/routes.tsx').sort()).toEqual(
      [
        '/',
        '/',
        '/$',
        '/account',
        '/cameras/$camera',
        '/exports',
        '/history',
        '/login',
        '/review',
        '/settings',
        ...sections,
        'users/$user',
        'roles/$role',
        'cameras/$camera/motion',
        '$',
      ].sort(),
    )
  })

  test.each([
    ['[ROLE-1]', 'an admin', 'ada'],
    ['[PORT-2]', 'all users of the internal port', undefined],
  ])('%s is open to %s, without failed requests or errors', walk, async (_, __, user) => {
    const counts = await inTabs(user, pages, async ({ page, complaints, requested }, [path, title]) => {
      await page.goto(new URL(path, page.url()).href)
      await heading(page, title).waitFor()
      expect(await page.getByRole('link', { name: 'Settings', exact: true }).count(), path).toBe(1)
      if (path.startsWith('/settings')) {
        const menu = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
        expect(await menu.count(), path).toBe(sections.length)
      }
      await settled(page)
      if (path === '/settings/users/unknown') {
        // Requested by name; the browser logs the 404.
        expect(removeMatching(requested, /^GET \/api\/users\/unknown 404$/)).toBeGreaterThan(0)
        expect(removeMatching(complaints, /status of 404 .*\/api\/users\/unknown$/)).toBeGreaterThan(0)
      }
      expect(requested.filter((call) => !/ [23]\d\d$/.test(call))).toEqual([])
      expect(complaints).toEqual([])
      return requested.splice(0).length
    })
    expect(sum(counts)).toBeGreaterThan(pages.length)
  })

  test('[ROLE-2] of the settings is closed to a viewer, in no menu, and sends no requests', walk, async () => {
    await inTabs('vera', pages, visitWithoutSettings)
  })

  test(
    '[ROLE-3, ROLE-6] for a custom role: the settings are closed, and no page or response contains a trace of another camera',
    walk,
    async () => {
      const withoutTrace = async (page: Page): Promise<void> => {
        expect(await wholeOf(page), page.url()).not.toMatch(others)
      }
      const seen = new Set<Watched>()
      const counts = await inTabs('nina', pages, async (tab, visited) => {
        const count = await visitWithoutSettings(tab, visited, withoutTrace)
        seen.add(tab)
        return count
      })
      const guesses = [
        '/cameras/velvet_attic',
        '/cameras/no_such',
        '/settings',
        '/settings/nothing',
        '/settings/access?rows=roles',
        '/nowhere/at/all',
      ]
      await inTabs('nina', guesses, async (tab, path) => {
        await tab.page.goto(`${service.gate.base}${path}`)
        await tab.page.getByRole('heading', { level: 1 }).waitFor()
        await settled(tab.page)
        await withoutTrace(tab.page)
        await accountButton(tab.page).click()
        await withoutTrace(tab.page)
        seen.add(tab)
      })
      const live = await watched('nina', '/')
      const { page, requested } = live
      await page.locator('[data-camera="heron_pond"][data-state="playing"]').waitFor()
      // Requests that any page could have sent.
      for (const path of ['config', 'stats', 'cameras', 'openapi.json', 'sessions', 'roles', 'cameras/velvet_attic']) {
        await page.evaluate(`fetch('/api/${path}').then((answer) => answer.text())`)
      }
      expect(sum(counts) + requested.length).toBeGreaterThan(20)
      const reported = (await Promise.all([...seen, live].map(({ received }) => received()))).join('\n')
      expect(reported).toContain('Heron pond')
      expect(reported).not.toMatch(others)
    },
  )

  test('shows an error while the service is unreachable, and recovers', walk, async () => {
    const block = /\/api\/(?!profile|auth)/
    const tried = pages.filter(([path]) => path !== '/account')
    // Each page retries a few times on its own.
    await inTabs('ada', tried, async ({ page }, [path, title]) => {
      await page.route(block, (route) => route.abort())
      await page.goto(`${service.gate.base}${path}`)
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute(block)
      await again.click()
      await again.waitFor({ state: 'detached' })
      await heading(page, title).waitFor()
    })
  })

  describe('with two admins', () => {
    test('[ROLE-8] a role that another admin assigned in between is shown, not overwritten', async () => {
      await service.user('otto', 'viewer')
      const { page } = await watched('ada', '/settings/users/otto')
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
      const { page } = await watched('ada', '/settings/roles/brief')
      await page.getByRole('switch', { name: 'Copper gate' }).click()
      await beforeWrite(page, '**/api/roles/brief', () =>
        service.internal.put('/api/roles/brief', { cameras: ['velvet_attic'] }),
      )
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Changed by someone else').waitFor()
      expect((await rolesNow())['brief']).toEqual(['velvet_attic'])
      await service.internal.delete('/api/roles/brief')
    })

    test('[CONF-4] a camera that another admin changed in between is not overwritten, and the typed text stays', async () => {
      const before = fileNow()
      const { page } = await watched('ada', '/settings/cameras')
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
      const { page } = await watched('ada', '/settings/cameras')
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
    test.each([
      ['as video', false],
      ['as snapshots', true],
    ])('[ROLE-10] one camera, %s: the video disappears, and the page says why', async (_, stills) => {
      await service.user('rita', 'viewer')
      await setRole('rita', 'viewer')
      const { page } = await watched('rita', '/cameras/velvet_attic', { stills })
      await (
        stills ? page.locator('main img') : page.locator('[data-camera="velvet_attic"][data-state="playing"]')
      ).waitFor()
      await setRole('rita', 'gardener')
      await page.getByRole('heading', { name: 'You no longer have access to this camera' }).waitFor()
      expect(await page.locator('video, main img').count()).toBe(0)
      expect(await page.getByText('Velvet attic').count()).toBe(0)
    })

    test('[ROLE-10] the log, for a former admin: the page closes and its content disappears', async () => {
      await service.user('eva', 'admin')
      await setRole('eva', 'admin')
      const { page } = await watched('eva', '/')
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
      await settled(page)
      expect(await page.evaluate('window.seen')).toEqual([])
      expect(await wholeOf(page)).not.toMatch(others)
    })

    test('[ROLE-10] the users, for a former admin: the page closes immediately, even in a dialog', async () => {
      await service.user('eva', 'admin')
      await setRole('eva', 'admin')
      const { page, requested } = await watched('eva', '/settings/users')
      await page.getByRole('link', { name: 'vera' }).click()
      await page.getByRole('button', { name: 'Delete user' }).click()
      const confirm = dialog(page).getByRole('button', { name: 'Delete user' })
      await confirm.waitFor()
      await settled(page)
      await setRole('eva', 'viewer')
      await heading(page, 'Access denied').waitFor()
      expect(await confirm.count()).toBe(0)
      await expect.poll(() => wholeOf(page)).not.toContain('vera')
      expect(await roleOf('vera')).toBe('viewer')
      // Back to the list: nothing of it is left, and nothing is requested.
      requested.length = 0
      await page.goBack()
      await heading(page, 'Access denied').waitFor()
      await settled(page)
      expect(await wholeOf(page)).not.toContain('nina')
      expect(requested.filter((call) => !ofTheShell.test(call) && !/auth/.test(call))).toEqual([])
    })
  })

  test('[ROLE-10] the content of a page disappears at the first 403, before the new role is known', async () => {
    await service.user('eva', 'admin')
    await setRole('eva', 'admin')
    const { page } = await watched('eva', '/settings/users/vera')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('gardener')
    await settled(page)
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
    const { page } = await watched('ada', '/settings/roles/brief')
    await page.getByRole('switch', { name: 'Copper gate' }).click()
    await page.getByRole('link', { name: 'All roles' }).click()
    await dialog(page).getByText('Your changes to brief aren’t saved').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('switch', { name: 'Copper gate' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
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
      const { page } = await watched('ada', '/settings/audit')
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
      const { page } = await watched('ada', '/settings/roles')
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
      const { page, complaints } = await watched('ada', path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
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

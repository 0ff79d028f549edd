import { readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { password, startGatehouse, stopAll, type Gatehouse } from '../server/test/harness.ts'
import { chromiumArgs, program } from '../server/test/programs.ts'

const executablePath = program('chromium')

const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  front_door: { source: 'demo:door', title: 'Front door', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}
const others = /front.?door|back.?office|office/i

/** The pages, and what stands on each for somebody who may see it. */
const pages = [
  ['access', 'Who sees what'],
  ['audit', 'Export CSV'],
  ['log', 'Copy all lines'],
  ['system', 'Running for'],
] as const

let browser: Browser
let house: Gatehouse
const contexts: BrowserContext[] = []

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US', ...options })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  return page
}

/** An admin's page: the inside port asks nobody to sign in. */
async function adminAt(section: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(options)
  await page.goto(`${house.inside.base}/settings/${section}`)
  return page
}

async function signedIn(user: string, path = '/'): Promise<Page> {
  const page = await newPage()
  await page.goto(`${house.gate.base}${path}`)
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Account: ${user}` }).waitFor()
  return page
}

const wholeOf = (page: Page): Promise<string> => page.evaluate('document.documentElement.outerHTML')

const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
const lines = (page: Page) => page.getByRole('region', { name: 'Log lines' }).locator('details')

describe.skipIf(!executablePath)('the pages of an admin', () => {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [...chromiumArgs, '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
    house = await startGatehouse({
      config: {
        cameras,
        auth: { roles: { neighbour: ['side_yard'] } },
        proxy: {
          header_map: {
            user: 'x-forwarded-user',
            role: 'x-forwarded-groups',
            role_map: { admin: ['sysadmins'], neighbour: ['next-door'] },
          },
        },
      },
    })
    await house.user('vera', 'viewer')
    await house.user('nina', 'neighbour')
    // A spreadsheet would take this name for a formula.
    await house.user('+evil@example.org', 'neighbour')
  })
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await stopAll()
  })

  test.each(['vera', 'nina'])('[ROLE-2] are denied to %s, who asks the service for none of it', async (user) => {
    const page = await signedIn(user)
    const requested: string[] = []
    page.on('request', (request) => void requested.push(new URL(request.url()).pathname))
    for (const [section] of pages) {
      await page.goto(`${house.gate.base}/settings/${section}`)
      await page.getByRole('heading', { name: 'Access denied' }).waitFor()
      expect(await page.locator('a[href*="settings"]').count()).toBe(0)
    }
    expect(requested.filter((path) => /^\/api\/(audit|logs|stats|users|roles)/.test(path))).toEqual([])
  })

  test('[ROLE-5] the statistics that a custom role may fetch hold no other camera', async () => {
    const page = await signedIn('nina')
    const reported = (await page.evaluate(`fetch('/api/stats').then((answer) => answer.text())`)) as string
    expect(reported).toContain('side_yard')
    expect(reported).not.toMatch(others)
    expect(reported).not.toContain('open_streams')
    expect(await page.evaluate(`fetch('/api/metrics').then((answer) => answer.status)`)).toBe(403)
    expect(await wholeOf(page)).not.toMatch(others)
  })

  describe('access', () => {
    test('[ROLE-8] a user is tried: the role, the rule, the cameras and what they may do', async () => {
      const page = await adminAt('access')
      await page.getByRole('combobox', { name: 'User' }).fill('ni')
      await page.getByRole('option', { name: 'nina' }).click()
      const outcome = page.getByRole('status', { name: 'Outcome' })
      await outcome.getByText('nina has the role neighbour').waitFor()
      const words = await outcome.innerText()
      expect(words).toContain('an admin gave it')
      expect(words).toContain('Sees 1 camera')
      expect(words).toContain('Side yard')
      expect(words).toContain('Watch these cameras')
      expect(words).not.toMatch(others)
    })

    test.each([
      ['X-Forwarded-User: bob\nX-Forwarded-Groups: sysadmins', 'bob has the role admin', 'Sees 3 cameras'],
      ["-H 'X-Forwarded-User: bob' \\\n-H 'X-Forwarded-Groups: next-door'", 'bob has the role neighbour', 'Sees 1'],
      ['X-Forwarded-Groups: sysadmins', 'This is nobody', 'Sees no camera'],
      ['X-Forwarded-User: bob\nX-Forwarded-User: eve', 'This is nobody', 'Sees no camera'],
    ])('[PROXY-11] headers %j are tried: %s', async (headers, role, sees) => {
      const page = await adminAt('access')
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill(headers)
      await page.getByRole('button', { name: 'Try' }).click()
      const outcome = page.getByRole('status', { name: 'Outcome' })
      await outcome.getByText(role).waitFor()
      expect(await outcome.innerText()).toContain(sees)
    })

    test('what is no header is told by its line', async () => {
      const page = await adminAt('access')
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByRole('button', { name: 'Try' }).click()
      await page.getByText('Paste at least one header.').waitFor()
      await page.getByLabel('Headers', { exact: true }).fill('X-Forwarded-User: bob\nwhat is this')
      await page.getByRole('button', { name: 'Try' }).click()
      await page.getByText('Line 2 is not a header.').waitFor()
    })

    test('the table says who sees what, by user and by role, filtered, and alone on paper', async () => {
      const page = await newPage()
      await page.goto(`${house.inside.base}/settings/access`)
      const rows = page.locator('tbody tr')
      const cellsOf = async (name: string): Promise<string[]> => {
        const cells = await page
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .getByRole('cell')
          .allInnerTexts()
        return cells.map((text) => text.replaceAll(/\W/g, ''))
      }
      await rows.first().waitFor()
      expect(await page.locator('thead th').allInnerTexts()).toEqual([
        'Users',
        'Side yard',
        'Front door',
        'Back office',
      ])
      await expect.poll(() => rows.count()).toBe(4)
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
      expect(await page.getByRole('heading', { name: 'Try', exact: true }).isVisible()).toBe(false)
      expect(await rows.last().isVisible()).toBe(true)
      await page.emulateMedia({ media: 'screen' })

      await page.getByRole('searchbox', { name: 'Search users' }).fill('nina')
      await expect.poll(() => rows.count()).toBe(1)
      expect(await cellsOf('nina')).toEqual(['yes', 'no', 'no'])
      await page.getByLabel('Camera', { exact: true }).selectOption('office')
      await page.getByText('No matches').waitFor()
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByText('Roles', { exact: true }).last().click()
      await expect.poll(() => rows.count()).toBe(3)
      expect(await cellsOf('viewer')).toEqual(['yes', 'yes', 'yes'])
      expect(await cellsOf('neighbour')).toEqual(['yes', 'no', 'no'])
    })
  })

  describe('audit', () => {
    test('is told in words, and filtered by user, action, result and time', async () => {
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await page.getByRole('combobox', { name: 'User' }).fill('VERA')
      await expect.poll(() => entries(page).filter({ hasNotText: 'vera' }).count()).toBe(0)
      await expect.poll(() => entries(page).first().innerText()).toContain('Sign in')
      await page.getByRole('combobox', { name: 'User' }).fill('')
      await page.getByLabel('Action').selectOption('user.create')
      await expect.poll(() => entries(page).filter({ hasNotText: 'Add a user' }).count()).toBe(0)
      expect(await entries(page).last().textContent()).toContain('when the service started')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      expect(readFileSync(await download.path(), 'utf8')).toMatch(/,admin,ok,at-start,1,,,\r\n$/)
      await page.getByLabel('Result').selectOption('failed')
      await page.getByText('Nothing happened').waitFor()
      await page.getByRole('button', { name: 'Show everything' }).click()
      await page.getByLabel('Time', { exact: true }).selectOption('chosen')
      await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
      await page.getByText('Nothing happened').waitFor()
    })

    test('goes on by itself at its end, to the first entry', async () => {
      // Changes are one entry each; refusals would be counted in one.
      for (let i = 0; i < 120; i++) await house.inside.put('/api/users/nina/role', { role: 'neighbour' })
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await expect
        .poll(
          async () => {
            await page.mouse.wheel(0, 20_000)
            return page.getByText('That is everything.').count()
          },
          { timeout: 20_000 },
        )
        .toBe(1)
      expect(await entries(page).count()).toBeGreaterThan(100)
      expect(await entries(page).last().textContent()).toContain('The service itself')
    })

    test('is exported in full, by RFC 4180, and no field of it is a formula', async () => {
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await page.getByLabel('Action').selectOption('login')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^gatehouse-audit .*\.csv$/)
      const text = readFileSync(await download.path(), 'utf8')
      expect(text.startsWith('\ufeffTime (UTC),User,Signed in by,Address,Action,')).toBe(true)
      expect(text.endsWith('\r\n')).toBe(true)
      expect(text).toContain(`,'+evil@example.org,`)
      for (const line of text.trimEnd().split('\r\n').slice(1)) expect(line).toMatch(/,login,Sign in,/)
      await page.getByText(/entries exported/).waitFor()
    })

    test('an export can be cancelled, and then no file is made', async () => {
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      let downloads = 0
      page.on('download', () => void downloads++)
      await page.route(/\/api\/audit\?.*limit=500/, () => {})
      await page.getByRole('button', { name: 'Export CSV' }).click()
      await page.getByText('Exporting…').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Export CSV' }).waitFor()
      expect(downloads).toBe(0)
    })
  })

  describe('log', () => {
    test('follows what the service says, filters it, and shows details when asked', async () => {
      const page = await adminAt('log')
      await lines(page).first().waitFor()
      const name = `someone${Date.now()}`
      await house.inside.post('/api/users', { username: name, password, role: 'viewer' })
      await house.gate.post('/api/login', { user: name, password: 'not the password' })
      const line = lines(page).filter({ hasText: name })
      await line.first().waitFor()
      // The newest line is in sight.
      expect(await lines(page).last().boundingBox()).toMatchObject({
        y: expect.toSatisfy((y: number) => y < 900) as number,
      })
      // Thousands of lines cost nothing while they are out of sight.
      const visibility = page.evaluate(`getComputedStyle(document.querySelector('details')).contentVisibility`)
      expect(await visibility).toBe('auto')
      expect(await page.locator('pre').count()).toBe(0)
      await line.first().locator('summary').click()
      await page.locator('pre').getByText(name).waitFor()

      await page.getByLabel('Logger').selectOption('service.cameras')
      await expect.poll(() => lines(page).filter({ hasNotText: 'service.cameras' }).count()).toBe(0)
      await page.getByLabel('From level').selectOption('error')
      await page.getByText('No line fits').waitFor()
      await page.getByRole('button', { name: 'Show all lines' }).click()
      await page.getByRole('searchbox', { name: 'Search' }).fill(name)
      await expect.poll(() => lines(page).filter({ hasNotText: name }).count()).toBe(0)
    })

    test('rests while following is off', async () => {
      const page = await adminAt('log')
      await lines(page).first().waitFor()
      await page.getByRole('switch', { name: 'Follow' }).uncheck({ force: true })
      await page.waitForTimeout(300)
      let requested = 0
      page.on('request', (request) => void (requested += Number(request.url().includes('/api/logs'))))
      await page.waitForTimeout(3000)
      expect(requested).toBe(0)
    })
  })

  describe('system', () => {
    test('shows what runs, what each camera costs, and renews itself', async () => {
      const page = await adminAt('system')
      await page.getByText('Running for').waitFor()
      const words = await page.getByRole('main').innerText()
      expect(words).toContain(process.versions.node)
      expect(words).toContain('SQLite')
      expect(words).toContain('Works')
      const row = page.getByRole('row', { name: /^Side yard/ })
      await row.getByText('Online').waitFor()
      await row.getByText('1280 × 720').waitFor()
      await page
        .getByRole('row', { name: /^Back office/ })
        .getByText('Turned off')
        .waitFor()
      await page.waitForResponse((response) => response.url().endsWith('/api/stats'))
      for (const link of await page.getByRole('link', { name: /Metrics|API reference|Health/ }).all()) {
        const href = (await link.getAttribute('href')) ?? ''
        expect((await house.inside.get(new URL(href).pathname)).status, href).toBe(200)
      }
    })

    test('says so when the service is away, and keeps what it knew', async () => {
      const page = await adminAt('system')
      await page.getByText('Running for').waitFor()
      await page.route('**/api/stats', (route) => route.abort())
      await page.getByText('Connection lost.').waitFor()
      expect(await page.getByText('Running for').count()).toBe(1)
    })
  })
})

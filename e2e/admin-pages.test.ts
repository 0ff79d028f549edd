import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { wait } from '../server/test/support/wait.ts'
import { fetched } from './fetched.ts'
import { newPage, ownPage, signedIn } from './tabs.ts'

const executablePath = program('chromium')

const cameras = {
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  front_door: { source: 'demo:door', title: 'Front door', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}
const others = /front.?door|back.?office|office/i

let service: Service

/** Opens an admin's page: the internal port requires no sign-in. */
async function adminAt(section: string): Promise<Page> {
  const page = await newPage()
  await page.goto(`${service.internal.base}/settings/${section}`)
  return page
}

const wholeOf = (page: Page): Promise<string> => page.evaluate('document.documentElement.outerHTML')

const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
const lines = (page: Page) => page.getByRole('region', { name: 'Log lines' }).locator('details')

describe.skipIf(!executablePath)('admin pages', () => {
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras,
        auth: { roles: { neighbor: ['side_yard'] } },
        proxy: {
          header_map: {
            user: 'x-forwarded-user',
            role: 'x-forwarded-groups',
            role_map: { admin: ['sysadmins'], neighbor: ['next-door'] },
          },
        },
      },
    })
    await service.user('vera', 'viewer')
    await service.user('nina', 'neighbor')
    // A spreadsheet would interpret this name as a formula.
    await service.user('+evil@example.org', 'neighbor')
  })
  afterAll(stopAll)

  test('[ROLE-5] statistics for a custom role contain no other camera', async () => {
    const page = await signedIn(service, 'nina')
    const reported = (await page.evaluate(`fetch('/api/stats').then((response) => response.text())`)) as string
    expect(reported).toContain('side_yard')
    expect(reported).not.toMatch(others)
    expect(reported).not.toContain('open_streams')
    expect(await page.evaluate(`fetch('/api/metrics').then((response) => response.status)`)).toBe(403)
    expect(await wholeOf(page)).not.toMatch(others)
  })

  describe('access', () => {
    test('[ROLE-8] the access preview of a user shows role, rule, cameras and actions', async () => {
      const page = await adminAt('access')
      await page.getByRole('combobox', { name: 'User' }).fill('ni')
      await page.getByRole('option', { name: 'nina' }).click()
      const outcome = page.getByRole('status', { name: 'Result' })
      await outcome.getByText('nina has the role neighbor').waitFor()
      const words = await outcome.innerText()
      expect(words).toContain('assigned by an admin')
      expect(words).toContain('1 camera')
      expect(words).toContain('Side yard')
      expect(words).toContain('View live video')
      expect(words).not.toMatch(others)
    })

    test.each([
      ['X-Forwarded-User: bob\nX-Forwarded-Groups: sysadmins', 'bob has the role admin', '3 cameras'],
      ["-H 'X-Forwarded-User: bob' \\\n-H 'X-Forwarded-Groups: next-door'", 'bob has the role neighbor', '1 camera'],
      ['X-Forwarded-Groups: sysadmins', 'Not recognized', 'No camera access'],
      ['X-Forwarded-User: bob\nX-Forwarded-User: eve', 'Not recognized', 'No camera access'],
    ])('[PROXY-11] the access preview of headers %j: %s', async (headers, role, sees) => {
      const page = await adminAt('access')
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill(headers)
      await page.getByRole('button', { name: 'Preview' }).click()
      const outcome = page.getByRole('status', { name: 'Result' })
      await outcome.getByText(role).waitFor()
      expect(await outcome.innerText()).toContain(sees)
    })

    test('a line that is not a header is reported by its number', async () => {
      const page = await adminAt('access')
      await page.getByText('Proxy headers', { exact: true }).click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('Paste at least one header.').waitFor()
      await page.getByLabel('Headers', { exact: true }).fill('X-Forwarded-User: bob\nwhat is this')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('Line 2 isn’t a header.').waitFor()
    })

    test('the table shows access by user and by role, can be filtered, and prints alone', async () => {
      const page = await ownPage()
      await page.goto(`${service.internal.base}/settings/access`)
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
      expect(await page.getByRole('heading', { name: 'Preview access', exact: true }).isVisible()).toBe(false)
      expect(await rows.last().isVisible()).toBe(true)
      await page.emulateMedia({ media: 'screen' })

      await page.getByRole('searchbox', { name: 'Search users' }).fill('nina')
      await expect.poll(() => rows.count()).toBe(1)
      expect(await cellsOf('nina')).toEqual(['yes', 'no', 'no'])
      await page.getByLabel('Camera', { exact: true }).selectOption('office')
      await page.getByText('No matches').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByText('Roles', { exact: true }).last().click()
      await expect.poll(() => rows.count()).toBe(3)
      expect(await cellsOf('viewer')).toEqual(['yes', 'yes', 'yes'])
      expect(await cellsOf('neighbor')).toEqual(['yes', 'no', 'no'])
    })
  })

  describe('audit', () => {
    test('is shown in words, and filtered by user, action, result and time', async () => {
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await page.getByRole('combobox', { name: 'User' }).fill('VERA')
      await expect.poll(() => entries(page).filter({ hasNotText: 'vera' }).count()).toBe(0)
      await expect.poll(() => entries(page).first().innerText()).toContain('Sign in')
      await page.getByRole('combobox', { name: 'User' }).fill('')
      await page.getByLabel('Action').selectOption('user.create')
      await expect.poll(() => entries(page).filter({ hasNotText: 'Add user' }).count()).toBe(0)
      expect(await entries(page).last().textContent()).toContain('at startup')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      expect(readFileSync(await download.path(), 'utf8')).toMatch(/,admin,success,at-start,1,,,\r\n$/)
      await page.getByLabel('Result').selectOption('failure')
      await page.getByText('No entries', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByLabel('Time range', { exact: true }).selectOption('chosen')
      await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
      await page.getByText('No entries', { exact: true }).waitFor()
      // Half a time is not none.
      await page.getByLabel('To', { exact: true }).focus()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Shift+Tab')
      await page.getByText('Incomplete time. Complete it, or clear the field.').waitFor()
      expect(await entries(page).count()).toBe(0)
    })

    test('has its filters behind a button on a phone, unless they hide entries', async () => {
      const page = await ownPage({ viewport: { width: 360, height: 800 } })
      await page.goto(`${service.internal.base}/settings/audit`)
      await entries(page).first().waitFor()
      const [action, button] = [page.getByLabel('Action'), page.getByRole('button', { name: /^Filters/ })]
      expect(await action.count()).toBe(0)
      expect((await entries(page).first().boundingBox())!.y).toBeLessThan(500)
      await button.click()
      await action.selectOption('user.create')
      await expect.poll(() => entries(page).filter({ hasNotText: 'Add user' }).count()).toBe(0)
      await page.reload()
      await action.waitFor()
      await page.getByRole('button', { name: 'Filters (1)' }).click()
      expect(await action.count()).toBe(0)
    })

    test('loads more at the end of the list, up to the first entry', async () => {
      // Each change is one audit entry; repeated denials would be counted in one.
      for (let i = 0; i < 120; i++) await service.internal.put('/api/users/nina/role', { role: 'neighbor' })
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 20_000)
          return page.getByText('End of list').count()
        })
        .toBe(1)
      expect(await entries(page).count()).toBeGreaterThan(100)
      expect(await entries(page).last().textContent()).toContain('System')
    })

    test('is exported in full as RFC 4180, and no field is a formula', async () => {
      const page = await adminAt('audit')
      await entries(page).first().waitFor()
      await page.getByLabel('Action').selectOption('login')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^gatehouse-audit .*\.csv$/)
      const text = readFileSync(await download.path(), 'utf8')
      expect(text.startsWith('\ufeffTime (UTC),User,Sign-in method,Credential ID,Credential,Address,Action,')).toBe(
        true,
      )
      expect(text.endsWith('\r\n')).toBe(true)
      expect(text).toContain(`,'+evil@example.org,`)
      for (const line of text.trimEnd().split('\r\n').slice(1)) expect(line).toMatch(/,login,Sign in,/)
      await page.getByText(/entries exported/).waitFor()
    })

    test('an export can be canceled, and then creates no file', async () => {
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
    test('follows the log, filters it, and shows details on request', async () => {
      const page = await adminAt('log')
      await lines(page).first().waitFor()
      const name = `someone${Date.now()}`
      await service.internal.post('/api/users', { username: name, password, role: 'viewer' })
      await service.gate.post('/api/login', { user: name, password: 'not the password' })
      const line = lines(page).filter({ hasText: name })
      await line.first().waitFor()
      // The newest line is in view.
      expect(await lines(page).last().boundingBox()).toMatchObject({
        y: expect.toSatisfy((y: number) => y < 900) as number,
      })
      // Thousands of lines cost nothing while they are out of view.
      const visibility = page.evaluate(`getComputedStyle(document.querySelector('details')).contentVisibility`)
      expect(await visibility).toBe('auto')
      expect(await page.locator('pre').count()).toBe(0)
      await line.first().locator('summary').click()
      await page.locator('pre').getByText(name).waitFor()

      await page.getByLabel('Logger').selectOption('service.cameras')
      await expect.poll(() => lines(page).filter({ hasNotText: 'service.cameras' }).count()).toBe(0)
      await page.getByLabel('Minimum level').selectOption('error')
      await page.getByText('No lines match').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('searchbox', { name: 'Search' }).fill(name)
      await expect.poll(() => lines(page).filter({ hasNotText: name }).count()).toBe(0)
    })

    test('has its filters behind a button on a phone, unless they hide lines', async () => {
      const page = await ownPage({ viewport: { width: 360, height: 800 } })
      await page.goto(`${service.internal.base}/settings/log`)
      await lines(page).first().waitFor()
      const [level, button] = [page.getByLabel('Minimum level'), page.getByRole('button', { name: /^Filters/ })]
      expect(await level.count()).toBe(0)
      await page.getByRole('switch', { name: 'Follow' }).waitFor()
      const search = await page.getByRole('searchbox', { name: 'Search' }).boundingBox()
      expect((await button.boundingBox())!.y).toBe(search!.y)
      await button.click()
      await level.selectOption('info')
      await page.reload()
      await level.waitFor()
      await level.selectOption('debug')
      await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
      expect(await level.isVisible()).toBe(true)
      await level.selectOption('info')
      await button.click()
      expect(await level.count()).toBe(0)
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
      expect(await button.getAttribute('data-variant')).toBe('filled')
    })

    test('does not scroll while following is off', async () => {
      const page = await adminAt('log')
      await lines(page).first().waitFor()
      await page.getByRole('switch', { name: 'Follow' }).uncheck({ force: true })
      await wait(300, 'a request that was under way ends')
      let requested = 0
      page.on('request', (request) => void (requested += Number(request.url().includes('/api/logs'))))
      await wait(3000, 'the page follows once a second')
      expect(requested).toBe(0)
    })
  })

  describe('system', () => {
    test('shows the service and the load of each camera, and refreshes', async () => {
      const page = await adminAt('system')
      await page.getByText('Uptime').waitFor()
      const words = await page.getByRole('main').innerText()
      expect(words).toContain(process.versions.node)
      expect(words).toContain('SQLite')
      expect(words).toContain('Healthy')
      const row = page.getByRole('row', { name: /^Side yard/ })
      await row.getByText('Online').waitFor()
      await row.getByText('1280 × 720').waitFor()
      await page
        .getByRole('row', { name: /^Back office/ })
        .getByText('Disabled')
        .waitFor()
      await page.waitForResponse((response) => response.url().endsWith('/api/stats'))
      for (const link of await page.getByRole('link', { name: /Metrics|API reference|Health/ }).all()) {
        const href = (await link.getAttribute('href')) ?? ''
        expect((await service.internal.get(new URL(href).pathname)).status, href).toBe(200)
      }
    })

    test.each(
      ['de', 'es', 'fr', 'zh-CN'].flatMap((language) => [1280, 1440].map((width) => [language, width] as const)),
    )('the table of cameras has room in %s, also %d pixels wide', async (locale, width) => {
      const page = await newPage({ locale, viewport: { width, height: 900 } })
      await page.route('**/api/stats', async (route) => {
        const response = await fetched(route)
        const stats = (await response.json()) as { cameras: object[] }
        const busy = { viewers: 12, resolution: '2560x1440', fps: 25, bitrate: 8_400_000, cpu: 12.5, memory: 385e6 }
        const since = {
          state: 'offline',
          detail: 'Connection refused by the camera.',
          state_changed_at: new Date(Date.now() - 35 * 60_000).toISOString(),
        }
        const all = stats.cameras.map((camera) => ({ ...camera, ...since, ...busy, restarts: 14 }))
        await route.fulfill({ response, json: { ...stats, cameras: all } })
      })
      await page.goto(`${service.internal.base}/settings/system`)
      await page.getByRole('cell', { name: /2560/ }).first().waitFor()
      const overflow =
        'document.querySelector("table").scrollWidth - document.querySelector("table").parentElement.clientWidth'
      expect(await page.evaluate(overflow)).toBe(0)
    })

    test('reports that the service is unreachable, and keeps the last values', async () => {
      const page = await adminAt('system')
      await page.getByText('Uptime').waitFor()
      await page.route('**/api/stats', (route) => route.abort())
      await page.getByText('Connection lost.').waitFor()
      expect(await page.getByText('Uptime').count()).toBe(1)
    })
  })
})

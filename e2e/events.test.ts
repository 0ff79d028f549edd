import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launch } from './browser.ts'
import { password, startGatehouse, stopAll, type Gatehouse } from '../server/test/harness.ts'
import { program } from '../server/test/programs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}

const tile = (page: Page, state: string) => page.locator(`[data-camera="yard"][data-state="${state}"]`)

describe.skipIf(!executablePath)('what happens, as the pages hear it', () => {
  let browser: Browser
  let house: Gatehouse
  beforeAll(async () => {
    house = await startGatehouse({
      config: { cameras, auth: { roles: { neighbour: ['yard', 'office'], clerk: ['office'] } } },
    })
    browser = await launch(executablePath ?? '')
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    await stopAll()
  })

  async function inside(): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(45_000)
    return page
  }

  async function signedIn(name: string, role: string): Promise<[Page, BrowserContext]> {
    await house.user(name, role)
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    const body = { user: name, password }
    const answer = await context.request.post(`${house.gate.base}/api/login`, { data: body })
    expect(answer.status()).toBe(200)
    return [page, context]
  }

  async function turn(camera: keyof typeof cameras, on: boolean): Promise<void> {
    const { text } = await house.inside.get('/api/config/raw')
    const changed = text.replace(new RegExp(`(  ${camera}:\\n(?:    .*\\n)*?    enabled: )\\w+`), `$1${on}`)
    const answer = await house.inside.ask('PUT', '/api/config/raw', {
      body: changed,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })
    expect(answer.status, answer.text).toBe(200)
  }

  test('a camera that is turned on is seen to be, though its page can ask for nothing more', async () => {
    const page = await inside()
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${house.inside.base}/`)
    await tile(page, 'disabled').waitFor()
    await up
    await page.route('**/api/cameras', (route) => route.abort())
    await turn('yard', true)
    await tile(page, 'playing').waitFor()
    await turn('yard', false)
    await tile(page, 'disabled').waitFor()
  })

  test('a camera that is disabled while its page is open offers nothing to do with a video that is not there', async () => {
    await turn('yard', true)
    const page = await inside()
    await page.goto(`${house.inside.base}/cameras/yard`)
    await tile(page, 'playing').waitFor()
    const buttons = page.getByRole('group').getByRole('button')
    const names = async () => (await buttons.all()).length
    await page.getByRole('button', { name: 'Save a picture' }).waitFor()
    const playing = await names()
    await turn('yard', false)
    await tile(page, 'disabled').waitFor()
    expect(await page.getByRole('button', { name: 'Save a picture' }).count()).toBe(0)
    expect(await names()).toBeLessThan(playing)
    expect(await page.locator('[data-live]').count()).toBe(0)
  })

  test('a line that breaks is there again, and what was missed is asked for', async () => {
    const page = await inside()
    const lines: WebSocketRoute[] = []
    let requested: Promise<unknown> | undefined
    await page.routeWebSocket('**/api/events', (line) => {
      lines.push(line)
      // Sooner than the page would ask by itself.
      requested = page.waitForRequest((request) => request.url().endsWith('/api/cameras'), { timeout: 4000 })
      requested.catch(() => {})
      line.connectToServer()
    })
    await page.goto(`${house.inside.base}/`)
    await tile(page, 'disabled').waitFor()
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1)
    await lines[0]?.close({ code: 1001, reason: 'service stopping' })
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2)
    await requested
  })

  test('[ROLE-10] a camera that is taken from a role is gone from the open live page, and one given is there', async () => {
    const [page] = await signedIn('nina', 'neighbour')
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${house.gate.base}/`)
    await tile(page, 'disabled').waitFor()
    await up
    const give = async (role: string) =>
      expect((await house.inside.put('/api/users/nina/role', { role })).status).toBe(200)
    await give('clerk')
    await page.locator('[data-camera="yard"]').waitFor({ state: 'detached', timeout: 2000 })
    await page.getByRole('alert').getByText('You may no longer see Side yard.').waitFor()
    expect(await page.locator('[data-camera="office"]').count()).toBe(1)
    await give('neighbour')
    await tile(page, 'disabled').waitFor({ timeout: 2000 })
  })

  test('[TOK-6] a session that ends shows the login page at once, on a page that asks for nothing', async () => {
    const [page, context] = await signedIn('vera', 'viewer')
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${house.gate.base}/no/such/page`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await up
    expect((await context.request.post(`${house.gate.base}/api/logout`)).status()).toBe(204)
    await page.waitForURL('**/login?**', { timeout: 10_000 })
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})

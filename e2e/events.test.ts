import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageStopwatch } from './browser.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
}

const tile = (page: Page, state: string) => page.locator(`[data-camera="yard"][data-state="${state}"]`)

describe.skipIf(!executablePath)('events on open pages', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras,
        auth: { roles: { neighbor: ['yard', 'office'], clerk: ['office'] } },
      },
    })
  })
  afterAll(stopAll)

  async function signedIn(name: string, role: string): Promise<Page> {
    await service.user(name, role)
    const page = await newPage()
    await signInOn(page, service, name)
    return page
  }

  async function turn(camera: keyof typeof cameras, on: boolean): Promise<void> {
    const { text } = await service.internal.get('/api/config/raw')
    const changed = text.replace(new RegExp(`(  ${camera}:\\n(?:    .*\\n)*?    enabled: )\\w+`), `$1${on}`)
    const response = await service.internal.request('PUT', '/api/config/raw', {
      body: changed,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })
    expect(response.status, response.text).toBe(200)
  }

  test('an enabled camera is shown as such, even if the page can send no more requests', async () => {
    const page = await newPage()
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${service.internal.base}/`)
    await tile(page, 'disabled').waitFor()
    await up
    await page.route('**/api/cameras', (route) => route.abort())
    await turn('yard', true)
    await tile(page, 'playing').waitFor()
    await turn('yard', false)
    await tile(page, 'disabled').waitFor()
  })

  test('a camera disabled while its page is open offers no video controls', async () => {
    await turn('yard', true)
    const page = await newPage()
    await page.goto(`${service.internal.base}/cameras/yard`)
    await tile(page, 'playing').waitFor()
    const buttons = page.getByRole('group').getByRole('button')
    const names = async () => (await buttons.all()).length
    await page.getByRole('button', { name: 'Save snapshot' }).waitFor()
    const playing = await names()
    await turn('yard', false)
    await tile(page, 'disabled').waitFor()
    expect(await page.getByRole('button', { name: 'Save snapshot' }).count()).toBe(0)
    expect(await names()).toBeLessThan(playing)
    expect(await page.locator('[data-live]').count()).toBe(0)
  })

  test('a broken event connection is reopened, and missed changes are refetched', async () => {
    const page = await ownPage()
    const lines: WebSocketRoute[] = []
    let requested: Promise<number> | undefined
    await page.routeWebSocket('**/api/events', (line) => {
      lines.push(line)
      const elapsed = pageStopwatch()
      requested = page.waitForRequest((request) => request.url().endsWith('/api/cameras')).then(elapsed)
      requested.catch(() => {})
      line.connectToServer()
    })
    await page.goto(`${service.internal.base}/`)
    await tile(page, 'disabled').waitFor()
    await expect.poll(() => lines.length).toBe(1)
    await lines[0]?.close({ code: 1001, reason: 'service stopping' })
    await expect.poll(() => lines.length).toBe(2)
    // Sooner than the page would poll.
    expect(await requested).toBeLessThan(4000)
  })

  test('[ROLE-10] a camera removed from a role disappears from the open live page, and an added one appears', async () => {
    const page = await signedIn('nina', 'neighbor')
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${service.gate.base}/`)
    await tile(page, 'disabled').waitFor()
    await up
    const give = async (role: string) =>
      expect((await service.internal.put('/api/users/nina/role', { role })).status).toBe(200)
    let elapsed = pageStopwatch()
    await give('clerk')
    await page.locator('[data-camera="yard"]').waitFor({ state: 'detached' })
    expect(elapsed()).toBeLessThan(2000)
    await page.getByRole('alert').getByText('You no longer have access to Side yard.').waitFor()
    expect(await page.locator('[data-camera="office"]').count()).toBe(1)
    elapsed = pageStopwatch()
    await give('neighbor')
    await tile(page, 'disabled').waitFor()
    expect(elapsed()).toBeLessThan(2000)
  })

  test('[TOK-6] the end of a session shows the login page immediately, even on a page without requests', async () => {
    const page = await signedIn('vera', 'viewer')
    const up = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    await page.goto(`${service.gate.base}/no/such/page`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await up
    expect((await page.context().request.post(`${service.gate.base}/api/logout`)).status()).toBe(204)
    await page.waitForURL('**/login?**', { timeout: 60_000 })
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})

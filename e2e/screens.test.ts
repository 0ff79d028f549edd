import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { wait } from '../server/test/support/wait.ts'
import { pageStopwatch, stopOf } from './browser.ts'
import { pairBrowser } from './pages/screens.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard' },
  door: { source: 'demo:door', title: 'Front door', enabled: false },
  office: { source: 'demo:office', title: 'Office', enabled: false },
}

const playing = (page: Page, camera: string) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`).waitFor({ timeout: 60_000 })
const tiles = (page: Page) =>
  page.locator('[data-camera]').evaluateAll((all) => all.map((tile) => tile.getAttribute('data-camera')))

/** A new browser, as a display is one. */
const display = (): Promise<Page> => newPage({ viewport: { width: 1280, height: 720 } })

describe.skipIf(!executablePath)('a paired screen', () => {
  let service: InProcessService
  let admin: TestClient

  beforeAll(async () => {
    service = await startService({ config: { tls: { enabled: false }, cameras } })
    admin = await service.user('ada', 'admin')
    await service.user('gwen', 'admin')
    await vi.waitFor(
      async () => expect((await admin.get('/api/cameras/yard')).json).toMatchObject({ state: 'online' }),
      { timeout: 60_000, interval: 200 },
    )
  })
  afterAll(stopAll)

  const url = (path: string) => `${service.gate.base}${path}`
  /** A display that shows its cameras. @returns the page, and the screen's id */
  const screen = async (names: readonly string[], layout: object = {}): Promise<[page: Page, id: string]> => {
    const page = await display()
    const id = await pairBrowser(page.context(), { service }, { name: 'Hall', cameras: names, layout })
    await page.goto(url('/screen'))
    return [page, id]
  }

  test('[KEY-6] an admin enters the code of a display, which then plays its cameras; a revocation says why within a second', async () => {
    const page = await display()
    await page.goto(url('/pair'))
    const code = /Code: (.*)/.exec(await page.getByText(/^Code: /).innerText())![1]!.replaceAll(' ', '')

    const settings = await newPage({ viewport: { width: 1280, height: 900 } })
    await signInOn(settings, service, admin)
    await settings.goto(url('/settings/screens'))
    await settings.getByRole('button', { name: 'Add screen' }).click()
    await settings.getByLabel('Code').fill(code.toLowerCase())
    await settings.getByRole('button', { name: 'Continue' }).click()
    await settings.getByText(/at 127\.0\.0\.1 requested pairing/).waitFor()
    // The field that had it is gone.
    expect(await settings.evaluate('document.activeElement.role')).toBe('alert')
    await settings.getByLabel('Name').fill('Hall')
    await settings.getByLabel('Side yard').check()
    await settings.getByRole('dialog').getByRole('button', { name: 'Add screen' }).click()
    await settings.locator('[data-screen="Hall"]').waitFor()

    await playing(page, 'yard')
    expect(await tiles(page)).toEqual(['yard'])
    await page.reload()
    await playing(page, 'yard')

    const stopped = await stopOf(page, 'video')
    await settings.getByRole('button', { name: 'Remove Hall' }).click()
    const revoked = settings.waitForResponse((response) => response.request().method() === 'DELETE')
    await settings.getByRole('button', { name: 'Remove screen' }).click()
    await revoked
    const elapsed = pageStopwatch()
    await page.getByText('This screen is no longer paired').waitFor()
    await stopped()
    expect(elapsed()).toBeLessThan(1000)
    await page.getByRole('link', { name: 'Pair again' }).click()
    await page.getByText(/^Code: /).waitFor()
  })

  test('[KEY-6] shows other cameras as soon as an admin chooses them', async () => {
    const [page, id] = await screen(['yard', 'door'])
    await playing(page, 'yard')
    const elapsed = pageStopwatch()
    await admin.request('PATCH', `/api/screens/${id}`, { body: { cameras: ['door'], name: 'Lobby' } })
    await expect.poll(() => tiles(page)).toEqual(['door'])
    expect(elapsed()).toBeLessThan(3000)
    await expect.poll(() => page.title()).toContain('Lobby')
  })

  test('doesn’t say that it has no cameras before it knows them', async () => {
    const page = await display()
    await pairBrowser(page.context(), { service }, { name: 'Hall', cameras: ['door'] })
    const fetched = Promise.withResolvers<void>()
    await page.route('**/api/cameras', async (route) => {
      await fetched.promise
      await route.continue()
    })
    await page.goto(url('/screen'))
    await page.getByRole('heading', { name: 'Hall' }).waitFor({ state: 'attached' })
    expect(await page.getByRole('main').innerText()).toContain('Loading…')
    expect(await page.getByText('This screen has no cameras').count()).toBe(0)
    fetched.resolve()
    await expect.poll(() => tiles(page)).toEqual(['door'])
    await page.unrouteAll()
  })

  test('shows its cameras in turn, until a person stops that', async () => {
    const [page] = await screen(['yard', 'door', 'office'], { cameras_per_page: 1, rotate_seconds: 5 })
    await expect.poll(() => tiles(page)).toEqual(['yard'])
    await expect.poll(() => tiles(page)).toEqual(['door'])
    await page.mouse.move(100, 100)
    await page.getByRole('button', { name: 'Pause cycling cameras' }).click()
    await page.getByRole('button', { name: 'Next cameras' }).click()
    const [shown] = await tiles(page)
    await wait(6000, 'longer than a page is shown')
    expect(await tiles(page)).toEqual([shown])
  })

  test('fills the screen at the first click, and is dark in its hours until it is touched', async () => {
    const [page] = await screen(['yard'], { dim: { from: '00:00', until: '00:00' } })
    await page.locator('[data-dark]').waitFor({ state: 'attached', timeout: 60_000 })
    await page.mouse.click(300, 300)
    await page.locator('[data-dark]').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true)
  })

  test('a click is no error in a browser that can’t fill the screen, as on an iPhone', async () => {
    const page = await ownPage()
    await page.addInitScript(`
      delete Element.prototype.requestFullscreen
      Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })`)
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await pairBrowser(page.context(), { service }, { name: 'Hall', cameras: ['door'] })
    await page.goto(url('/screen'))
    await expect.poll(() => tiles(page)).toEqual(['door'])
    await page.mouse.click(300, 300)
    await page.keyboard.press('Enter')
    expect(errors).toEqual([])
  })

  test('plays again by itself after the service was restarted', async () => {
    const [page] = await screen(['yard'])
    await playing(page, 'yard')
    service = await service.restart()
    admin = service.gate.with(admin.headers)
    await page.getByText('Connection lost. Retrying…').or(page.getByText('Connecting…')).first().waitFor()
    await playing(page, 'yard')
  })

  test('[KEY-6] a person can sign in on it, sees their own pages, and after signing out the screen is back', async () => {
    const [page] = await screen(['yard'])
    await playing(page, 'yard')
    await page.goto(url('/settings/users'))
    await page.waitForURL(/\/screen$/)
    await playing(page, 'yard')
    await page.mouse.move(100, 100)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.goto(url('/screen'))
    await page.getByText('A user is signed in on this display').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await playing(page, 'yard')
  })

  test.each([
    {
      ending: 'signs out on it',
      end: (page: Page) => page.getByRole('button', { name: 'Sign out' }).click(),
    },
    {
      ending: 'has their session revoked',
      end: async (page: Page) => {
        await page.getByRole('button', { name: 'Sign out' }).waitFor()
        const sessions = (await service.internal.get('/api/sessions?user=gwen')).json as { id: string }[]
        for (const { id } of sessions) await service.internal.delete(`/api/sessions/${id}`)
        // Sooner than in five seconds.
        await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
      },
    },
  ])('[ROLE-5] after a person $ending, going forward again shows nothing of theirs', async ({ end }) => {
    const [page] = await screen(['yard'])
    await playing(page, 'yard')
    await page.mouse.move(100, 100)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill('gwen')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.goBack()
    await end(page)
    await playing(page, 'yard')

    // What the page shows until it knows who is signed in now.
    await page.route('**/api/**', () => {})
    await page.goForward()
    await page
      .getByText('Loading…')
      .or(page.getByRole('link', { name: 'Settings' }))
      .first()
      .waitFor()
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await page.unrouteAll()
  })
})

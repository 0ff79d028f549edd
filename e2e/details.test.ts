import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage as emptyPage, ownPage, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')

const roles = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`crew${at + 1}`, ['yard']]))
const item = (at: number) => ({
  id: `item${at}`,
  camera: 'yard',
  start: Date.now() / 1000 - 600 * at,
  end: Date.now() / 1000 - 600 * at + 10,
  severity: 'alert',
  data: { motion: 10, box: null },
  thumbnail: null,
  seen: false,
})
const finished = {
  id: 'e1',
  camera: 'yard',
  name: 'Parcel',
  start: 1_790_000_000,
  end: 1_790_000_060,
  state: 'done',
  progress: 100,
  duration: 60,
  bytes: 1000,
  created_at: '2026-11-20T10:00:00Z',
  created_by: 'ada',
  own: true,
}

/** Runs on the internal port, with some responses of the service mocked. */
describe.skipIf(!executablePath)('page details', () => {
  let service: Service
  beforeAll(async () => {
    const cameras = { yard: { source: 'demo:yard', title: 'Side yard', enabled: false } }
    service = await startService({ config: { tls: { enabled: false }, cameras, auth: { roles } } })
  })
  afterAll(stopAll)

  const newPage = (options: PageOptions = {}, open = emptyPage): Promise<Page> =>
    open({ timezoneId: 'UTC', baseURL: service.internal.base, ...options })
  const camera = async () => (await service.internal.get('/api/cameras/yard')).json as object

  test('a camera in the settings gives its offline reason in the page’s language, and lists more than seven roles', async () => {
    const page = await newPage({ locale: 'de-DE' })
    const offline = {
      ...(await camera()),
      state: 'offline',
      detail: 'The camera refused the connection.',
      reason: { code: 'connection-refused' },
    }
    await page.route('**/api/cameras', (route) => route.fulfill({ json: [offline] }))
    await page.goto('/settings/cameras')
    const card = page.getByRole('list', { name: 'Kameras' }).getByRole('listitem')
    await card.getByText('Offline').first().waitFor()
    await card.getByText('crew6 und 3 weitere').waitFor()
    expect(await card.innerText()).not.toContain('refused')
  })

  test.each(['on', 'off'])('letter shortcuts are %s on the review page and in its player', async (letters) => {
    const page = await newPage({}, ownPage)
    await page.addInitScript(`localStorage.setItem('gatehouse-character-keys', '${letters}')`)
    await page.route('**/api/review?*', (route) => route.fulfill({ json: { items: [item(1), item(2)], cursor: null } }))
    const marked: string[] = []
    await page.route('**/api/review/*/seen', async (route) => {
      marked.push(new URL(route.request().url()).pathname)
      await route.fulfill({ status: 204 })
    })
    await page.goto('/review')
    const first = page.locator('[data-item]').first()
    await first.getByRole('button').first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('s')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(`document.activeElement.closest('[data-item]').dataset.item`)).toBe('item2')
    const on = letters === 'on'
    expect(await first.getByRole('checkbox').isChecked()).toBe(on)
    await page.keyboard.press('Enter')
    await page.locator('[data-playing="item2"]').waitFor()
    // Until the focus is in the dialog, keys are those of the list.
    await expect.poll(() => page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true)
    await page.keyboard.press('s')
    await page.keyboard.press('ArrowLeft')
    await page.locator('[data-playing="item1"]').waitFor()
    await expect.poll(() => marked.length).toBe(on ? 2 : 0)
  })

  test('a notification has a labeled close button', async () => {
    const page = await newPage({ locale: 'de-DE' })
    await page.route('**/api/review?*', (route) => route.fulfill({ json: { items: [item(1)], cursor: null } }))
    await page.route('**/api/review/*/seen', (route) => route.fulfill({ status: 500 }))
    await page.goto('/review')
    await page.locator('[data-item]').getByRole('button').first().focus()
    await page.keyboard.press('s')
    const message = page.getByRole('alert')
    await message.getByRole('button', { name: 'Schließen' }).click()
    await message.waitFor({ state: 'detached' })
  })

  test('if no camera has motion detection, an admin gets a link to the setting', async () => {
    const page = await newPage()
    await page.goto('/review')
    const shown = { cameras: { yard: { motion: { enabled: false } } } }
    await page.route('**/api/config', (route) => route.fulfill({ json: shown }))
    await page.reload()
    await page.getByText('Turn it on under Settings > Cameras.').waitFor()
    await page.getByRole('link', { name: 'Open camera settings' }).click()
    await page.getByRole('link', { name: 'Motion detection for Side yard' }).click()
    await page.waitForURL('**/settings/cameras/yard/motion')
    await page.goto('/review?camera=yard')
    await page.getByRole('link', { name: 'Open camera settings' }).click()
    await page.waitForURL('**/settings/cameras/yard/motion')
  })

  test('lost cameras get one notice that names each of them, also two with the same title', async () => {
    const page = await newPage()
    const one = await camera()
    let list = ['a', 'b', 'c'].map((name) => ({ ...one, name, title: 'Yard', state: 'disabled' }))
    await page.route('**/api/cameras', (route) => route.fulfill({ json: list }))
    await page.goto('/')
    await page.locator('[data-camera="c"]').waitFor()
    list = list.slice(0, 1)
    const alerts = page.getByRole('alert').filter({ hasText: 'You no longer have access to' })
    await alerts.getByText('You no longer have access to Yard and Yard.').waitFor()
    expect(await alerts.count()).toBe(1)
    await alerts.getByRole('button').click()
    await expect.poll(() => alerts.count()).toBe(0)
  })

  test.each([
    ['http://127.0.0.1', true],
    // The internal port accepts a hostname without dots, and browsers do not treat that as a secure context.
    ['http://camhost', false],
  ])('log lines can be copied where the browser allows clipboard access: %s', async (origin, offered) => {
    const page = await newPage({ baseURL: `${origin}:${service.internalPort}` })
    await page.goto('/settings/log')
    await page.getByRole('region', { name: 'Log lines' }).locator('summary').first().click()
    await page.locator('pre').waitFor()
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(offered ? 2 : 0)
  })

  test('the link from an empty Exports page to History does not reload the page', async () => {
    const page = await newPage()
    await page.goto('/exports')
    await page.evaluate('window.before = true')
    await page.locator('main').getByRole('link', { name: 'Open history' }).click()
    await page.waitForURL('**/history')
    expect(await page.evaluate('window.before')).toBe(true)
  })

  test('elements hidden from screen readers are not focusable, and a closed player returns the focus to its button', async () => {
    const page = await newPage()
    await page.route('**/api/exports?*', (route) => route.fulfill({ json: { items: [finished], cursor: null } }))
    await page.route('**/api/exports/e1', (route) => route.fulfill({ json: finished }))
    await page.goto('/exports')
    const row = page.locator('[data-export="e1"]')
    await row.waitFor()
    const focusable = '[aria-hidden="true"] :is(button, a[href], input, [tabindex])'
    expect(await row.locator(focusable).count()).toBe(0)
    await row.locator('[aria-hidden="true"] svg').first().click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe(await row.getByRole('button', { name: /^Play/ }).getAttribute('aria-label'))
  })

  test('today becomes yesterday at midnight', async () => {
    const page = await newPage({}, ownPage)
    await page.clock.install({ time: new Date('2026-11-21T23:58:00Z') })
    const days = [{ day: '2026-11-21', camera: 'yard', severity: 'alert', total: 1, unseen: 1 }]
    await page.route('**/api/review/summary?*', (route) => route.fulfill({ json: { days } }))
    await page.goto('/review')
    const choice = page.getByRole('combobox', { name: 'Day' }).locator('option[value="2026-11-21"]')
    await expect.poll(() => choice.textContent()).toBe('Today')
    await page.clock.runFor(180_000)
    await expect.poll(() => choice.textContent()).toBe('Yesterday')
  })

  test('twenty concurrent events cause at most two recounts', async () => {
    const page = await newPage({}, ownPage)
    await page.clock.install()
    let notify: ((text: string) => void) | undefined
    await page.routeWebSocket('**/api/events', (socket) => {
      notify = (text) => socket.send(text)
    })
    await page.goto('/account')
    await page.getByRole('heading', { name: 'anonymous' }).waitFor()
    await expect.poll(() => notify).toBeDefined()
    const counted: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/review/summary')) counted.push(request.url())
    })
    const event = { type: 'review', change: 'created', camera: 'yard', id: 'x', severity: 'alert' }
    for (let at = 0; at < 20; at++) {
      notify?.(JSON.stringify({ ...event, id: `x${at}` }))
      // The event has arrived by then.
      await page.evaluate('1')
      await page.clock.runFor(400)
    }
    const afterMore = async () => {
      await page.clock.runFor(1000)
      return counted.length
    }
    await expect.poll(afterMore).toBe(2)
    expect(await afterMore()).toBe(2)
  })
})

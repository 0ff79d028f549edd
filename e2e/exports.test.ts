import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Export } from '../server/src/exports/export-response.ts'
import { pageStopwatch, stopOf, wholeOf } from './browser.ts'
import { someExports } from './review-fixtures.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')

describe.skipIf(!executablePath)('exports in the app shell', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(stopAll)

  test('running exports are shown on every page, and so is their end', async () => {
    const page = await ownPage()
    const lines: WebSocketRoute[] = []
    await page.routeWebSocket('**/api/events', (line) => {
      line.connectToServer()
      lines.push(line)
    })
    let [running] = someExports
    await page.route('**/api/exports?**', (route) => route.fulfill({ json: { items: [running], cursor: null } }))
    const notify = (state: string, progress: number) =>
      lines[0]?.send(
        JSON.stringify({ type: 'export', change: 'updated', camera: 'front_door', id: running?.id, state, progress }),
      )

    await page.goto(`${service.internal.base}/`)
    await page.getByRole('button', { name: '1 export running, 42%' }).waitFor()
    running = running && { ...running, progress: 77 }
    notify('running', 77)
    await page.getByRole('button', { name: '1 export running, 77%' }).waitFor()
    await page.getByRole('link', { name: 'Exports', exact: true }).click()
    await page.getByText('Exporting… 77%').waitFor()
    expect(await page.getByRole('button', { name: '1 export running, 77%' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Live', exact: true }).click()

    running = running && { ...running, state: 'done', progress: 100, bytes: 1000, duration: 149 }
    notify('done', 100)
    await page.getByText('Package at the door exported.').waitFor()
    expect(await page.getByRole('button', { name: /export running/ }).count()).toBe(0)
  })
})

describe.skipIf(!executablePath)('the exports page', () => {
  let service: Service
  /** The ids of nina's export of the pond, and vera's exports of the pond and the attic. */
  let ofNina: string
  let ofVera: string
  let ofAttic: string

  beforeAll(async () => {
    const cameras = {
      heron_pond: { source: 'demo:yard', title: 'Heron pond', enabled: false },
      velvet_attic: { source: 'demo:office', title: 'Velvet attic', enabled: false },
    }
    const roles = { gardener: ['heron_pond'], clerk: ['velvet_attic'] }
    const empty = await startService({ config: { tls: { enabled: false }, cameras, auth: { roles } } })
    await empty.stop()
    const start = Math.floor(Date.now() / 1000) - 3600
    await Promise.all(
      Object.keys(cameras).map((camera) =>
        writeRecordings(empty.mediaDir, { camera, start: start * 1000, segments: 2 }),
      ),
    )
    service = await empty.restart()
    await service.printed(/recordings reconciled/)
    const [nina, vera] = await Promise.all([service.user('nina', 'gardener'), service.user('vera', 'viewer')])
    const make = async (client: typeof nina, camera: string, seconds: number, name: string): Promise<string> => {
      const { json } = await client.post('/api/exports', { camera, start: start + 1, end: start + 1 + seconds, name })
      const { id } = json as Export
      await vi.waitFor(
        async () => expect((await service.internal.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }),
        { timeout: 60_000, interval: 50 },
      )
      return id
    }
    ofNina = await make(nina, 'heron_pond', 18, '')
    ofVera = await make(vera, 'heron_pond', 4, 'Fox at dawn')
    ofAttic = await make(vera, 'velvet_attic', 4, 'Moth in the attic')
  })
  afterAll(stopAll)

  async function open(user: string, search = ''): Promise<Page> {
    const page = await newPage()
    await signInOn(page, service, user)
    await page.goto(`${service.gate.base}/exports${search}`)
    return page
  }

  test('[ROLE-5] a custom role sees only the exports of its cameras, and no name of another camera', async () => {
    const page = await open('nina')
    expect(await listed(page)).toEqual([ofVera, ofNina])
    expect(await wholeOf(page)).not.toMatch(/velvet|attic/i)
    expect(await page.getByRole('combobox', { name: 'Camera' }).count()).toBe(0)
    // Other users' ids and hidden cameras in the URL get the same response as missing ones.
    await page.goto(`${service.gate.base}/exports?play=${ofAttic}`)
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.locator('video').count()).toBe(0)
    expect(await wholeOf(page)).not.toMatch(/velvet|attic/i)
    await page.goto(`${service.gate.base}/exports?camera=velvet_attic`)
    await page.getByRole('button', { name: 'Show all cameras' }).waitFor()
    expect(await page.locator('[data-export]').count()).toBe(0)
    expect(await page.locator('body').innerText()).not.toMatch(/velvet|attic/i)

    const viewer = await open('vera')
    expect(await listed(viewer)).toEqual([ofAttic, ofVera, ofNina])
    expect(await viewer.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await viewer.getByRole('combobox', { name: 'Camera' }).selectOption('Velvet attic')
    await expect.poll(() => viewer.locator('[data-export]').count()).toBe(1)
    await row(viewer, ofAttic).waitFor()
  })

  test('[ROLE-11] a user can rename their own exports but delete none', async () => {
    const page = await open('nina')
    await row(page, ofNina).waitFor()
    expect(await row(page, ofVera).getByRole('button', { name: 'Rename' }).count()).toBe(0)
    await press(page, ofNina, 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Heron, landing')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, ofNina).getByRole('heading', { name: 'Heron, landing' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download Heron, landing' }).click()
    expect((await download).suggestedFilename()).toBe('Heron, landing.mp4')
  })

  test('an export that a lost connection interrupts plays when tried again', async () => {
    const page = await open('nina')
    await page.route('**/video.mp4', (route) => route.abort())
    await press(page, ofNina, 'Play')
    const alert = page.getByRole('alert')
    await alert.getByText('Connection lost.', { exact: true }).waitFor()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.getByText('Connection lost.', { exact: true }).waitFor()
    await page.unroute('**/video.mp4')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => shownAt(page)).toBeGreaterThan(0.5)
    expect(await alert.count()).toBe(0)
  })

  test.each([
    ['is no longer there', 404, 'This export is no longer available.'],
    ['has a format that the browser doesn’t play', 200, 'This browser can’t play this camera’s video.'],
  ])('the page says so if an export %s', async (_, status, title) => {
    const page = await open('nina')
    await page.route('**/video.mp4', (route) => route.fulfill({ status, contentType: 'video/mp4', body: 'none' }))
    await press(page, ofNina, 'Play')
    await page.getByRole('alert').getByText(title).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await page.locator('video').count()).toBe(0)
  })

  test('an export that can’t be started again says why', async () => {
    const page = await newPage()
    let reason = { code: 'video-format-changed' }
    const failed = () => ({
      ...someExports.find(({ state }) => state === 'failed'),
      camera: 'heron_pond',
      reason,
    })
    await page.route('**/api/exports?**', (route) => route.fulfill({ json: { items: [failed()], cursor: null } }))
    await page.route('**/api/exports', (route) =>
      route.fulfill({
        status: 404,
        json: { code: 'not-found', reason: { code: 'nothing-recorded' }, message: 'Untranslated.' },
      }),
    )
    await signInOn(page, service, 'nina')
    await page.goto(`${service.gate.base}/exports`)
    await page.getByText('The video format changed in this time range.').waitFor()
    // It would fail again.
    expect(await page.getByRole('button', { name: 'Export again' }).count()).toBe(0)
    // Perhaps not all of it was deleted.
    reason = { code: 'recording-deleted' }
    await page.reload()
    await page.getByText('The recording was deleted before it could be exported.').waitFor()
    await page.getByRole('button', { name: 'Export again' }).click()
    await page.getByRole('alert').getByText('No recordings in this time range.').waitFor()
    await page.route('**/api/exports', (route) => route.abort())
    await page.getByRole('button', { name: 'Export again' }).click()
    await page.getByRole('alert').getByText('Can’t reach Gatehouse. Check your connection.', { exact: true }).waitFor()
  })

  test('[ROLE-11] in the history, the warning near a limit links users who can delete exports to the Exports page', async () => {
    await service.user('ada', 'admin')
    const links = async (user: string) => {
      const page = await newPage()
      await page.route('**/api/exports/usage', (route) =>
        route.fulfill({ json: { own: { used: 9e9, limit: 1e10 }, all: null, state: 'near' } }),
      )
      await signInOn(page, service, user)
      await page.goto(`${service.gate.base}/history`)
      await page.locator('[data-history]').waitFor()
      await page.keyboard.press('i')
      await page.getByText('Exports are close to a limit.').waitFor()
      return page.getByRole('link', { name: 'Open exports' })
    }
    expect(await (await links('nina')).count()).toBe(0)
    const link = await links('ada')
    await link.click()
    await link.page().getByRole('heading', { name: 'Exports', level: 1 }).waitFor()
    expect(new URL(link.page().url()).pathname).toBe('/exports')
  })

  test('[ROLE-10] losing a camera while its export plays stops the video, and the page says why', async () => {
    await service.user('rita', 'gardener')
    const page = await open('rita')
    await press(page, ofNina, 'Play')
    await expect.poll(() => shownAt(page), { timeout: 60_000 }).toBeGreaterThan(0.5)
    const stopped = await stopOf(page, '[data-playing] video')
    const elapsed = pageStopwatch()
    await service.internal.put('/api/users/rita/role', { role: 'clerk' })
    await stopped()
    expect(elapsed()).toBeLessThan(2000)
    await page.getByRole('alert').getByText('You no longer have access to this camera.').waitFor()
    expect(await page.locator('video').count()).toBe(0)
    await expect.poll(() => page.locator('[data-export]').count()).toBe(1)
    await row(page, ofAttic).waitFor({ state: 'attached' })
    expect(await page.getByRole('link', { name: 'Download', includeHidden: true }).count()).toBe(1)
  })

  test('[ROLE-11] an admin deletes an export for all users', async () => {
    await service.user('ada', 'admin')
    const page = await open('ada')
    await press(page, ofVera, 'Delete')
    await page.getByRole('dialog', { name: 'Delete Fox at dawn?' }).getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => listed(page)).toEqual([ofAttic, ofNina])
    const nina = await service.user('nina')
    expect((await nina.get('/api/exports')).text).not.toContain(ofVera)
    expect((await service.internal.get(`/api/exports/${ofVera}/video.mp4`)).status).toBe(404)
  })
})

const row = (page: Page, id: string) => page.locator(`[data-export="${id}"]`)
const listed = async (page: Page): Promise<string[]> => {
  await page.getByRole('list', { name: 'Exports' }).waitFor()
  return page
    .locator('[data-export]')
    .evaluateAll((all) => all.map((each) => (each as unknown as { dataset: { export: string } }).dataset.export))
}
/** Playback position of the export, seconds. */
const shownAt = (page: Page): Promise<number> =>
  page.locator('[data-playing] video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime)
const press = (page: Page, id: string, name: string) => row(page, id).getByRole('button', { name }).click()

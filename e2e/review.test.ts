import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launch, stopOf, wholeOf } from './browser.ts'
import { quietCameras, signIn, startGatehouse, stopAll, type Gatehouse } from '../server/test/harness.ts'
import { program } from '../server/test/programs.ts'
import { writeRecordings } from '../server/test/recorded.ts'
import { seedReview } from '../server/test/review-seed.ts'

const executablePath = program('chromium')

describe.skipIf(!executablePath)('the review page', () => {
  let browser: Browser
  let house: Gatehouse
  /** The one of which there is a recording. */
  let recorded: string
  beforeAll(async () => {
    const empty = await startGatehouse({
      config: { cameras: quietCameras, auth: { roles: { neighbour: ['yard'], clerk: ['office'] } } },
    })
    await empty.stop()
    const now = Date.now()
    const start = (Math.floor(now / 1000) - 195) * 1000
    await writeRecordings(empty.mediaDir, { camera: 'yard', start, segments: 3 })
    house = await empty.restart()
    await Promise.all([house.printed(/agree again/), house.user('vera', 'viewer'), house.user('nina', 'neighbour')])
    const seeded = await seedReview(
      house,
      Array.from({ length: 12 }, (_, each) => ({
        camera: each % 3 === 0 ? 'office' : 'yard',
        severity: 'alert' as const,
        start: now - (each + 1) * 60_000,
      })),
    )
    recorded = seeded[2]?.id ?? ''
    browser = await launch(executablePath ?? '')
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
    await stopAll()
  })

  /** undefined: on the inside port, where nobody signs in. */
  async function open(user: string | undefined, before?: (page: Page) => Promise<void>): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', locale: 'en-US' })
    const { base } = user === undefined ? house.inside : house.gate
    if (user !== undefined) {
      const { token } = await signIn(house.gate, user)
      await context.addCookies([{ name: 'gatehouse_token', value: token, url: base, httpOnly: true }])
    }
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    await before?.(page)
    await page.goto(`${base}/review`)
    await items(page).first().waitFor()
    return page
  }

  test('[ROLE-5] a custom role sees what happened at its camera, counts included, and no other by name', async () => {
    const page = await open('nina')
    expect(await items(page).count()).toBe(8)
    await expect.poll(() => badge(page)).toMatch(/^8/)
    expect(await page.content()).not.toMatch(/office/)
    const viewer = await open('vera')
    expect(await items(viewer).count()).toBe(12)
    await expect.poll(() => badge(viewer)).toMatch(/^12/)
  })

  test('[ROLE-11] what one has seen the other has not, one by one and all at once', async () => {
    const [page, elsewhere] = [await open('nina'), await open('nina')]
    const unseen = elsewhere.locator('[data-item]:not([data-seen])')
    await expect.poll(() => unseen.count()).toBe(8)
    await items(page).first().getByRole('button').first().focus()
    await page.keyboard.press('s')
    await expect.poll(() => badge(page)).toMatch(/^7/)
    // The same person's other page follows, and what it shows stays where it is.
    const [first, second] = [await idOf(page, 0), await idOf(page, 1)]
    await expect.poll(() => badge(elsewhere)).toMatch(/^7/)
    await expect.poll(() => unseen.count()).toBe(7)
    expect([await idOf(elsewhere, 0), await idOf(elsewhere, 1)]).toEqual([first, second])
    await page.getByRole('button', { name: 'Mark all seen' }).click()
    await expect.poll(() => page.getByTestId('unseen-alerts').count()).toBe(0)
    await expect.poll(() => unseen.count()).toBe(0)
    await expect.poll(() => elsewhere.getByTestId('unseen-alerts').count()).toBe(0)
    expect(await items(elsewhere).count()).toBe(8)
    expect(await badge(await open('vera'))).toMatch(/^12/)
  })

  test('what comes meanwhile waits until it is called for, and moves nothing', async () => {
    const lines: WebSocketRoute[] = []
    const page = await open('vera', (page) =>
      page.routeWebSocket('**/api/events', (line) => {
        line.connectToServer()
        lines.push(line)
      }),
    )
    const first = await items(page).first().getAttribute('data-item')
    const [made] = await seedReview(house, [{ camera: 'yard', severity: 'alert', start: Date.now() - 5000 }])
    const event = { type: 'review', change: 'new', camera: 'yard', id: made?.id, severity: 'alert' }
    lines[0]?.send(JSON.stringify(event))
    const pill = page.getByRole('button', { name: /^1 new/ })
    await pill.waitFor()
    expect(await items(page).first().getAttribute('data-item')).toBe(first)
    await pill.click()
    await expect.poll(() => items(page).first().getAttribute('data-item')).toBe(made?.id)
    expect(await pill.count()).toBe(0)
  })

  test('[ROLE-10] a camera taken away while an item of it plays stops the picture, and the page says why', async () => {
    await house.user('rita', 'neighbour')
    const page = await open('rita')
    await page.locator(`[data-item="${recorded}"]`).getByRole('button').first().click()
    const recording = page.getByRole('dialog').locator('[data-recording="yard"]')
    await page.locator('[data-recording="yard"][data-state="shown"]').waitFor()
    const stopped = await stopOf(page, '[data-recording="yard"] video')
    const taken = Date.now()
    await house.inside.put('/api/users/rita/role', { role: 'clerk' })
    expect((await stopped()) - taken).toBeLessThan(2000)
    await recording.getByRole('alert').getByText('You may no longer see this camera.').waitFor()
    await recording.getByText('Your access to it has ended.').waitFor()
    // Nor is anything of it offered any more: its clip, its place in the history.
    expect(await page.getByRole('dialog').locator('a').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator(`[data-item="${recorded}"]`).waitFor({ state: 'detached' })
    await items(page).first().waitFor()
    expect(await wholeOf(page)).not.toMatch(/yard/)
  })

  test('[ROLE-11] only who manages the service is offered to delete what happened', async () => {
    await house.user('ada', 'admin')
    const reads = async (who: string) => {
      const page = await open(who)
      await items(page).first().getByRole('checkbox').check()
      await page.getByRole('group', { name: '1 selected' }).waitFor()
      await items(page).first().getByRole('button').first().click()
      await page.getByRole('dialog').getByRole('link', { name: 'Open in history' }).waitFor()
      expect(await page.getByRole('button', { name: 'Delete', includeHidden: true }).count(), who).toBe(0)
    }
    await Promise.all([reads('vera'), reads('nina')])
    const isGone = async (id: string | null) => (await house.inside.get(`/api/review/${id}`)).status === 404

    const admin = await open('ada')
    const [first, second] = [await idOf(admin, 0), await idOf(admin, 1)]
    await items(admin).first().getByRole('button').first().click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await ask(admin).getByRole('button', { name: 'Delete' }).click()
    // The next one plays.
    await admin.locator(`[data-playing="${second}"]`).waitFor()
    expect(await admin.locator(`[data-item="${first}"]`).count()).toBe(0)
    expect(await isGone(first)).toBe(true)

    const inside = await open(undefined)
    expect(await idOf(inside, 0)).toBe(second)
    await items(inside).first().getByRole('checkbox').check()
    await inside.getByRole('group', { name: '1 selected' }).getByRole('button', { name: 'Delete' }).click()
    await ask(inside).getByRole('button', { name: 'Delete' }).click()
    await inside.locator(`[data-item="${second}"]`).waitFor({ state: 'detached' })
    expect(await isGone(second)).toBe(true)
  })
})

const items = (page: Page) => page.locator('[data-item]')
const badge = (page: Page) => page.getByTestId('unseen-alerts').innerText()
const idOf = (page: Page, nth: number) => items(page).nth(nth).getAttribute('data-item')
const ask = (page: Page) => page.getByRole('dialog', { name: 'Delete this item?' })

import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageStopwatch, stopOf, wholeOf } from './browser.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import { seedReview } from '../server/test/support/review-seed.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')

describe.skipIf(!executablePath)('the review page', () => {
  let service: Service
  /** The id of the item that has a recording. */
  let recorded: string
  beforeAll(async () => {
    const empty = await startService({
      config: {
        tls: { enabled: false },
        cameras: quietCameras,
        auth: {
          roles: {
            neighbor: ['yard'],
            clerk: ['office'],
            watcher: { cameras: ['yard'], allow: ['live', 'review'] },
            reader: { cameras: ['office'], allow: ['live', 'review'] },
          },
        },
      },
    })
    await empty.stop()
    const now = Date.now()
    const start = (Math.floor(now / 1000) - 195) * 1000
    await writeRecordings(empty.mediaDir, { camera: 'yard', start, segments: 3 })
    service = await empty.restart()
    await Promise.all([
      service.printed(/recordings reconciled/),
      service.user('vera', 'viewer'),
      service.user('nina', 'neighbor'),
    ])
    const seeded = await seedReview(
      service,
      Array.from({ length: 12 }, (_, each) => ({
        camera: each % 3 === 0 ? 'office' : 'yard',
        severity: 'alert' as const,
        start: now - (each + 1) * 60_000,
      })),
    )
    recorded = seeded[2]?.id ?? ''
  })
  afterAll(stopAll)

  /** undefined: the internal port, which requires no sign-in. */
  async function open(user: string | undefined, before?: (page: Page) => Promise<void>): Promise<Page> {
    const { base } = user === undefined ? service.internal : service.gate
    const page = await (before ? ownPage : newPage)()
    if (user !== undefined) await signInOn(page, service, user)
    await before?.(page)
    await page.goto(`${base}/review`)
    await items(page).first().waitFor()
    return page
  }

  test('[ROLE-5] a custom role sees only items and counts of its camera, and no name of another', async () => {
    const page = await open('nina')
    expect(await items(page).count()).toBe(8)
    await expect.poll(() => badge(page)).toMatch(/^8/)
    expect(await page.content()).not.toMatch(/office/)
    const viewer = await open('vera')
    expect(await items(viewer).count()).toBe(12)
    await expect.poll(() => badge(viewer)).toMatch(/^12/)
  })

  test('after an action on the selected items, the focus is on the first of them', async () => {
    await service.user('sam', 'viewer')
    const page = await open('sam')
    const first = items(page).first()
    await first.getByRole('checkbox').check()
    await items(page).nth(1).getByRole('checkbox').check()
    await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Mark as seen' }).press('Enter')
    await page.getByRole('group', { name: '2 selected' }).waitFor({ state: 'detached' })
    expect(await page.evaluate(`document.activeElement.closest('[data-item]')?.dataset.item`)).toBe(await idOf(page, 0))
  })

  test('[ROLE-11] seen items are per user, marked one by one or all together', async () => {
    const [page, elsewhere] = [await open('nina'), await open('nina')]
    const unseen = elsewhere.locator('[data-item]:not([data-seen])')
    await expect.poll(() => unseen.count()).toBe(8)
    await items(page).first().getByRole('button').first().focus()
    await page.keyboard.press('s')
    await expect.poll(() => badge(page)).toMatch(/^7/)
    // Another page of the same user updates, and its items stay in place.
    const [first, second] = [await idOf(page, 0), await idOf(page, 1)]
    await expect.poll(() => badge(elsewhere)).toMatch(/^7/)
    await expect.poll(() => unseen.count()).toBe(7)
    expect([await idOf(elsewhere, 0), await idOf(elsewhere, 1)]).toEqual([first, second])
    await page.getByRole('button', { name: 'Mark all as seen' }).click()
    await expect.poll(() => page.getByTestId('unseen-alerts').count()).toBe(0)
    await expect.poll(() => unseen.count()).toBe(0)
    await expect.poll(() => elsewhere.getByTestId('unseen-alerts').count()).toBe(0)
    expect(await items(elsewhere).count()).toBe(8)
    expect(await badge(await open('vera'))).toMatch(/^12/)
  })

  test('[ROLE-11] marking all as seen twice in quick succession can be undone', async () => {
    await service.user('rosa', 'neighbor')
    const page = await open('rosa')
    await expect.poll(() => badge(page)).toMatch(/^8/)
    const counted = Promise.withResolvers<void>()
    await page.route('**/api/review/summary?*', async (route) => {
      await counted.promise
      await route.continue()
    })
    // A second request would be answered after the first one was counted.
    const first = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/api/review/seen', async (route) => {
      sent += 1
      if (sent > 1) await first.promise
      await route.continue()
    })
    const markAll = page.getByRole('button', { name: 'Mark all as seen' })
    await markAll.click()
    await expect.poll(() => page.locator('[data-item]:not([data-seen])').count()).toBe(0)
    await markAll.dispatchEvent('click')
    counted.resolve()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    first.resolve()
    expect(sent).toBe(1)
    await undo.click()
    await expect.poll(() => badge(page)).toMatch(/^8/)
  })

  test('new items wait until the user asks for them, so that nothing moves', async () => {
    const lines: WebSocketRoute[] = []
    const page = await open('vera', (page) =>
      page.routeWebSocket('**/api/events', (line) => {
        line.connectToServer()
        lines.push(line)
      }),
    )
    const first = await items(page).first().getAttribute('data-item')
    const [made] = await seedReview(service, [{ camera: 'yard', severity: 'alert', start: Date.now() - 5000 }])
    const event = { type: 'review', change: 'created', camera: 'yard', id: made?.id, severity: 'alert' }
    lines[0]?.send(JSON.stringify(event))
    const pill = page.getByRole('button', { name: /^1 new/ })
    await pill.waitFor()
    expect(await items(page).first().getAttribute('data-item')).toBe(first)
    await pill.click()
    await expect.poll(() => items(page).first().getAttribute('data-item')).toBe(made?.id)
    expect(await pill.count()).toBe(0)
  })

  test('an empty list shows a new item immediately', async () => {
    const page = await open('vera')
    await page.goto(`${service.gate.base}/review?show=detections&camera=office`)
    await page.getByText('No items match your filters.').waitFor()
    const [made] = await seedReview(service, [{ camera: 'office', start: Date.now() - 5000 }])
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await expect.poll(() => idOf(page, 0)).toBe(made?.id)
    expect(await page.getByRole('button', { name: /new/ }).count()).toBe(0)
  })

  test('older items that become the newest unseen ones are not new, and are listed once', async () => {
    const yesterday = Date.now() - 86_400_000
    await seedReview(
      service,
      Array.from({ length: 80 }, (_, each) => ({
        camera: 'yard',
        severity: 'detection' as const,
        start: yesterday - each * 60_000,
      })),
    )
    const page = await open('vera')
    await page.goto(`${service.gate.base}/review?camera=yard&show=detections&unseen=true`)
    await expect.poll(() => items(page).count()).toBe(60)
    for (let each = 0; each < 10; each++) await items(page).nth(each).getByRole('checkbox').check()
    const marked = page.waitForResponse(/\/api\/review\/seen$/)
    await page.getByRole('group', { name: '10 selected' }).getByRole('button', { name: 'Mark as seen' }).click()
    await marked
    const caughtUp = page.waitForResponse(/\/api\/review\?.*seen=false/)
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await caughtUp
    await items(page).last().scrollIntoViewIfNeeded()
    await page.getByText('End of list').waitFor()
    expect(await page.getByRole('button', { name: /new/ }).count()).toBe(0)
    const ids = await items(page).evaluateAll((all) => all.map((each) => each.getAttribute('data-item')))
    expect([ids.length, new Set(ids).size]).toEqual([80, 80])
  })

  test('what happened without events is caught up: deleted items leave the list, and no new one is left out', async () => {
    const older = Date.now() - 5 * 86_400_000
    const seed = (count: number, start: number) =>
      seedReview(
        service,
        Array.from({ length: count }, (_, each) => ({ camera: 'door', start: start + (count - each) * 60_000 })),
      )
    const [first, second] = await seed(4, older)
    const page = await ownPage()
    // An open connection without events, as if the page had just come back.
    await page.routeWebSocket('**/api/events', () => {})
    await page.goto(`${service.internal.base}/review?camera=door&show=detections`)
    await expect.poll(() => items(page).count()).toBe(4)

    await service.internal.delete(`/api/review/${second?.id}`)
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
    await expect.poll(() => items(page).count()).toBe(3)

    await service.internal.delete(`/api/review/${first?.id}`)
    const made = await seed(70, older + 86_400_000)
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`)
    const pill = page.getByRole('button', { name: /^60 new/ })
    await pill.waitFor()
    expect(await items(page).count()).toBe(3)
    await pill.click()
    await expect.poll(() => idOf(page, 0)).toBe(made[0]?.id)
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[data-item]')?.dataset.item`))
      .toBe(made[0]?.id)
    expect(await pill.count()).toBe(0)
    await items(page).last().scrollIntoViewIfNeeded()
    await page.getByText('End of list').waitFor()
    const ids = await items(page).evaluateAll((all) => all.map((each) => each.getAttribute('data-item')))
    expect([ids.length, new Set(ids).size]).toEqual([72, 72])
  })

  test('[ROLE-10] losing a camera while its item plays stops the video, and the page says why', async () => {
    await service.user('rita', 'neighbor')
    const page = await open('rita')
    await page.locator(`[data-item="${recorded}"]`).getByRole('button').first().click()
    const recording = page.getByRole('dialog').locator('[data-recording="yard"]')
    await page.locator('[data-recording="yard"][data-state="shown"]').waitFor()
    const stopped = await stopOf(page, '[data-recording="yard"] video')
    const elapsed = pageStopwatch()
    await service.internal.put('/api/users/rita/role', { role: 'clerk' })
    await stopped()
    expect(elapsed()).toBeLessThan(2000)
    await recording.getByRole('alert').getByText('You no longer have access to this camera.').waitFor()
    await recording.getByText('Your access was removed.').waitFor()
    // The player offers no clip and no history link either.
    expect(await page.getByRole('dialog').locator('a').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator(`[data-item="${recorded}"]`).waitFor({ state: 'detached' })
    await items(page).first().waitFor()
    expect(await wholeOf(page)).not.toMatch(/yard/)
  })

  test('[ROLE-10] losing a camera while a thumbnail of it is open, without a video, closes that too', async () => {
    await service.user('theo', 'watcher')
    const page = await open('theo')
    await items(page).first().getByRole('button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: /^yard/ }).waitFor()
    await service.internal.put('/api/users/theo/role', { role: 'reader' })
    await dialog.getByRole('alert').getByText('You no longer have access to this camera.').waitFor()
    expect(await dialog.getByRole('img', { name: /^yard/ }).count()).toBe(0)
    expect(await dialog.locator('a').count()).toBe(0)
  })

  test('[ROLE-11] only an admin can delete items', async () => {
    await service.user('ada', 'admin')
    const reads = async (who: string) => {
      const page = await open(who)
      await items(page).first().getByRole('checkbox').check()
      await page.getByRole('group', { name: '1 selected' }).waitFor()
      await items(page).first().getByRole('button').first().click()
      await page.getByRole('dialog').getByRole('link', { name: 'Open in history' }).waitFor()
      expect(await page.getByRole('button', { name: 'Delete', includeHidden: true }).count(), who).toBe(0)
    }
    await Promise.all([reads('vera'), reads('nina')])
    const isGone = async (id: string | null) => (await service.internal.get(`/api/review/${id}`)).status === 404

    const admin = await open('ada')
    const [first, second] = [await idOf(admin, 0), await idOf(admin, 1)]
    await items(admin).first().getByRole('button').first().click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    // Escape closes the question, and the player only when pressed again.
    await ask(admin).waitFor()
    await admin.keyboard.press('Escape')
    await ask(admin).waitFor({ state: 'detached' })
    expect(await admin.getByRole('dialog').count()).toBe(1)
    await admin.keyboard.press('Escape')
    await admin.getByRole('dialog').waitFor({ state: 'detached' })
    await items(admin).first().getByRole('button').first().click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await ask(admin).getByRole('button', { name: 'Delete' }).click()
    // The next item plays.
    await admin.locator(`[data-playing="${second}"]`).waitFor()
    expect(await admin.locator(`[data-item="${first}"]`).count()).toBe(0)
    expect(await isGone(first)).toBe(true)

    const internalPage = await open(undefined)
    expect(await idOf(internalPage, 0)).toBe(second)
    await items(internalPage).first().getByRole('checkbox').check()
    await internalPage.getByRole('group', { name: '1 selected' }).getByRole('button', { name: 'Delete' }).click()
    await ask(internalPage).getByRole('button', { name: 'Delete' }).click()
    await internalPage.locator(`[data-item="${second}"]`).waitFor({ state: 'detached' })
    expect(await isGone(second)).toBe(true)
  })

  test('the dialog that deletes several items says how many it deletes until it ends', async () => {
    const page = await open(undefined)
    const second = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/api/review/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      requests += 1
      if (requests === 2) await second.promise
      return route.fulfill({ status: 204 })
    })
    const [first, ...others] = [await idOf(page, 0), await idOf(page, 1), await idOf(page, 2)]
    for (const id of [first, ...others]) await page.locator(`[data-item="${id}"]`).getByRole('checkbox').check()
    await page.getByRole('group', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator(`[data-item="${first}"]`).waitFor({ state: 'detached' })
    expect(await dialog.getByRole('heading').innerText()).toBe('Delete 3 items?')
    second.resolve()
    await dialog.waitFor({ state: 'detached' })
    for (const id of others) expect(await page.locator(`[data-item="${id}"]`).count()).toBe(0)
  })
})

const items = (page: Page) => page.locator('[data-item]')
const badge = (page: Page) => page.getByTestId('unseen-alerts').innerText()
const idOf = (page: Page, nth: number) => items(page).nth(nth).getAttribute('data-item')
const ask = (page: Page) => page.getByRole('dialog', { name: 'Delete this item?' })

import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LinkCreated, NewLink } from '../server/src/auth/share-link/share-link-schema.ts'
import type { Export } from '../server/src/exports/export-response.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import { signIn, type SignedIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { pageStopwatch, stopOf, wholeOf } from './browser.ts'
import { newPage, signInOn, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** What no link shows. */
const others = /velvet|attic|\bada\b|\bvera\b/i

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const playing = (page: Page) => page.locator('[data-state="playing"] video[data-playing]')
const recording = (page: Page) => page.locator('[data-recording][data-state="shown"] video')
const position = (page: Page) => page.getByRole('slider', { name: 'Position' })
const shownIn = (page: Page, property: 'videoWidth' | 'currentTime') =>
  page.evaluate<number>(`document.querySelector('video')?.${property} ?? 0`)

/** Fills in the dialog, and returns the URL that it shows once. */
async function createIn(page: Page, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) {
  const dialog = page.getByRole('dialog')
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  return { url: await dialog.getByRole('textbox', { name: 'Link' }).inputValue() }
}

/** A link opened by someone without an account. */
async function opened({ url }: { url: string }, options: PageOptions = {}) {
  const page = await newPage(options)
  const requested: string[] = []
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => {
    requested.push(request.url())
    if (request.url().includes('/api/')) referrers.push(request.headers()['referer'])
  })
  await page.goto(url)
  return { page, requested, referrers }
}

describe.skipIf(!executablePath)('share links', () => {
  let service: InProcessService
  let ada: SignedIn
  /** Unix seconds; a minute is recorded from then on. */
  let start: number
  let exported: string

  beforeAll(async () => {
    const cameras = {
      heron_pond: { source: 'demo:yard', title: 'Heron pond' },
      velvet_attic: { source: 'demo:office', title: 'Velvet attic', enabled: false },
    }
    const empty = await startService({ config: { tls: { enabled: false }, cameras } })
    await empty.stop()
    start = Math.floor(Date.now() / 1000) - 3600
    await writeRecordings(empty.mediaDir, { camera: 'heron_pond', start: start * 1000, segments: 6 })
    // These are deleted.
    await writeRecordings(empty.mediaDir, { camera: 'heron_pond', start: (start + 1800) * 1000, segments: 6 })
    service = await empty.restart()
    await service.printed(/recordings reconciled/)
    await service.user('ada', 'admin')
    ada = await signIn(service.gate, 'ada')
    const { json } = await ada.post('/api/exports', {
      camera: 'heron_pond',
      start: start + 1,
      end: start + 19,
      name: 'Fox at dawn',
    })
    exported = (json as Export).id
    await vi.waitFor(
      async () => expect((await ada.get(`/api/exports/${exported}`)).json).toMatchObject({ state: 'done' }),
      { timeout: 60_000, interval: 50 },
    )
  })
  afterAll(stopAll)

  async function created(link: NewLink): Promise<LinkCreated> {
    const { status, json, text } = await ada.post('/api/links', link)
    expect(status, text).toBe(201)
    return json as LinkCreated
  }

  const live = { kind: 'live', camera: 'heron_pond' } as const
  const range = (): NewLink => ({ kind: 'history', camera: 'heron_pond', start: start + 10, end: start + 40 })

  const revoke = ({ id }: LinkCreated) => ada.delete(`/api/links/${id}`)

  /** A page on which ada has signed in. */
  async function ofAda(path: string): Promise<Page> {
    const page = await newPage()
    await signInOn(page, service, ada)
    await page.goto(`${service.gate.base}${path}`)
    return page
  }

  test('[LINK-1] [LINK-2] a live camera is shared in a few clicks, and watched on a phone without an account', async () => {
    const owner = await ofAda('/cameras/heron_pond')
    await owner.getByRole('button', { name: 'Share' }).click()
    const link = await createIn(owner, (dialog) => dialog.getByLabel('Note').fill('For the plumber'))
    const [, id = '', secret = ''] = /\/s\/([0-9a-f]{32})#(.+)$/.exec(link.url) ?? []
    expect(secret.length).toBeGreaterThan(40)

    const { page, requested, referrers } = await opened(link, phone)
    await playing(page).waitFor()
    await heading(page, 'Heron pond').waitFor()
    await page.getByText('This link expires in 24 hours.').waitFor()
    // The secret is not shown, and in no request; nothing but the link is requested.
    expect(page.url()).toBe(`${service.gate.base}/s/${id}`)
    const ofApi = requested.filter((url) => url.includes('/api/'))
    expect(ofApi.filter((url) => !url.includes(`/api/links/${id}/`))).toEqual([])
    expect(requested.filter((url) => !url.includes('#') && url.includes(secret))).toEqual([])
    expect(referrers.filter(Boolean)).toEqual([])
    const whole = await wholeOf(page)
    expect(whole).not.toMatch(others)
    expect(whole).not.toMatch(/plumber/)
    expect(whole).not.toContain(secret)
    expect(await page.getByRole('link', { name: /download/i }).count()).toBe(0)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)

    // The same viewer again, whose cookie counts nowhere else.
    await page.reload()
    await playing(page).waitFor()
    const list = await ofAda('/account/links')
    await list.getByText('Opened once').waitFor()
    expect(await page.evaluate<number>(`fetch('/api/cameras').then((response) => response.status)`)).toBe(401)
    expect(await page.evaluate<number>(`fetch('/api/profile').then((response) => response.status)`)).toBe(401)

    const stopped = await stopOf(page, '[data-state="playing"] video')
    const elapsed = pageStopwatch()
    await list.getByRole('button', { name: 'Revoke the link to Heron pond' }).click()
    await list.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await stopped()
    expect(elapsed()).toBeLessThan(3000)
    await heading(page, 'This link was revoked').waitFor()
    await list.getByText('Revoked', { exact: true }).waitFor()
    expect(await list.getByRole('button', { name: /^Revoke/ }).count()).toBe(0)
  })

  test('[LINK-1] a link pasted whole into a tab that has it without its secret opens there', async () => {
    const { url } = await created(live)
    const [path = '', secret = ''] = url.split('#')
    const { page, requested } = await opened({ url: path })
    await heading(page, 'This link doesn’t work').waitFor()
    await page.evaluate(`location.hash = ${JSON.stringify(secret)}`)
    await playing(page).waitFor()
    expect(page.url()).toBe(path)
    expect(requested.filter((each) => !each.includes('#') && each.includes(secret))).toEqual([])
    // The tab opens it again.
    await page.reload()
    await playing(page).waitFor()
  })

  test('[LINK-3] open video ends within a second, and the page says why', async () => {
    for (const link of [live, range(), { kind: 'export', export: exported } as const]) {
      const made = await created(link)
      const { page } = await opened(made)
      await vi.waitFor(async () => expect(await shownIn(page, 'videoWidth')).toBeGreaterThan(0), 60_000)
      const stopped = await stopOf(page, 'video')
      const elapsed = pageStopwatch()
      await revoke(made)
      await stopped()
      expect(elapsed(), made.kind).toBeLessThan(1500)
      await heading(page, 'This link was revoked').waitFor()
      expect(await page.locator('video').count()).toBe(0)
    }
  })

  test('[LINK-2] a range plays, and neither playback nor a seek leaves it', async () => {
    const page = await ofAda(
      `/history?camera=heron_pond&at=${encodeURIComponent(new Date((start + 20) * 1000).toISOString())}`,
    )
    await page.locator('[data-recording="heron_pond"][data-state="shown"]').waitFor()
    await page
      .getByRole('button', { name: /^Select (a )?clip/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Share' }).click()
    const made = await createIn(page, (dialog) => dialog.getByRole('switch', { name: 'Allow download' }).click())
    const viewer = await opened(made)
    await recording(viewer.page).waitFor()
    // Whole segments of ten seconds, and nothing more.
    const [from = 0, to = 0] = await position(viewer.page).evaluate((slider) =>
      ['min', 'max'].map((name) => Number(slider.getAttribute(name))),
    )
    expect(from).toBeGreaterThan(start + 5 - 11)
    expect(from).toBeLessThanOrEqual(start + 5)
    expect(to).toBeGreaterThanOrEqual(start + 35)
    expect(to).toBeLessThan(start + 35 + 11)
    await position(viewer.page).focus()
    await viewer.page.keyboard.press('End')
    await viewer.page
      .getByRole('button', { name: /Play again|Play|Pause/ })
      .first()
      .waitFor()
    await viewer.page.keyboard.press('Home')
    await recording(viewer.page).waitFor()
    // Only the link's own segments are requested.
    const segments = viewer.requested.filter((url) => url.includes('.m4s'))
    expect(segments.length).toBeGreaterThan(0)
    expect(segments.every((url) => url.includes('/api/links/'))).toBe(true)
    expect(await wholeOf(viewer.page)).not.toMatch(others)

    const [download] = await Promise.all([
      viewer.page.waitForEvent('download'),
      viewer.page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.mp4$/)
  })

  test('[LINK-3] a range whose recordings are deleted says so, not that access was removed', async () => {
    const from = start + 1800
    const made = await created({ kind: 'history', camera: 'heron_pond', start: from + 10, end: from + 40 })
    await service.internal.delete(`/api/cameras/heron_pond/recordings?after=${from - 5}&before=${from + 65}`)
    const { page } = await opened(made)
    await page.getByText('No recordings in this time range.').waitFor()
    expect(await page.getByText('You no longer have access to this camera.').count()).toBe(0)
    await heading(page, 'Heron pond').waitFor()
  })

  test('[LINK-1] an export plays, without a button to download it', async () => {
    const page = await ofAda('/exports')
    await page.getByRole('button', { name: 'Share Fox at dawn' }).click()
    const made = await createIn(page, () => Promise.resolve())
    const viewer = await opened(made)
    await heading(viewer.page, 'Fox at dawn').waitFor()
    const video = viewer.page.locator('video')
    await video.waitFor()
    // Browsers don't always start a video that isn't muted by themselves.
    await viewer.page.evaluate(`document.querySelector('video').play()`)
    await vi.waitFor(async () => expect(await shownIn(viewer.page, 'currentTime')).toBeGreaterThan(0.5), 60_000)
    expect(await viewer.page.getByRole('link', { name: 'Download' }).count()).toBe(0)
    expect(await video.getAttribute('controlsList')).toBe('nodownload')
  })

  test('[LINK-1] an export that a lost connection interrupts plays when tried again', async () => {
    const made = await created({ kind: 'export', export: exported })
    const page = await newPage(phone)
    await page.route('**/video.mp4', (route) => route.abort())
    await page.goto(made.url)
    await page.getByText('Connection lost.', { exact: true }).waitFor()
    await page.unroute('**/video.mp4')
    await page.getByRole('button', { name: 'Try again' }).click()
    await vi.waitFor(async () => expect(await shownIn(page, 'currentTime')).toBeGreaterThan(0.5), 60_000)
  })

  test('[LINK-1] a code is asked for once, and a wrong one is not accepted', async () => {
    const made = await created({ ...live, code: 'harbor 4711' })
    const { page } = await opened(made, phone)
    await page.getByLabel('Code').fill('harbor 4712')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Incorrect code.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('code')
    expect(await page.locator('video').count()).toBe(0)
    await page.getByLabel('Code').fill('harbor 4711')
    await page.getByRole('button', { name: 'Open' }).click()
    await playing(page).waitFor()
    await page.reload()
    await playing(page).waitFor()
  })

  test('the request that opens a link ends with its page', async () => {
    const made = await created(live)
    const page = await newPage(phone)
    const requested = Promise.withResolvers<Request>()
    await page.route('**/api/links/*/open', (route) => requested.resolve(route.request()))
    await page.goto(made.url)
    const request = await requested.promise
    expect(request.failure()).toBeNull()
    await page.evaluate(`(() => {
      history.pushState({}, '', '/s/other')
      dispatchEvent(new PopStateEvent('popstate'))
    })()`)
    // The page itself would give up after half a minute.
    await expect.poll(() => request.failure(), { timeout: 15_000 }).not.toBeNull()
  })

  test('[LINK-1] a link that was opened often enough opens for no one else', async () => {
    const made = await created({ ...live, max_opens: 1 })
    const first = await opened(made)
    await playing(first.page).waitFor()
    const second = await opened(made)
    await heading(second.page, 'This link has been used up').waitFor()
    await first.page.reload()
    await playing(first.page).waitFor()
  })

  test('[LINK-1] with too many viewers, the next one waits for a slot', async () => {
    const made = await created({ ...live, max_viewers: 1 })
    const first = await opened(made)
    await playing(first.page).waitFor()
    const second = await opened(made)
    await heading(second.page, 'Too many viewers').waitFor()
  })

  test('[LINK-3] a link that its creator can’t share shows nothing until they can', async () => {
    const made = await created(live)
    const { page } = await opened(made)
    await playing(page).waitFor()
    await service.user('eve', 'admin')
    await service.internal.put('/api/users/ada/role', { role: 'viewer' })
    await heading(page, 'Not available right now').waitFor()
    await service.internal.put('/api/users/ada/role', { role: 'admin' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await playing(page).waitFor()
  })

  test.each([
    ['/s/00000000000000000000000000000000#nothing', 'This link doesn’t work'],
    ['/s/00000000000000000000000000000000', 'This link doesn’t work'],
    ['/s/nothing#nothing', 'This link doesn’t work'],
  ])('[LINK-2] %s says no more than that', async (path, title) => {
    const { page, requested } = await opened({ url: `${service.gate.base}${path}` })
    await heading(page, title).waitFor()
    expect(requested.filter((url) => /\/api\/(?!links\/)/.test(url))).toEqual([])
    expect(await wholeOf(page)).not.toMatch(others)
  })

  test('[LINK-3] an expired link ends while it is open, and says so', async () => {
    const made = await created({ ...live, expires_at: new Date(service.clock.now() + 3_600_000).toISOString() })
    const { page } = await opened(made)
    await playing(page).waitFor()
    await service.clock.advance(3_601_000)
    await heading(page, 'This link has expired').waitFor()
  })
})

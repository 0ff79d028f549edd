import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageStopwatch, rest, stopOf } from './browser.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { wait } from '../server/test/support/wait.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { recordDays, type RecordedStretch } from './recorded-days.ts'
import { newPage, ownPage, signInOn, type PageOptions } from './tabs.ts'
import { fetched } from './fetched.ts'

const executablePath = program('chromium')

const day = (Math.floor(Date.now() / 86_400_000) - 1) * 86_400
const hour = 3600
/** A time yesterday, in hours (UTC). */
const at = (hours: number): string => textOf(day + hours * hour)
const textOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
/** A time last year, Unix seconds. */
const lastYear = (monthAndTime: string): number =>
  Date.parse(`${new Date().getUTCFullYear() - 1}-${monthAndTime}:00Z`) / 1000

interface Video {
  readonly currentTime: number
  readonly paused: boolean
  readonly videoWidth: number
  readonly playbackRate: number
}

interface Captured {
  readonly releasePointerCapture: (pointer: number) => void
}

const tile = (page: Page, camera: string) => page.locator(`[data-recording="${camera}"]`)
const shown = (page: Page, camera: string) => page.locator(`[data-recording="${camera}"][data-state="shown"]`)
const videoOf = (page: Page, camera: string): Promise<Video> =>
  tile(page, camera)
    .locator('video')
    .evaluate((element) => {
      const { currentTime, paused, videoWidth, playbackRate } = element as unknown as Video
      return { currentTime, paused, videoWidth, playbackRate }
    })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const playhead = (page: Page) => page.getByRole('slider', { name: 'Timeline' })
/** The playback time, seconds since the start of the day (UTC). */
const seen = async (page: Page): Promise<number> => Number(await playhead(page).getAttribute('aria-valuenow')) - day
const comesTo = (page: Page, hours: number, within = 12) =>
  expect.poll(async () => Math.abs((await seen(page)) - hours * hour)).toBeLessThanOrEqual(within)
/** @param time Unix seconds */
const comesToTime = (page: Page, time: number) => comesTo(page, (time - day) / hour)

async function moves(page: Page, camera: string): Promise<void> {
  await shown(page, camera).waitFor()
  const { currentTime } = await videoOf(page, camera)
  await expect.poll(async () => (await videoOf(page, camera)).currentTime).toBeGreaterThan(currentTime + 0.5)
}

describe.skipIf(!executablePath)('the history', () => {
  let service: Service

  beforeAll(async () => {
    const empty = await startService({
      config: {
        tls: { enabled: false },
        cameras: {
          yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
          office: { source: 'demo:office', title: 'Back office', enabled: false },
          lane: { source: 'demo:yard', title: 'Lane', enabled: false },
        },
        recording: { retain_days: 1000 },
        auth: { roles: { neighbor: ['yard'], clerk: ['office'] } },
      },
    })
    await empty.stop()
    await recordDays(empty, [
      { camera: 'yard', scene: 'yard', from: day + 8 * hour, to: day + 9 * hour },
      { camera: 'yard', scene: 'yard', from: day + 10 * hour, to: day + 11 * hour },
      { camera: 'office', scene: 'office', from: day + 8 * hour, to: day + 10.5 * hour },
      { camera: 'yard', scene: 'yard', from: day - 3 * hour, to: day - 2 * hour },
      ...['08-31T22:10', '09-01T07:00', '12-10T07:00'].map((start): RecordedStretch => ({
        camera: 'lane',
        scene: 'yard',
        from: lastYear(start),
        to: lastYear(start) + 120,
      })),
    ])
    service = await empty.restart()
  })
  afterAll(stopAll)

  async function open(
    who: string | TestClient | undefined,
    path: string,
    options: PageOptions = {},
    init?: string,
  ): Promise<Page> {
    const from = who === undefined ? service.internal : service.gate
    const create = init === undefined ? newPage : ownPage
    const page = await create({ timezoneId: 'UTC', ...options })
    if (who !== undefined) await signInOn(page, service, who)
    if (init !== undefined) await page.addInitScript(init)
    await page.goto(`${from.base}/history${path}`)
    return page
  }

  test('[NODE-3] what is on an instance that is unavailable is marked in the timeline, and said', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await page.route('**/api/cameras/yard/timeline?*', async (route) => {
      const response = await fetched(route)
      const unavailable = [{ start: day + 8.2 * hour, end: day + 8.9 * hour }]
      await route.fulfill({ response, json: { ...((await response.json()) as object), unavailable } })
    })
    await page.goto(`${service.internal.base}/history?camera=yard&at=${at(8.5)}`)
    await page.getByText('Some recordings are on a disk that can’t be reached right now.').waitFor()
    await expect.poll(() => playhead(page).getAttribute('aria-valuetext')).toContain('recording unavailable right now')

    // Beside a camera that plays, its tile says why it doesn't.
    await page.goto(`${service.internal.base}/history?camera=yard,office&at=${at(8.5)}`)
    await shown(page, 'office').waitFor()
    const yard = page.locator('[data-tile="yard"]')
    await yard.getByText('This recording is on a disk that can’t be reached right now.').waitFor()
    await page.goto(`${service.internal.base}/history?camera=yard,office&at=${at(9.5)}`)
    await shown(page, 'office').waitFor()
    await yard.locator('span', { hasText: 'No recordings in this time range.' }).waitFor()
  })

  test('playback starts at the time in the URL, and keys move through the day', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await moves(page, 'yard')
    await comesTo(page, 8.5)
    await page.keyboard.press('k')
    await expect.poll(async () => (await videoOf(page, 'yard')).paused).toBe(true)
    const before = await seen(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => seen(page)).toBe(before + 5)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => seen(page)).toBe(before - 55)
    const address = () => Date.parse(new URL(page.url()).searchParams.get('at') ?? '') / 1000 - day
    await expect.poll(async () => Math.abs(address() - (before - 55))).toBeLessThanOrEqual(1)

    await page.keyboard.press('n')
    await expect.poll(() => seen(page)).toBeGreaterThan(before)
    const first = await seen(page)
    await page.keyboard.press('n')
    await expect.poll(() => seen(page)).toBeGreaterThan(first)
    await page.keyboard.press('p')
    await expect.poll(() => seen(page)).toBe(first)

    await page.keyboard.press(' ')
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8')
    await expect.poll(async () => (await videoOf(page, 'yard')).playbackRate).toBe(8)
    await moves(page, 'yard')
    expect(await playhead(page).getAttribute('aria-valuetext')).toMatch(/^\d+:\d\d:\d\d [AP]M, \w+day, /)
  })

  test('the first frame of a recording appears immediately', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    const elapsed = pageStopwatch()
    const took = await page.evaluate<number>(`new Promise((done) => {
      const began = performance.now()
      const video = document.querySelector('[data-recording] video')
      const look = () => (video.readyState >= 2 && !video.seeking ? done(performance.now() - began) : requestAnimationFrame(look))
      video.addEventListener('emptied', () => requestAnimationFrame(look), { once: true })
      // Far enough to need another playlist.
      document.querySelector('[data-testid="playhead"]').focus()
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
    })`)
    console.log(`first frame after ${took.toFixed(0)} ms`)
    expect(elapsed()).toBeLessThan(5000)
  })

  test('live view and history of a camera link to each other', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await page.getByRole('link', { name: 'Live: Side yard' }).click()
    await page.waitForURL(/\/cameras\/yard$/)
    await page.getByRole('link', { name: 'History: Side yard' }).click()
    await page.waitForURL(/\/history\?camera=yard/)
    await playhead(page).waitFor()
  })

  test('playback skips gaps and says so', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(9 - 4 / hour)}`)
    await page.getByText('Skipped 1 hour with no recording').waitFor()
    await comesTo(page, 10)
    await moves(page, 'yard')

    await page.goto(`${service.internal.base}/history?camera=yard&at=${at(9.5)}`)
    await page.getByText('Skipped 30 minutes with no recording').waitFor()
    await comesTo(page, 10)
    await moves(page, 'yard')
  })

  test('without Media Source Extensions, native HLS plays, seeks, and skips a gap', async () => {
    const none = 'delete globalThis.MediaSource; delete globalThis.ManagedMediaSource'
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`, {}, none)
    await moves(page, 'yard')
    await comesTo(page, 8.5)
    await page.keyboard.press('n')
    await expect.poll(() => seen(page)).toBeGreaterThan(8.5 * hour + 60)
    await moves(page, 'yard')
    const box = (await page.getByTestId('timeline').boundingBox())!
    await page.mouse.click(box.x + (9.5 / 24) * box.width, box.y + box.height / 3)
    await comesTo(page, 10)
    await moves(page, 'yard')
  })

  test('the timeline scrubs, zooms, and previews the frame at the pointer', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.2)}`)
    await shown(page, 'yard').waitFor()
    await page.locator('[data-lane="yard"]:not([data-loading])').waitFor()
    const box = (await page.getByTestId('timeline').boundingBox())!
    const x = (hours: number) => box.x + (hours / 24) * box.width
    const y = box.y + box.height / 3
    await page.mouse.move(x(10.5), y)
    await page.getByTestId('preview').locator('video').waitFor()
    await expect
      .poll(() =>
        page
          .getByTestId('preview')
          .locator('video')
          .evaluate((video) => (video as unknown as Video).videoWidth),
      )
      .toBeGreaterThan(0)
    await page.mouse.down()
    await page.mouse.move(x(10.7), y, { steps: 4 })
    await page.mouse.move(x(10.25), y, { steps: 4 })
    await page.mouse.up()
    await comesTo(page, 10.25, 120)
    await moves(page, 'yard')

    // A click in a gap: playback continues with the next recording.
    await page.mouse.click(x(9.5), y)
    await comesTo(page, 10)

    for (let times = 0; times < 9; times++) await page.keyboard.press('+')
    expect(await page.getByRole('button', { name: 'Zoom in' }).isDisabled()).toBe(true)
    await page.keyboard.press('-')
    expect(await page.getByRole('button', { name: 'Zoom in' }).isDisabled()).toBe(false)
  })

  test('another page that is chosen right after a move opens, even if it takes long to load', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`, {}, '')
    await shown(page, 'yard').waitFor()
    const loaded = Promise.withResolvers<void>()
    await page.route(/assets\/ExportsPage-.*\.js/, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await playhead(page).press('ArrowRight')
    await page.getByRole('link', { name: 'Exports', exact: true }).click()
    await wait(1500, 'in which the URL would be updated to the new time')
    loaded.resolve()
    await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor({ timeout: 10_000 })
    expect(new URL(page.url()).pathname).toBe('/exports')
  })

  test('an end of a clip is dragged with the left button alone, and only while the pointer is held', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    await press(page, 'Select a clip')
    const end = page.getByRole('slider', { name: 'Clip end' })
    const value = () => end.getAttribute('aria-valuenow')
    const middle = async () => {
      const { x, y, width, height } = (await end.boundingBox())!
      return [x + width / 2, y + height / 2] as const
    }
    const before = await value()
    const [x, y] = await middle()
    await page.mouse.move(x, y)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(x + 40, y, { steps: 4 })
    await page.mouse.up({ button: 'right' })
    await rest(page)
    expect(await value()).toBe(before)

    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y, { steps: 4 })
    await expect.poll(value).not.toBe(before)
    // The browser takes the pointer away, for example for its own gesture.
    await end.evaluate((element) => (element as unknown as Captured).releasePointerCapture(1))
    const [heldX, heldY] = await middle()
    const dragged = await value()
    await page.mouse.move(heldX, heldY, { steps: 2 })
    await page.mouse.move(heldX + 6, heldY, { steps: 2 })
    await page.mouse.up()
    await rest(page)
    expect(await value()).toBe(dragged)
  })

  test('on a phone one finger scrubs, two zoom and pan, and scrolling the page changes nothing', async () => {
    const phone = { viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true }
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`, phone)
    await shown(page, 'yard').waitFor()
    await page.locator('[data-lane="yard"]:not([data-loading])').waitFor()
    await press(page, 'Pause')
    const touches = await page.context().newCDPSession(page)
    const box = (await page.getByTestId('timeline').boundingBox())!
    const y = box.y + box.height / 3
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...fingers: readonly number[]) =>
      touches.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: fingers.map((x, id) => ({ x: box.x + x * box.width, y, id })),
      })
    /** The visible part of the day: the positions of its hour labels. */
    const shownHours = () =>
      page
        .getByTestId('timeline')
        .locator('[aria-hidden] > span')
        .evaluateAll((hours) =>
          (hours as unknown as { getAttribute(name: string): string }[]).map((each) => each.getAttribute('style')),
        )

    await touch('touchStart', 0.3)
    await touch('touchMove', 0.36)
    await touch('touchMove', 10.25 / 24)
    await touch('touchEnd')
    await comesTo(page, 10.25, 240)

    const before = await seen(page)
    await touch('touchStart', 0.7)
    await touch('touchCancel')
    await expect.poll(() => seen(page)).toBe(before)

    const whole = await shownHours()
    await touch('touchStart', 0.4)
    await touch('touchStart', 0.4, 0.5)
    for (const apart of [0.02, 0.06, 0.1, 0.14]) await touch('touchMove', 0.4 - apart, 0.5 + apart)
    await touch('touchEnd')
    await page.locator('button[aria-label="Zoom out"]:enabled:visible').waitFor()
    expect(await seen(page)).toBe(before)
    const zoomed = await shownHours()
    expect(zoomed).not.toEqual(whole)

    await touch('touchStart', 0.4)
    await touch('touchStart', 0.4, 0.5)
    for (const by of [0.05, 0.15, 0.25]) await touch('touchMove', 0.4 + by, 0.5 + by)
    await touch('touchEnd')
    await expect.poll(shownHours).not.toEqual(zoomed)
    expect(await seen(page)).toBe(before)
  })

  test('every button has a tooltip on keyboard focus, and ? lists the shortcuts', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Select a clip' }).focus()
    await page.getByRole('tooltip', { name: 'Select a clip (I)' }).waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Previous or next motion').waitFor()
    // Nothing behind the dialog receives the keys.
    const before = await seen(page)
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(await seen(page)).toBe(before)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await list.waitFor()

    // Users of speech input turn letters off; arrow keys keep working.
    await list.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await page.keyboard.press('?')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => seen(page)).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await list.count()).toBe(0)
  })

  test('buttons lead to adjacent days, and a day without recordings links to days with some', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.2)}`)
    await shown(page, 'yard').waitFor()
    await press(page, 'Next day')
    await page.getByText('No recordings yet today').waitFor()
    await page.getByRole('button', { name: /^Recordings from/ }).click()
    await shown(page, 'yard').waitFor()
    await comesTo(page, 8)
    await page.getByRole('button', { name: /select a day$/ }).click()
    const marked = page.locator('[data-recorded]')
    await expect.poll(() => marked.count()).toBeGreaterThanOrEqual(1)
  })

  test('playback continues after the end of a month, and after months without recordings', async () => {
    const playFrom = async (page: Page, time: number) => {
      await page.goto(`${service.internal.base}/history?camera=lane&at=${textOf(time)}`)
      await shown(page, 'lane').waitFor()
    }
    const page = await open(undefined, `?camera=lane&at=${textOf(lastYear('08-31T22:12') - 5)}`)
    await page.getByText('Skipped 8 hours 48 minutes with no recording').waitFor()
    await comesToTime(page, lastYear('09-01T07:00'))
    await moves(page, 'lane')

    await playFrom(page, lastYear('09-01T07:02') - 5)
    await comesToTime(page, lastYear('12-10T07:00'))
    await moves(page, 'lane')

    await playFrom(page, lastYear('12-10T07:02') - 5)
    await page.getByText('No later recordings.').waitFor()
    await comesToTime(page, lastYear('12-10T07:02'))
  })

  test('a day without recordings offers the nearest days with some, even if they are months away', async () => {
    const page = await open(undefined, `?camera=lane&at=${textOf(lastYear('10-20T12:00'))}`)
    await page.getByRole('button', { name: /^Recordings from .*Sep/ }).waitFor()
    await page.getByRole('button', { name: /^Recordings from .*Dec/ }).click()
    await shown(page, 'lane').waitFor()
  })

  test('what the timeline can’t get is said, asked for again, and shown once it’s there', async () => {
    const page = await open(undefined, `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    const lane = page.locator('[data-lane="yard"]')
    await expect.poll(() => lane.getAttribute('data-loading')).toBe(null)
    await page.route('**/timeline?**', (route) => route.abort())
    await press(page, 'Previous day')
    const problem = page.getByRole('alert').filter({ hasText: 'Can’t reach Gatehouse.' })
    await problem.waitFor()
    expect(await lane.getAttribute('data-loading')).toBe(null)
    await page.unroute('**/timeline?**')
    await problem.getByRole('button', { name: 'Try again' }).click()
    await problem.waitFor({ state: 'detached' })
    await page.getByText('No recordings on this day').or(shown(page, 'yard')).waitFor()
  })

  test('Play on a day without recordings continues with the next one, even if that isn’t found at once', async () => {
    const page = await newPage({ timezoneId: 'UTC' })
    let isAway = true
    await page.route('**/recordings/summary?**', (route) => (isAway ? route.abort() : route.fallback()))
    await page.goto(`${service.internal.base}/history?camera=lane&at=${textOf(lastYear('12-09T12:00'))}`)
    await page.getByText('No recordings on this day').waitFor()
    const problem = page.locator('[data-history]').getByText(/^(Can’t reach Gatehouse|Connection lost)/)
    await problem.waitFor()
    await press(page, 'Play')
    isAway = false
    await press(page, 'Try again')
    await problem.waitFor({ state: 'detached' })
    await comesToTime(page, lastYear('12-10T07:00'))
    await moves(page, 'lane')
  })

  test('a phone that is turned keeps the cameras, the time and the clip', async () => {
    const upright = { width: 390, height: 844 }
    const page = await ownPage({ timezoneId: 'UTC', viewport: { width: 844, height: 390 } })
    await page.goto(`${service.internal.base}/history?camera=yard,office&at=${at(8.5)}`)
    await Promise.all([moves(page, 'yard'), moves(page, 'office')])
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('[')
    await page.getByRole('heading', { name: 'Selected clip' }).waitFor()
    const time = await seen(page)
    await page.setViewportSize(upright)
    await tile(page, 'office').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    const search = () => new URL(page.url()).searchParams
    await expect
      .poll(() => Math.abs(Date.parse(search().get('at') ?? '') / 1000 - day - time - 5))
      .toBeLessThanOrEqual(1)
    expect(search().get('camera')).toBe('yard,office')
    await page.setViewportSize({ width: 844, height: 390 })
    await shown(page, 'office').waitFor()
    await comesTo(page, (time + 5) / hour, 1)
    await page.getByRole('heading', { name: 'Selected clip' }).waitFor()
    await page.keyboard.press('k')
    await Promise.all([moves(page, 'yard'), moves(page, 'office')])
  })

  test('a clip is shared from full screen in a dialog that can be seen', async () => {
    await service.user('frida', 'admin')
    const page = await open('frida', `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    const isFull = () => page.evaluate<boolean>('document.fullscreenElement !== null')
    await page.keyboard.press('k')
    await page.keyboard.press('[')
    await page.keyboard.press('f')
    await expect.poll(isFull).toBe(true)
    await press(page, 'Share')
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).waitFor()
    await expect.poll(isFull).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await expect.poll(isFull).toBe(true)
    await press(page, 'Export')
    await page.getByText('Export started.').waitFor()
    await expect.poll(isFull).toBe(false)
  })

  test('two cameras play in sync, and one continues where the other has no recording', async () => {
    const page = await open(undefined, `?camera=yard,office&at=${at(8.5)}`)
    await Promise.all([moves(page, 'yard'), moves(page, 'office')])
    await expect
      .poll(async () => {
        const [one, other] = await Promise.all([videoOf(page, 'yard'), videoOf(page, 'office')])
        return Math.abs(one.currentTime - other.currentTime)
      })
      .toBeLessThan(1)
    const box = (await page.getByTestId('timeline').boundingBox())!
    await page.mouse.click(box.x + (9.5 / 24) * box.width, box.y + box.height / 3)
    await comesTo(page, 9.5, 120)
    await moves(page, 'office')
    await page.locator('[data-tile="yard"] span').getByText('No recordings in this time range.').waitFor()
  })

  test.each([
    ['the internal port', undefined],
    ['an admin', 'root'],
    ['a viewer', 'vera'],
    ['a neighbor', 'nina'],
  ])('%s selects a clip and exports it', async (_whom, who) => {
    await service.user('root', 'admin')
    await service.user('vera', 'viewer')
    await service.user('nina', 'neighbor')
    const page = await open(who, `?camera=yard&at=${at(8.5)}`)
    await shown(page, 'yard').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('[')
    await page.getByRole('heading', { name: 'Selected clip' }).waitFor()
    await page.getByRole('slider', { name: 'Clip end' }).focus()
    const end = async () => Number(await page.getByRole('slider', { name: 'Clip end' }).getAttribute('aria-valuenow'))
    const before = await end()
    await page.keyboard.press('ArrowRight')
    await expect.poll(end).toBe(before + 1)
    await page.getByLabel('From', { exact: true }).fill(at(8.4).slice(0, 19))
    await page.getByLabel('To', { exact: true }).fill(at(8.405).slice(0, 19))
    await page.getByLabel(/^Name/).fill(`Parcel for ${who ?? 'us'}`)
    const download = await page.getByRole('link', { name: 'Download clip' }).getAttribute('href')
    expect(download).toContain(`start=${day + 8.4 * hour}&end=${day + 8.405 * hour}`)
    const requested = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/exports'),
    )
    await press(page, 'Export')
    expect((await requested).postDataJSON()).toEqual({
      camera: 'yard',
      start: day + 8.4 * hour,
      end: day + 8.405 * hour,
      name: `Parcel for ${who ?? 'us'}`,
    })
    await page.getByText('Export started.').getByRole('link', { name: 'Open exports' }).click()
    await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor()
  })

  test('[ROLE-6] a custom role’s history names and plays only its own cameras', async () => {
    await service.user('nina', 'neighbor')
    const page = await open('nina', '')
    await page.getByRole('button', { name: 'Camera: Side yard' }).click()
    await page.getByRole('checkbox', { name: 'Side yard' }).waitFor()
    const words = async () => `${await page.content()} ${await page.locator('body').innerText()}`
    expect(await words()).not.toMatch(/office/i)

    await page.goto(`${service.gate.base}/history?camera=office&at=${at(8.5)}`)
    await page.getByRole('heading', { name: 'Access denied' }).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/office/i)
    expect(await page.locator('video').count()).toBe(0)

    await page.goto(`${service.gate.base}/history?camera=yard,office&at=${at(8.5)}`)
    await moves(page, 'yard')
    await page.getByText('You don’t have access to a camera in this link.').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/office/i)
  })

  test('[ROLE-10] losing a camera while its recording plays stops the video, and the page says why', async () => {
    await service.user('rita', 'neighbor')
    const page = await open('rita', `?camera=yard&at=${at(8.5)}`)
    await moves(page, 'yard')
    const stopped = await stopOf(page, '[data-recording] video')
    const elapsed = pageStopwatch()
    await service.internal.put('/api/users/rita/role', { role: 'clerk' })
    await stopped()
    expect(elapsed()).toBeLessThan(2000)
    await page.getByRole('alert').getByText('You no longer have access to this camera.').waitFor()
    await page.getByText('Your access was removed.').waitFor()
    expect(await page.locator('video').count()).toBe(0)
  })

  test('[TOK-6] the end of a session while a recording plays stops the video and leads to the login page', async () => {
    const tom = await service.user('tom', 'neighbor')
    const page = await open(tom, `?camera=yard&at=${at(8.5)}`)
    await moves(page, 'yard')
    await tom.post('/api/logout')
    await page.waitForURL(/\/login/)
    await expect.poll(() => page.locator('video').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('return')).toContain('/history?camera=yard')
  })
})

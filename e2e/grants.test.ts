import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { grayJpeg, seedReview } from '../server/test/support/review-seed.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { fetched } from './fetched.ts'
import { withInstances } from './pages/instances.ts'
import { limitedTo } from './pages/shell.ts'
import { newPage, openAs, ownPage, signedIn } from './tabs.ts'

const executablePath = program('chromium')
const yard = { cameras: ['side_yard'] }
const roles = {
  only_live: { ...yard, allow: ['live'] },
  only_history: { ...yard, allow: ['history'], history_days: 2 },
  only_review: { ...yard, allow: ['review'] },
  only_export: { ...yard, allow: ['export'] },
  history_and_export: { ...yard, allow: ['history', 'export'] },
  recent_export: { ...yard, allow: ['history', 'export', 'download'], history_days: 7 },
  shift: yard,
  office: { cameras: ['office'] },
}

let service: InProcessService

interface Watched {
  readonly page: Page
  /** The paths of the API that the page requested while signed in. */
  readonly requested: readonly string[]
  /** Those that were refused. */
  readonly refused: readonly string[]
}

/** Signs in, then opens the page, whose requests are watched. */
async function watched(user: string, path: string): Promise<Watched> {
  const page = await signedIn(service, user, '/account')
  const [requested, refused]: [string[], string[]] = [[], []]
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/')) return
    requested.push(pathname)
    if (response.status() === 403) refused.push(pathname)
  })
  await go(page, path)
  return { page, requested, refused }
}

const go = (page: Page, path: string) => page.goto(`${service.gate.base}${path}`)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const liveEntry = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Live', exact: true })
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link').allInnerTexts()

describe.skipIf(!executablePath)('what the pages offer a limited role', () => {
  beforeAll(async () => {
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras: {
          side_yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
          office: { source: 'demo:office', title: 'Back office', enabled: false },
        },
        camera_groups: { entrances: ['side_yard'] },
        auth: { roles },
      },
    })
    for (const role of Object.keys(roles)) await service.user(`${role}_user`, role)
    await seedReview(service, [{ camera: 'side_yard', start: Date.now() - 60_000, severity: 'alert', jpeg: grayJpeg }])
  })
  afterAll(stopAll)

  test('[GRANT-2] live alone: no menu, no link to recordings, and no request for anything else', async () => {
    const { page, requested, refused } = await watched('only_live_user', '/')
    await page.locator('[data-camera="side_yard"]').waitFor()
    expect(await page.getByRole('navigation', { name: 'Main menu' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: /History/ }).count()).toBe(0)
    await go(page, '/cameras/side_yard')
    await heading(page, 'Side yard').waitFor()
    expect(await page.getByRole('link', { name: /History/ }).count()).toBe(0)
    for (const path of ['/review', '/history', '/exports', '/exports?play=1']) {
      await go(page, path)
      await heading(page, 'Access denied').waitFor()
    }
    expect(requested.filter((path) => /review|exports|recordings|timeline/.test(path))).toEqual([])
    expect(refused).toEqual([])
  })

  test('[GRANT-2] [GRANT-3] history alone: a page instead of live video, no clips, and no days before the limit', async () => {
    const { page, requested, refused } = await watched('only_history_user', '/')
    await heading(page, 'No live video').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.locator('[data-history]').waitFor()
    expect(await page.getByRole('link', { name: /^Live/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Select a clip' }).count()).toBe(0)
    await page.keyboard.press('i')
    expect(await page.getByRole('form').count()).toBe(0)

    const back = page.getByRole('button', { name: 'Previous day' })
    await back.click()
    await back.click()
    await expect.poll(() => back.getAttribute('aria-disabled')).toBe('true')
    // A link to a time before the limit leads to the oldest time that the role shows.
    const hint = page.getByText('Your role hides recordings older than 2 days.')
    expect(await hint.count()).toBe(0)
    await go(page, `/history?camera=side_yard&at=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`)
    await hint.waitFor()
    await expect.poll(() => back.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Next day' }).click()
    await hint.waitFor({ state: 'detached' })
    expect(requested.some((path) => path.endsWith('/timeline'))).toBe(true)
    expect(requested.filter((path) => /review|exports|latest|live/.test(path))).toEqual([])
    expect(refused).toEqual([])
  })

  test('[GRANT-2] review alone: an item is a thumbnail, without a video, a download or a link to recordings', async () => {
    const { page, requested, refused } = await watched('only_review_user', '/review')
    await page.locator('[data-item] button').first().click()
    const player = page.getByRole('dialog')
    await player.getByRole('img', { name: /^Side yard/ }).waitFor()
    await player
      .getByRole('button', { name: 'Mark as unseen' })
      .or(player.getByRole('button', { name: 'Mark as seen' }))
      .waitFor()
    for (const name of ['Play', 'Pause', 'Download', 'Delete']) {
      expect(await player.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    }
    expect(await player.getByRole('link').count()).toBe(0)
    expect(await player.locator('video').count()).toBe(0)
    expect(requested.filter((path) => /exports|recordings|playback|latest/.test(path))).toEqual([])
    expect(refused).toEqual([])
  })

  test('[GRANT-2] exports without downloads and recordings: no link to recordings; and a clip has no download', async () => {
    const { page, refused } = await watched('only_export_user', '/exports?play=1')
    await page.getByText('No exports yet').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('link', { name: /History/ }).count()).toBe(0)
    const both = await watched('history_and_export_user', '/history')
    await both.page.locator('[data-history]').waitFor()
    expect(await menuOf(both.page)).toEqual(['History', 'Exports'])
    await both.page.keyboard.press('i')
    await both.page.getByRole('button', { name: 'Export', exact: true }).waitFor()
    expect(await both.page.getByRole('link', { name: 'Download' }).count()).toBe(0)
    expect([...refused, ...both.refused]).toEqual([])
  })

  test('[GRANT-3] users with a limited history are told when their exports will be hidden', async () => {
    const { page } = await watched('recent_export_user', '/exports')
    await page.getByText('Your role hides exports whose video is older than 7 days.').waitFor()
    expect(await page.getByText('kept until deleted').count()).toBe(0)
    await go(page, '/history')
    await page.locator('[data-history]').waitFor()
    await page.keyboard.press('i')
    await page.getByText('Your role hides them once their video is older than 7 days').waitFor()
    expect(await page.getByText('kept after the recording expires').count()).toBe(0)

    const without = await watched('history_and_export_user', '/exports')
    await without.page.getByText('kept until deleted').waitFor()
  })

  test('[ROLE-2] only users who can manage cameras can open a camera’s settings from its page, which is part of the live view', async () => {
    const guard = await watched('shift_user', '/cameras/side_yard')
    await heading(guard.page, 'Side yard').waitFor()
    await guard.page.getByRole('link', { name: 'All cameras' }).waitFor()
    expect(await liveEntry(guard.page).getAttribute('aria-current')).toBe('page')
    expect(await guard.page.getByRole('link', { name: 'Camera settings' }).count()).toBe(0)

    await service.user('ada', 'admin')
    const { page } = await watched('ada', '/cameras/side_yard')
    await page.getByRole('link', { name: 'Camera settings' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Side yard' })
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    expect(await liveEntry(page).getAttribute('aria-current')).toBeNull()
    await go(page, '/settings/cameras?edit=not_a_camera')
    await heading(page, 'Cameras').waitFor()
    await page.getByText('side_yard', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('Live is current in the menu while a group of cameras is shown', async () => {
    const { page } = await watched('shift_user', '/?group=entrances')
    await page.locator('[data-camera="side_yard"]').waitFor()
    expect(new URL(page.url()).search).toBe('?group=entrances')
    expect(await liveEntry(page).getAttribute('aria-current')).toBe('page')
  })

  test('[ROLE-2] only who can change it gets from a camera that isn’t recorded to what stops it', async () => {
    const page = await newPage()
    const state = { recording_state: 'paused', recording_reason: { code: 'disk-full' } }
    await page.route(/\/api\/cameras(\/side_yard)?$/, async (route) => {
      const response = await fetched(route)
      const found = (await response.json()) as object
      const json = Array.isArray(found)
        ? found.map((camera: object) => ({ ...camera, ...state }))
        : { ...found, ...state }
      await route.fulfill({ response, json })
    })
    /** The links of the main part with this name, for a caller with only these actions. */
    const links = async (path: string, words: string, name: string, actions: readonly string[]) => {
      await page.unroute('**/api/profile')
      await limitedTo({ actions: ['live', 'history', ...actions] })(page)
      // The internal port requires no sign-in.
      await page.goto(`${service.internal.base}${path}`)
      await page.getByText(words).waitFor()
      return page.getByRole('main').getByRole('link', { name, exact: true })
    }
    const full = 'Not recording: the disk is full'
    for (const [path, name] of [
      ['/cameras/side_yard', full],
      ['/history?camera=side_yard', 'Storage settings'],
    ] as const) {
      expect(await (await links(path, full, name, ['system.read'])).count(), path).toBe(0)
      expect(await (await links(path, full, name, ['cameras.manage'])).count(), path).toBe(0)
      await (await links(path, full, name, ['system.read', 'cameras.manage'])).click()
      await page.waitForURL('**/settings/storage')
    }

    state.recording_state = 'off'
    const off = 'Recording is disabled for this camera.'
    const path = '/history?camera=side_yard'
    expect(await (await links(path, off, 'Camera settings', ['system.read'])).count()).toBe(0)
    await (await links(path, off, 'Camera settings', ['cameras.manage'])).click()
    await page.getByRole('dialog', { name: 'Edit Side yard' }).waitFor()
    const all = 'Recording is disabled for these cameras.'
    await links('/history?camera=side_yard,office', all, 'Camera settings', ['cameras.manage'])
    // Without video there is nothing to record, although recording is on.
    state.recording_state = 'waiting'
    expect(await (await links(path, 'No recordings', 'Camera settings', ['cameras.manage'])).count()).toBe(0)
    expect(await page.getByText(off).count()).toBe(0)
  })

  test('a role without cameras is told so, and whom to ask', async () => {
    const { page, refused } = await watched('office_user', '/account')
    // As once the camera was removed.
    await page.route('**/api/cameras', (route) => route.fulfill({ json: [] }))
    for (const path of ['/', '/review', '/history', '/exports']) {
      await go(page, path)
      await page.getByText('Your role doesn’t include any cameras. Ask an admin for access.').waitFor()
    }
    expect(refused).toEqual([])
  })

  test('[NODE-2] only who can manage cameras is offered to move them, and to drain an instance', async () => {
    const page = await newPage()
    await withInstances(page)
    const opened = async () => {
      // The internal port requires no sign-in.
      await page.goto(`${service.internal.base}/settings/instances`)
      await page.locator('[data-camera="side_yard"]').getByText('Pulled by cellar').waitFor()
    }
    const offers = page.getByRole('button', { name: /^(Move|Drain|Return)/ })
    await opened()
    // Two cameras, and the instances that pull cameras and report.
    expect(await offers.count()).toBe(5)
    await limitedTo({ actions: ['live', 'system.read'] })(page)
    await opened()
    expect(await offers.count()).toBe(0)
  })

  test('[NODE-2] cameras that could not be loaded are not reported as none', async () => {
    const page = await newPage()
    await withInstances(page)
    await page.route('**/api/cameras', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`${service.internal.base}/settings/instances`)
    const card = page.getByRole('region', { name: 'Cameras' })
    await card.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await card.getByText('No cameras yet.').count()).toBe(0)
    await page.unroute('**/api/cameras')
    await card.getByRole('button', { name: 'Try again' }).click()
    await page.locator('[data-camera="side_yard"]').waitFor()
  })

  test('[GRANT-4] when the time of a role ends, the open page says so; when it begins, the page comes back', async () => {
    const page = await ownPage()
    await page.clock.install()
    await openAs(page, service, 'shift_user')
    await page.locator('[data-camera="side_yard"]').waitFor()
    const change = (body: object) => service.internal.put('/api/roles/shift', body)
    await change({ valid_until: '2020-01-01T00:00:00Z' })
    await heading(page, 'No longer valid').waitFor()
    await page.getByText('Your role is no longer valid. Ask an admin to extend it.').waitFor()
    expect(await page.getByRole('navigation', { name: 'Main menu' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Account' }).click()
    await heading(page, 'shift_user').waitFor()
    await page.goBack()
    await change({ valid_until: null, valid_from: '2090-01-01T00:00:00Z' })
    await page.clock.fastForward(61_000)
    await heading(page, 'Not valid yet').waitFor()
    await page.getByText('This page opens automatically when your access begins.').waitFor()
    await change({ valid_from: null })
    await page.clock.fastForward(61_000)
    await page.locator('[data-camera="side_yard"]').waitFor()
    expect((await menuOf(page)).length).toBe(4)
  })
})

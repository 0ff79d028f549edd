import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageStopwatch, stopOf } from './browser.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { recordDays } from './recorded-days.ts'
import { newPage as emptyPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')

const hour = 3600
const day = (Math.floor(Date.now() / 86_400_000) - 1) * 86_400
/** 08:30 yesterday (UTC), when both cameras recorded. */
const recorded = new Date((day + 8.5 * hour) * 1000).toISOString()

const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  office: { source: 'demo:office', title: 'Back office', enabled: false },
  states: { source: 'demo:door', title: 'States', enabled: false },
  lane: { source: 'demo:yard', title: 'Lane', enabled: false },
}

const video = (page: Page, camera: string, state = 'shown') =>
  page.locator(`[data-recording="${camera}"][data-state="${state}"]`)

/** The paths of a page's API requests from now on, without query. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname)
  })
  return paths
}
const times = (paths: readonly string[], path: string): number => paths.filter((each) => each === path).length

describe.skipIf(!executablePath)('pages refetch only what changed', () => {
  let service: Service
  beforeAll(async () => {
    const roles = { neighbor: ['yard'], both: ['yard', 'office'], clerk: ['office'] }
    const empty = await startService({ config: { tls: { enabled: false }, cameras, auth: { roles } } })
    await empty.stop()
    await recordDays(empty, [
      { camera: 'yard', scene: 'yard', from: day + 8 * hour, to: day + 9 * hour },
      { camera: 'office', scene: 'office', from: day + 8 * hour, to: day + 9 * hour },
    ])
    service = await empty.restart()
  })
  afterAll(stopAll)

  /** @param user undefined for the internal port */
  async function newPage(user: string | undefined, open = emptyPage): Promise<Page> {
    const { base } = user === undefined ? service.internal : service.gate
    const page = await open({ timezoneId: 'UTC', baseURL: base })
    if (user !== undefined) await signInOn(page, service, user)
    return page
  }

  async function turn(camera: keyof typeof cameras, on: boolean): Promise<void> {
    const { text } = await service.internal.get('/api/config/raw')
    const body = text.replace(new RegExp(`(  ${camera}:\\n(?:    .*\\n)*?    enabled: )\\w+`), `$1${on}`)
    const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
    expect((await service.internal.request('PUT', '/api/config/raw', { body, headers })).status).toBe(200)
  }

  test('a page that can’t be loaded without a connection says so, and is loaded once the connection is back', async () => {
    const page = await newPage(undefined, ownPage)
    await page.goto('/settings/users')
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Storage' }).click()
    await page.getByText('Can’t reach Gatehouse. Check your connection.', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor()
  })

  test('a camera change does not refetch the timelines', async () => {
    const page = await newPage(undefined)
    const events = page.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/events'))
    const paths = requestsOf(page)
    await page.goto(`/history?camera=yard,office&at=${recorded}`)
    await video(page, 'yard').waitFor()
    await events
    const ofHistory = () => paths.filter((path) => /timeline|summary/.test(path)).length
    await expect.poll(ofHistory).toBeGreaterThanOrEqual(4)
    const shown = ofHistory()
    for (const on of [true, false]) {
      const before = times(paths, '/api/cameras')
      await turn('states', on)
      await expect.poll(() => times(paths, '/api/cameras')).toBeGreaterThan(before)
    }
    expect(ofHistory()).toBe(shown)
  })

  test('[ROLE-10] any number of videos that end together refetch profile and cameras together', async () => {
    const page = await newPage(undefined, ownPage)
    const names = Array.from({ length: 12 }, (_, at) => `c${at}`)
    const { json } = await service.internal.get('/api/cameras/yard')
    const list = names.map((name) => ({ ...(json as object), name, title: `Camera ${name}`, state: 'online' }))
    await page.route('**/api/cameras', (route) => route.fulfill({ json: list }))
    await page.route('**/latest.jpg?*', (route) => route.fulfill({ status: 404, json: {} }))
    await page.routeWebSocket('**/api/events', () => {})
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket('**/live', (socket) => void sockets.push(socket))
    await page.goto('/')
    await expect.poll(() => sockets.length).toBe(12)

    const paths = requestsOf(page)
    await Promise.all(sockets.map((socket) => socket.close({ code: 4403 })))
    // The cameras are still in the list: their tiles reappear and play.
    await expect.poll(() => sockets.length).toBe(24)
    expect(await page.getByRole('alert').count()).toBe(0)
    // May include a request that the page sends every few seconds anyway.
    expect(times(paths, '/api/cameras')).toBeLessThanOrEqual(2)
    // On a busy machine, the ends reach the page in two groups.
    expect(times(paths, '/api/profile')).toBeLessThanOrEqual(2)
    const others = paths.filter((path) => !/latest\.jpg$|^\/api\/(?:cameras|profile)$/.test(path))
    expect(others.toSorted()).toEqual([...new Set(others)].toSorted())
  })

  test.each([
    ['alone', 'neighbor', 'yard'],
    ['beside another', 'both', 'yard,office'],
  ])(
    '[ROLE-10] a camera in the history, %s, that is removed from a role and restored plays again',
    async (_, role, shown) => {
      const user = `rita-${role}`
      await service.user(user, role)
      const give = (to: string) => service.internal.put(`/api/users/${user}/role`, { role: to })
      const page = await newPage(user)
      await page.goto(`/history?camera=${shown}&at=${recorded}`)
      await video(page, 'yard').waitFor()
      await give('clerk')
      await page.getByRole('alert').getByText('You no longer have access to this camera.').waitFor()
      await give(role)
      await video(page, 'yard').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    },
  )

  test('[ROLE-10] four playing recordings share one socket, which reports the loss of one of them', async () => {
    await service.user('four', 'viewer')
    const page = await newPage('four')
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname))
    const events = page.waitForEvent('websocket')
    await page.goto(`/history?camera=yard,office,states,lane&at=${recorded}`)
    await video(page, 'yard').waitFor()
    await video(page, 'office').waitFor()
    await events
    expect(await page.locator('[data-recording]').count()).toBe(4)
    expect(sockets).toEqual(['/api/events'])
    const stopped = await stopOf(page, '[data-recording="yard"] video')
    const elapsed = pageStopwatch()
    await service.internal.put('/api/users/four/role', { role: 'clerk' })
    await stopped()
    expect(elapsed()).toBeLessThan(1000)
    await video(page, 'office').waitFor()
    expect(sockets).toEqual(['/api/events'])
  })

  test('[TOK-5] an open page checks its session once a minute, with one request', async () => {
    await service.user('tina', 'both')
    const page = await newPage('tina', ownPage)
    await page.clock.install()
    await page.goto('/account')
    await page.getByRole('heading', { name: 'tina' }).waitFor()
    await page.waitForLoadState('networkidle')
    const paths = requestsOf(page)
    const open = new Set<unknown>()
    page.on('request', (request) => void open.add(request))
    page.on('requestfinished', (request) => void open.delete(request))
    page.on('requestfailed', (request) => void open.delete(request))
    // In small steps, each until all responses are in: a pending request would not be repeated.
    for (let seconds = 0; seconds < 15 * 60; seconds += 5) {
      await page.clock.runFor(5000)
      await expect.poll(() => open.size).toBe(0)
    }
    expect(times(paths, '/api/profile')).toBeGreaterThanOrEqual(14)
    expect(times(paths, '/api/profile')).toBeLessThanOrEqual(16)
    expect(times(paths, '/api/auth')).toBe(0)
  })

  test('a camera can have the name of an API path segment', async () => {
    const page = await newPage(undefined)
    await page.goto('/cameras/states')
    await page.getByRole('heading', { name: 'States' }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Cameras', exact: true }).click()
    await page.getByRole('list', { name: 'Cameras' }).getByRole('listitem').nth(2).waitFor()
    // From here on, only cached data is available.
    await page.route('**/api/cameras/states', (route) => route.abort())
    await page.goBack()
    await page.goBack()
    await page.getByRole('heading', { name: 'States' }).waitFor()
  })
})

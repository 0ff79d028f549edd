import { execFile } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, Request, WebSocket } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { startRtspCamera, type RtspCamera } from '../server/test/support/rtsp-camera.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage, ownPage, signInOn, type PageOptions } from './tabs.ts'

const executablePath = program('chromium')
const run = promisify(execFile)
const demo = (scene: string, title: string) => ({ source: `demo:${scene}`, title })

/** The live sockets and snapshots that a page requests. */
interface PageRequests {
  readonly sockets: string[]
  readonly snapshots: string[]
}

const cameraIn = (url: string) => /\/api\/cameras\/([^/]+)\//.exec(url)?.[1] ?? ''

function requestsOf(page: Page): PageRequests {
  const requested: PageRequests = { sockets: [], snapshots: [] }
  page.on('websocket', (socket: WebSocket) => {
    if (socket.url().endsWith('/live')) requested.sockets.push(cameraIn(socket.url()))
  })
  page.on('request', (request: Request) => {
    if (request.url().includes('latest.jpg')) requested.snapshots.push(cameraIn(request.url()))
  })
  return requested
}

const tile = (page: Page, camera: string) => page.locator(`[data-camera="${camera}"]`)
const inState = (page: Page, camera: string, state: string) =>
  page.locator(`[data-camera="${camera}"][data-state="${state}"]`)
const lowData = (page: Page) => page.getByRole('switch', { name: 'Data saver' })

async function moves(page: Page, camera: string): Promise<void> {
  await inState(page, camera, 'playing').waitFor()
  const time = () =>
    tile(page, camera)
      .locator('video')
      .evaluate((video) => (video as unknown as { currentTime: number }).currentTime)
  const before = await time()
  await expect.poll(time).toBeGreaterThan(before + 1)
}

/** A video so small that a browser decodes sixteen of them beside other work. */
async function makeSmallVideo(file: string): Promise<void> {
  const source = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=5', '-t', '20']
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-pix_fmt', 'yuv420p']
  await run(findFfmpeg() ?? 'ffmpeg', [...source, ...encode, `${file}.part.mp4`])
  // A camera that is already trying to open it gets the whole file.
  renameSync(`${file}.part.mp4`, file)
}

const online = (from: Service, camera: string) =>
  vi.waitFor(
    async () => expect((await from.internal.get(`/api/cameras/${camera}`)).json).toMatchObject({ state: 'online' }),
    { timeout: 60_000, interval: 200 },
  )

/** Opens the internal port, which requires no sign-in. `script` runs before the page's own. */
async function open(from: Service, script?: string, options: PageOptions = {}) {
  const page = await (script === undefined ? newPage : ownPage)(options)
  if (script !== undefined) await page.addInitScript(script)
  const requested = requestsOf(page)
  await page.goto(from.internal.base)
  await page.getByRole('list', { name: 'Cameras' }).waitFor()
  return { page, asked: requested }
}

describe.skipIf(!executablePath)('the live page', () => {
  let service: Service
  let cam: RtspCamera

  beforeAll(async () => {
    cam = await startRtspCamera({ ffmpeg: findFfmpeg() ?? 'ffmpeg' })
    const cameras = {
      yard: demo('yard', 'Side yard'),
      door: demo('door', 'Front door'),
      gate: { source: cam.url(), title: 'Gate' },
    }
    service = await startService({
      config: { tls: { enabled: false }, cameras, auth: { roles: { neighbor: ['yard'] } } },
    })
    await service.user('vera', 'viewer')
  })
  afterAll(async () => {
    await stopAll()
    await cam?.stop()
  })

  test('the data saver plays no video before a tap, refreshes snapshots, and is remembered', async () => {
    await Promise.all(['yard', 'door', 'gate'].map((name) => online(service, name)))
    const { page } = await open(service)
    await moves(page, 'yard')
    expect(await lowData(page).getAttribute('aria-checked')).toBe('false')
    await lowData(page).click()
    await page.getByText('Data saver: new snapshot every 10 s.').waitFor()
    for (const name of ['yard', 'door', 'gate']) await inState(page, name, 'snapshots').waitFor()

    const requested = requestsOf(page)
    await page.reload()
    await inState(page, 'gate', 'snapshots').waitFor()
    const first = await tile(page, 'gate').locator('img').getAttribute('src')
    await expect.poll(() => tile(page, 'gate').locator('img').getAttribute('src')).not.toBe(first)
    expect(requested.sockets).toEqual([])
    expect(new Set(requested.snapshots)).toEqual(new Set(['yard', 'door', 'gate']))

    await page.getByRole('button', { name: /^Front door/ }).click()
    await moves(page, 'door')
    expect(requested.sockets).toEqual(['door'])
    // The pressed button has become the link to the camera's page, and is focused.
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Front door: live')
    await page.getByRole('button', { name: 'Stop live video of Front door' }).click()
    await inState(page, 'door', 'snapshots').waitFor()

    await page.getByRole('link', { name: 'Open Side yard' }).click()
    await page.waitForURL(/\/cameras\/yard$/)
    await moves(page, 'yard')
    await page.goBack()
    await inState(page, 'yard', 'snapshots').waitFor()
    await lowData(page).click()
    await moves(page, 'gate')
  })

  test.each([
    ['a browser with data saving on', { saveData: true, effectiveType: '4g' }, /set to save data/],
    ['a slow connection', { saveData: false, effectiveType: '3g' }, /connection is slow/],
  ])('the data saver turns on automatically for %s, until the user turns it off', async (_, connection, reason) => {
    const script = `const connection = Object.assign(new EventTarget(), ${JSON.stringify(connection)})
      Object.defineProperty(Navigator.prototype, 'connection', { get: () => connection })`
    const { page, asked: requested } = await open(service, script)
    await page.getByText(reason).waitFor()
    await inState(page, 'yard', 'snapshots').waitFor()
    expect(requested.sockets).toEqual([])
    await lowData(page).click()
    await moves(page, 'yard')
    await page.reload()
    await moves(page, 'yard')
  })

  test('sixteen of twenty cameras play, the rest show snapshots, and a tapped one plays', async () => {
    const onlyLive = { record: { enabled: false }, motion: { enabled: false } }
    const crowd = Array.from({ length: 20 }, (_, at) => {
      return [`c${at + 1}`, { source: 'file:small.mp4', title: `Camera ${at + 1}`, ...onlyLive }] as const
    })
    const many = await startService({ config: { tls: { enabled: false }, cameras: Object.fromEntries(crowd) } })
    await makeSmallVideo(join(many.mediaDir, 'small.mp4'))
    await Promise.all(['c1', 'c20'].map((name) => online(many, name)))
    const { page, asked: requested } = await open(many, undefined, { viewport: { width: 1920, height: 1080 } })
    await page.getByText('Playing 16 cameras').waitFor()
    await moves(page, 'c1')
    await inState(page, 'c20', 'snapshots').waitFor()
    await expect.poll(() => new Set(requested.sockets).size).toBe(16)
    await page.getByRole('button', { name: /^Camera 20:/ }).click()
    await moves(page, 'c20')
    await inState(page, 'c16', 'snapshots').waitFor()
    expect(await page.locator('[data-state="playing"]').count()).toBeLessThanOrEqual(16)
  })

  test('arrow keys move the focus between tiles', async () => {
    const { page } = await open(service)
    await moves(page, 'yard')
    const focused = () => page.evaluate('document.activeElement.closest("[data-camera]")?.dataset.camera')
    await page.getByRole('link', { name: /^Side yard/ }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('door')
    await page.keyboard.press('End')
    expect(await focused()).toBe('gate')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/cameras\/door$/)
  })

  test('an admin can dismiss the notice that the cameras are demo cameras; a viewer neither sees it nor requests it', async () => {
    const demos = await startService({ config: { tls: { enabled: false }, cameras: undefined } })
    await demos.user('ada', 'admin')
    await demos.user('vera', 'viewer')
    const open = async (user: string) => {
      const page = await newPage({ baseURL: demos.gate.base })
      const requested: string[] = []
      page.on('request', (request) => void (request.url().includes('/api/config/') && requested.push(request.url())))
      await signInOn(page, demos, user)
      await page.goto('/')
      await inState(page, 'office', 'playing').waitFor()
      return { page, requested }
    }
    const { page, requested } = await open('ada')
    const notice = page.getByRole('status').filter({ hasText: 'These are demo cameras.' })
    await notice.getByRole('link', { name: 'Add camera' }).click()
    await page.getByRole('heading', { name: 'Cameras', level: 1 }).waitFor()
    await page.goBack()
    await notice.getByRole('button', { name: 'Close' }).click()
    expect(await page.evaluate(`document.activeElement.dataset.tile`)).toBe('true')
    await notice.waitFor({ state: 'detached' })

    expect(requested).not.toEqual([])
    requested.length = 0
    await page.reload()
    await inState(page, 'office', 'playing').waitFor()
    const viewer = await open('vera')
    expect(await viewer.page.getByText('These are demo cameras.').count()).toBe(0)
    expect(await notice.count()).toBe(0)
    expect([...requested, ...viewer.requested]).toEqual([])
  })

  test('a role that loses a camera loses its snapshots and gets a notice', async () => {
    await service.user('rita', 'viewer')
    const page = await ownPage()
    await page.addInitScript(`localStorage.setItem('gatehouse-low-data', 'on')`)
    await signInOn(page, service, 'rita')
    await page.goto(service.gate.base)
    await inState(page, 'door', 'snapshots').waitFor()
    await service.internal.put('/api/users/rita/role', { role: 'neighbor' })
    await page.getByText(/^You no longer have access to .*Front door/).waitFor()
    await expect.poll(() => tile(page, 'door').count()).toBe(0)
    await inState(page, 'yard', 'snapshots').waitFor()
  })

  test.each(['off', 'on'])(
    'offline shows why, and the last snapshot with its age, while the data saver is %s',
    async (choice) => {
      await online(service, 'gate')
      const script = `localStorage.setItem('gatehouse-low-data', '${choice}')
        // The browser's clock is an hour ahead.
        const now = Date.now
        Date.now = () => now() + 3_600_000`
      const { page } = await open(service, script)
      if (choice === 'off') await moves(page, 'gate')
      await cam.die()
      await inState(page, 'gate', 'offline').waitFor()
      const shows = async () => {
        await tile(page, 'gate').getByText('Offline', { exact: true }).waitFor()
        await tile(page, 'gate')
          .getByText(/Last frame (now|\d+ seconds? ago|1 minute ago)/)
          .waitFor()
        await tile(page, 'gate')
          .getByText(/refused|ended|stream|reached|responds/i)
          .waitFor()
        expect(await tile(page, 'gate').locator('img').count()).toBe(1)
      }
      await shows()
      await page.reload()
      await shows()

      await service.stop()
      service = await service.restart()
      await page.goto(`${service.internal.base}/cameras/gate`)
      await inState(page, 'gate', 'offline').waitFor()
      await shows()
      await cam.listen()
      await moves(page, 'gate')
    },
  )
})

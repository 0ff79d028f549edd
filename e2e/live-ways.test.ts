import type { Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StorageResponse } from '../server/src/recordings/storage.routes.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import { startGatehouse, type Gatehouse } from '../server/test/support/start-gatehouse.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')

const config = `# The cameras
cameras:
  yard:
    source: demo:yard
    title: Side yard
    record:
      retain_days: 3 # agreed with the neighbors
  office: { source: "demo:office", title: Back office, enabled: false }
auth:
  roles:
    neighbor: [yard]
    clerk: [office]
`

describe.skipIf(!executablePath)('live transports and storage limits', () => {
  let service: Gatehouse

  beforeAll(async () => {
    service = await startGatehouse()
    const { text } = await service.internal.get('/api/config/raw')
    const networking = /^networking:\n(?: .*\n)+/m.exec(text)?.[0] ?? ''
    const put = await service.internal.request('PUT', '/api/config/raw', {
      body: config + networking,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })
    expect(put.status, put.text).toBe(200)
    // Recordings of a removed camera.
    await writeRecordings(service.mediaDir, {
      camera: 'shed',
      start: Math.floor(Date.now() / 1000 - 3600) * 1000,
      segments: 1,
    })
    service = await service.restart()
    for (const [name, role] of [
      ['ada', 'admin'],
      ['vera', 'viewer'],
      ['nina', 'neighbor'],
    ] as const)
      await service.user(name, role)
  })
  afterAll(stopAll)

  async function pageOf(user: string, path: string, init?: string): Promise<Page> {
    const page = await (init === undefined ? newPage : ownPage)()
    if (init !== undefined) await page.addInitScript(init)
    await signInOn(page, service, user)
    await page.goto(`${service.gate.base}${path}`)
    return page
  }

  /** Simulates a browser without Media Source Extensions. */
  const noMediaSource = 'delete globalThis.MediaSource; delete globalThis.ManagedMediaSource'

  test('[ROLE-10] without Media Source Extensions, HLS plays until the role loses the camera, and the page says why', async () => {
    const requested: string[] = []
    const page = await pageOf('nina', '/cameras/yard', noMediaSource)
    page.on('request', (request) => void requested.push(request.url()))
    page.on('websocket', (socket) => void (socket.url().endsWith('/live') && requested.push(socket.url())))
    const stage = page.locator('[data-camera="yard"]')
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()
    const time = () =>
      stage.locator('video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime)
    const before = await time()
    await expect.poll(time).toBeGreaterThan(before + 3)
    expect(requested.filter((url) => url.endsWith('/live'))).toEqual([])

    await service.internal.put('/api/users/nina/role', { role: 'clerk' })
    await page.getByText('You no longer have access to this camera.').waitFor()
    expect(await page.locator('video').count()).toBe(0)
    await service.internal.put('/api/users/nina/role', { role: 'neighbor' })
  })

  test('if only a video element can fill the screen, only the camera page offers full screen', async () => {
    const page = await pageOf('vera', '/', 'Object.defineProperty(document, "fullscreenEnabled", { value: false })')
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()
    expect(await page.getByRole('button', { name: /full screen/i }).count()).toBe(0)
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.getByRole('button', { name: 'Select a clip' }).waitFor()
    expect(await page.getByRole('button', { name: /full screen/i }).count()).toBe(0)
    await page.goto(`${service.gate.base}/cameras/yard`)
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
  })

  test('a key shows stream details, and they stay shown', async () => {
    const page = await pageOf('vera', '/cameras/yard')
    await page.locator('[data-camera="yard"][data-state="playing"]').waitFor()
    const details = page.getByRole('region', { name: 'Stream details' })
    expect(await details.count()).toBe(0)
    await page.keyboard.press('i')
    await details.getByText('H.264, 1280 × 720').waitFor()
    await details.getByText('AAC').waitFor()
    await expect.poll(() => details.getByText(/^\d+ of \d+$/).count()).toBe(1)
    await page.reload()
    await details.getByText('H.264, 1280 × 720').waitFor()
    await page.getByRole('button', { name: 'Hide stream details' }).click()
    expect(await details.count()).toBe(0)

    await page.getByRole('button', { name: 'Unmute' }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Unmute' }).waitFor()
  })

  test('an admin changes a camera’s limits on the storage page, and config.yml keeps its comments', async () => {
    const page = await pageOf('ada', '/settings/storage')
    await page.getByRole('button', { name: 'Change the limits of Side yard' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Days').fill('21')
    await dialog.getByLabel('Gigabytes').fill('2.5')
    await dialog.getByRole('switch', { name: 'Keep motion only' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Limits saved.').waitFor()
    await page.getByText('21 days, 2.5 GB, motion only').waitFor()
    const file = readFileSync(service.configFile, 'utf8')
    expect(file).toContain('      retain_days: 21 # agreed with the neighbors\n      mode: motion\n      max_gb: 2.5\n')
    expect(file).toContain('# The cameras')

    await page.getByRole('button', { name: 'Change limits', exact: true }).click()
    await dialog.getByLabel('Days').fill('10')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('up to 10 days').waitFor()
    expect(readFileSync(service.configFile, 'utf8')).toContain('recording:\n  retain_days: 10\n  max_gb: 50\n')
  })

  test('[ROLE-11] an admin deletes the recordings of a removed camera', async () => {
    const page = await pageOf('ada', '/settings/storage')
    await page.getByText('removed; recordings will expire').waitFor()
    await page.getByRole('button', { name: 'Delete the recordings of shed' }).click()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/recordings/storage/*', async (route) => {
      await held.promise
      await route.continue()
    })
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete recordings', exact: true })
    await remove.click()
    await remove.and(page.locator('[data-loading]')).waitFor()
    // It can take minutes, for which the dialog doesn't stay.
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    held.resolve()
    await page.getByText('Recordings of shed deleted.').waitFor()
    await page.getByText('removed; recordings will expire').waitFor({ state: 'detached' })
    const { cameras } = (await service.internal.get('/api/recordings/storage')).json as StorageResponse
    expect(cameras.map(({ camera }) => camera)).toEqual(['yard', 'office'])
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { startRtspCamera, type RtspCamera, type RtspCameraOptions } from '../server/test/support/rtsp-camera.ts'
import { startGatehouse, type Gatehouse } from '../server/test/support/start-gatehouse.ts'
import { ownPage, openAs } from './tabs.ts'

const executablePath = program('chromium')

/** The state of one camera's player. */
interface AudioState {
  readonly audio: number
  readonly frames: number
  readonly time: number
  readonly muted: boolean
}

const audioIn = (page: Page, camera: string): Promise<AudioState> =>
  page.locator(`[data-camera="${camera}"] video`).evaluate((element) => {
    const video = element as unknown as {
      webkitAudioDecodedByteCount: number
      webkitDecodedFrameCount: number
      currentTime: number
      muted: boolean
    }
    return {
      audio: video.webkitAudioDecodedByteCount,
      frames: video.webkitDecodedFrameCount,
      time: video.currentTime,
      muted: video.muted,
    }
  })

const playing = (page: Page, camera: string) => page.locator(`[data-camera="${camera}"][data-state="playing"]`)

describe.skipIf(!executablePath)('audio and codecs in the browser', () => {
  let service: Gatehouse
  let page: Page
  const cams = new Map<string, RtspCamera>()

  beforeAll(async () => {
    const ffmpeg = findFfmpeg() ?? 'ffmpeg'
    const kinds: Readonly<Record<string, RtspCameraOptions>> = {
      aac: { audio: 'aac' },
      pcma: { audio: 'pcma' },
      none: {},
      h265: { codec: 'h265' },
    }
    for (const [name, options] of Object.entries(kinds)) cams.set(name, await startRtspCamera({ ffmpeg, ...options }))
    const cameras = Object.fromEntries([...cams].map(([name, cam]) => [name, { source: cam.url() }]))
    service = await startGatehouse({ config: { cameras: { ...cameras, office: { source: 'demo:office' } } } })
    await service.user('vera', 'viewer')
    page = await ownPage()
    await openAs(page, service, 'vera')
  })
  afterAll(async () => {
    await stopAll()
    for (const cam of cams.values()) await cam.stop()
  })

  test('the grid plays every camera muted', async () => {
    for (const name of ['aac', 'pcma', 'none', 'office']) {
      await playing(page, name).waitFor()
      expect(await audioIn(page, name)).toMatchObject({ muted: true })
    }
  })

  test('a video unmuted by the browser is muted again, and the user’s own choice stays', async () => {
    const other = await page.context().newPage()
    await other.addInitScript(
      `document.addEventListener('playing', ({ target }) => { target.muted = false; globalThis.turned = true }, true)`,
    )
    await other.goto(`${service.gate.base}/cameras/aac`)
    await playing(other, 'aac').waitFor()
    await other.getByRole('button', { name: 'Unmute' }).waitFor()
    await expect.poll(() => other.evaluate('turned')).toBe(true)
    await expect.poll(async () => (await audioIn(other, 'aac')).muted).toBe(true)
    await other.getByRole('button', { name: 'Unmute' }).click()
    await other.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    expect((await audioIn(other, 'aac')).muted).toBe(false)
    await other.close()
    await page.evaluate('localStorage.removeItem("gatehouse-sound")')
  })

  test.each(['aac', 'pcma', 'office'])(
    'the audio of %s is decoded, and is off until the user turns it on',
    async (name) => {
      await page.evaluate('localStorage.removeItem("gatehouse-sound")')
      await page.goto(`${service.gate.base}/cameras/${name}`)
      await playing(page, name).waitFor()
      expect((await audioIn(page, name)).muted).toBe(true)
      await page.getByRole('button', { name: 'Unmute' }).click()
      await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
      const before = await audioIn(page, name)
      await expect.poll(async () => (await audioIn(page, name)).time).toBeGreaterThan(before.time + 1.5)
      const after = await audioIn(page, name)
      expect(after.muted).toBe(false)
      expect(after.audio).toBeGreaterThan(before.audio)
      expect(after.frames).toBeGreaterThan(before.frames)
    },
  )

  test('audio that is on stays on for the next camera', async () => {
    // Chromium may count touches of the previous page as touches of this one.
    await page.evaluate('localStorage.removeItem("gatehouse-sound")')
    await page.goto(`${service.gate.base}/cameras/aac`)
    await playing(page, 'aac').waitFor()
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Next camera' }).click()
    await page.waitForURL(/\/cameras\/pcma$/)
    await playing(page, 'pcma').waitFor()
    expect((await audioIn(page, 'pcma')).muted).toBe(false)
  })

  test('video continues when the audio stops, and when it returns', async () => {
    await page.goto(`${service.gate.base}/cameras/aac`)
    await playing(page, 'aac').waitFor()
    const cam = cams.get('aac')!
    for (const muted of [true, false]) {
      cam.mute(muted)
      const before = await audioIn(page, 'aac')
      await expect.poll(async () => (await audioIn(page, 'aac')).time).toBeGreaterThan(before.time + 2.5)
      await expect.poll(async () => (await audioIn(page, 'aac')).frames).toBeGreaterThan(before.frames + 20)
      await playing(page, 'aac').waitFor()
    }
  })

  test('without audio, the control says so', async () => {
    await page.goto(`${service.gate.base}/cameras/none`)
    await playing(page, 'none').waitFor()
    const button = page.getByRole('button', { name: 'No audio' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('button', { name: 'Unmute' }).count()).toBe(0)
  })

  test('H.265 plays if the browser can; otherwise the live and the history page say so', async () => {
    const plays = await page.evaluate<boolean>(`MediaSource.isTypeSupported('video/mp4; codecs="hvc1.1.6.L60.90"')`)
    await page.goto(`${service.gate.base}/cameras/h265`)
    if (plays) await playing(page, 'h265').waitFor()
    else {
      await page.getByText('Snapshots: this browser can’t play H.265.').waitFor()
      await expect
        .poll(() =>
          page
            .locator('[data-camera="h265"] img')
            .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBeGreaterThan(0)
    }
    const segment = await vi.waitFor(
      async () => {
        const now = Date.now() / 1000
        const { json } = await service.internal.get(`/api/cameras/h265/recordings?after=${now - 600}&before=${now}`)
        const [first] = (json as { segments: { start: number }[] }).segments
        expect(first).toBeDefined()
        return first!
      },
      { timeout: 60_000, interval: 250 },
    )
    const at = new Date((segment.start + 2) * 1000).toISOString()
    const later = await page.context().newPage()
    // Playback starts at least a minute before now; the page's clock is two minutes ahead.
    await later.addInitScript('const now = Date.now; Date.now = () => now() + 120_000')
    await later.goto(`${service.gate.base}/history?camera=h265&at=${at}`)
    if (plays) await later.locator('[data-recording="h265"][data-state="shown"]').waitFor()
    else {
      await later.getByText('This browser can’t play this camera’s video.').waitFor()
      await later.getByRole('link', { name: 'Download 5 minutes' }).waitFor()
    }
    await later.close()
  })
})

import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')
const accountButton = (page: Page) => page.getByRole('button', { name: /^Account:/ })
const accountLink = (page: Page) => page.getByRole('link', { name: 'Account', exact: true })
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent`)

/** Tab, until the focus is on the element with this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focusedName(page)).match(name)) return
  }
  throw new Error(`Tab doesn't reach ${String(name)}`)
}

/** Keeps the matching scripts from loading until the returned function is called. */
async function holdBack(page: Page, scripts: RegExp): Promise<() => void> {
  const release = Promise.withResolvers<void>()
  await page.route(scripts, async (route: Route) => {
    await release.promise
    await route.continue()
  })
  return () => release.resolve()
}

/** A page with an empty cache, and the names of the scripts that it has requested. */
async function newPage(): Promise<{ page: Page; requested: string[] }> {
  const page = await ownPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url().split('/').at(-1) ?? ''))
  return { page, requested }
}

describe.skipIf(!executablePath)('what loads on demand', () => {
  let service: Service
  beforeAll(async () => {
    const cameras = { yard: { source: 'demo:yard', title: 'Side yard', enabled: false } }
    service = await startService({ config: { tls: { enabled: false }, cameras } })
  })
  afterAll(stopAll)

  test('the account panel opens on the first key press, on a slow network, and takes and returns the focus', async () => {
    const { page, requested } = await newPage()
    const release = await holdBack(page, /assets\/(AccountPanel|floating)-.*\.js/)
    await page.goto(service.internal.base)
    await accountButton(page).waitFor()
    expect(requested.filter((name) => /^(AccountPanel|floating|toasts)-/.test(name))).toEqual([])

    await tabTo(page, /^Account:/)
    await page.keyboard.press('Enter')
    await page.locator('button[aria-busy="true"]').waitFor()
    expect(await accountButton(page).getAttribute('aria-expanded')).toBe('false')
    release()
    await accountLink(page).waitFor()
    await expect.poll(() => focusedName(page)).toBe('Account')
    expect(await accountButton(page).getAttribute('aria-expanded')).toBe('true')
    expect(await accountButton(page).getAttribute('aria-busy')).toBe('false')
    const panel = page.getByRole('dialog', { name: /^Account:/ })
    expect(await accountButton(page).getAttribute('aria-controls')).toBe(await panel.getAttribute('id'))

    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await expect.poll(() => focusedName(page)).toMatch(/^Account:/)
      await page.keyboard.press('Space')
      await panel.waitFor()
      await expect.poll(() => focusedName(page)).toBe('Account')
    }
  })

  test('the account panel opens on the first click, and closes on the second or on one elsewhere', async () => {
    const { page } = await newPage()
    await page.goto(service.internal.base)
    for (const close of [() => accountButton(page).click(), () => page.mouse.click(300, 500)]) {
      await accountButton(page).click()
      await accountLink(page).waitFor()
      await close()
      await accountLink(page).waitFor({ state: 'detached' })
    }
  })

  test('if the account panel can’t load, the page offers to reload', async () => {
    const { page } = await newPage()
    await page.goto(service.internal.base)
    await page.route(/assets\/AccountPanel-.*\.js/, (route) => route.abort())
    await accountButton(page).click()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
  })

  test('a tooltip appears on the first keyboard focus, hides on Escape, and appears on the first hover', async () => {
    const { page, requested } = await newPage()
    const release = await holdBack(page, /assets\/(TooltipLabel|floating)-.*\.js/)
    await page.goto(service.internal.base)
    await accountButton(page).waitFor()
    expect(requested.filter((name) => /^(TooltipLabel|floating)-/.test(name))).toEqual([])

    await tabTo(page, 'Full-screen grid')
    const tooltip = page.getByRole('tooltip', { name: 'Full-screen grid' })
    release()
    await tooltip.waitFor()
    // The button is still the same, with the focus, and says what describes it.
    const described = () => page.evaluate(`document.activeElement?.getAttribute('aria-describedby')`)
    expect(await tooltip.locator(`[id="${String(await described())}"]`).count()).toBe(1)
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    expect(await focusedName(page)).toBe('Full-screen grid')
    expect(await described()).toBeNull()

    const { page: other } = await newPage()
    await other.goto(service.internal.base)
    await other.getByRole('button', { name: 'Full-screen grid' }).hover()
    const hovered = other.getByRole('tooltip', { name: 'Full-screen grid' })
    await hovered.waitFor()
    const [box, target] = [
      await hovered.boundingBox(),
      await other.getByRole('button', { name: 'Full-screen grid' }).boundingBox(),
    ]
    expect(Math.abs((box?.y ?? 0) - (target?.y ?? 0))).toBeLessThan(100)
    await other.mouse.move(300, 500)
    await hovered.waitFor({ state: 'detached' })
  })

  test('a page without its tooltips still works, and tries again', async () => {
    const { page } = await newPage()
    await page.goto(service.internal.base)
    await page.route(/assets\/TooltipLabel-.*\.js/, (route) => route.abort())
    const button = page.getByRole('button', { name: 'Full-screen grid' })
    const [failed] = await Promise.all([page.waitForEvent('requestfailed'), button.hover()])
    expect(failed.url()).toContain('TooltipLabel')
    await page.unroute(/assets\/TooltipLabel-.*\.js/)
    await page.mouse.move(300, 500)
    await button.hover()
    await page.getByRole('tooltip', { name: 'Full-screen grid' }).waitFor()
  })

  test('a failed sign-out is reported although the service can no longer be reached', async () => {
    const { page } = await newPage()
    await signInOn(page, service, await service.user('vera', 'viewer'))
    await page.goto(service.gate.base)
    await accountButton(page).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Couldn’t sign out. Try again.').waitFor()
  })
})

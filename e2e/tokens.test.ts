import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { program } from '../server/test/support/programs.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { newPage, ownPage, signInOn } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  door: { source: 'demo:door', title: 'Front door', enabled: false },
}

const listedBy = async (by: TestClient) => (await by.get('/api/tokens')).json as { name: string }[]

describe.skipIf(!executablePath)('API tokens', () => {
  let service: InProcessService

  beforeAll(async () => {
    service = await startService({
      config: { tls: { enabled: false }, cameras, auth: { roles: { guard: ['yard'] } } },
    })
  })
  afterAll(stopAll)

  const opened = async (by: TestClient, path: string, open = newPage): Promise<Page> => {
    const page = await open()
    await signInOn(page, service, by)
    await page.goto(`${service.gate.base}${path}`)
    return page
  }
  const statusOf = async (token: string, path: string) => (await service.gate.get(path, bearer(token))).status

  test('[KEY-1] [KEY-5] a user creates one, copies a command that works, sees its use and revokes it', async () => {
    const ann = await service.user('ann')
    const page = await opened(ann, '/account/tokens')
    await page.getByText('No API tokens yet').waitFor()
    await page.getByRole('link', { name: 'Create token' }).click()
    await page.getByLabel('Name').fill('Home')
    await page.getByLabel('All my cameras').uncheck()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Select at least one camera.').waitFor()
    await page.getByLabel('Side yard').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Shown only once').waitFor()

    const token = (await page.locator('code').first().textContent()) ?? ''
    expect(token).toMatch(/^gh_/)
    const command = (await page.locator('code', { hasText: /^curl / }).textContent()) ?? ''
    // It saves a file.
    const script = `${command} -sS -w '%{http_code}'`
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: service.dir })
    // The camera sends nothing; without the token, the response is 401.
    expect(stdout).toBe('503')
    expect(await statusOf(token, '/api/cameras/yard')).toBe(200)
    expect(await statusOf(token, '/api/cameras/door')).toBe(403)

    await page.getByRole('link', { name: 'Done' }).click()
    const card = page.locator('[data-token="Home"]')
    await card.getByText('Side yard').waitFor()
    await card.getByText(/from 127\.0\.0\.1/).waitFor()
    expect(await page.content()).not.toContain(token.slice(-43))
    await card.getByRole('button', { name: 'Revoke Home' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('No API tokens yet').waitFor()
    expect(await statusOf(token, '/api/cameras/yard')).toBe(401)
  })

  test('[KEY-1] a link fills in the form, creates nothing by itself, and offers nothing that the user lacks', async () => {
    const gil = await service.user('gil', 'guard')
    const page = await opened(
      gil,
      '/account/tokens/new?name=Wall&cameras=yard,door&actions=live,audio,delete,users.manage&expires=never',
    )
    const notice = page.getByRole('alert').filter({ hasText: 'Not everything in this link' })
    await notice.getByText('Cameras: door').waitFor()
    await notice.getByText('Actions: delete and users.manage').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Wall')
    expect(await page.getByLabel('All my cameras').isChecked()).toBe(false)
    expect(await page.getByLabel('Side yard').isChecked()).toBe(true)
    expect(await page.getByText('Front door').count()).toBe(0)
    expect(await page.getByText('Actions on the service').count()).toBe(0)
    expect(await listedBy(gil)).toEqual([])

    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Shown only once').waitFor()
    expect(await listedBy(gil)).toMatchObject([
      { name: 'Wall', cameras: ['yard'], actions: ['live', 'audio'], expires_at: null },
    ])
  })

  test('a form that was filled in asks before it is left', async () => {
    const page = await opened(await service.user('una'), '/account/tokens/new?name=Wall')
    const leave = page.getByRole('link', { name: 'Cancel' })
    await page.getByLabel('Name').fill('Wall 2')
    await leave.click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByText('What you entered isn’t saved').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Wall 2')
    // What the link filled in is no input.
    await page.getByLabel('Name').fill('Wall')
    await leave.click()
    await page.getByText('No API tokens yet').waitFor()
  })

  test('[KEY-1] an admin sees the tokens of all users, and revokes one', async () => {
    const { token } = await createToken(await service.user('ben'), { name: 'Tablet' })
    const page = await opened(await service.user('boss', 'admin'), '/settings/tokens')
    await page.getByRole('button', { name: 'Revoke Tablet of ben' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.locator('[data-token="Tablet"]').waitFor({ state: 'detached' })
    expect(await statusOf(token, '/api/profile')).toBe(401)
  })

  test('a user revokes a token that was just revoked elsewhere, and sees no error', async () => {
    const joe = await service.user('joe')
    const { id } = await createToken(joe, { name: 'Tablet' })
    await createToken(joe, { name: 'Hall' })
    const page = await opened(joe, '/account/tokens')
    await page.getByRole('button', { name: 'Revoke Tablet' }).click()
    await joe.delete(`/api/tokens/${id}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await dialog.waitFor({ state: 'detached', timeout: 20_000 })
    expect(await page.locator('[data-token]').count()).toBe(1)
  })

  test('a dialog stays open while its confirmation is being carried out, and says how it failed', async () => {
    const ida = await service.user('ida')
    await createToken(ida, { name: 'Tablet' })
    const page = await opened(ida, '/account/tokens')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/tokens/*', async (route) => {
      await held.promise
      await route.fulfill({ status: 503, json: {} })
    })
    await page.getByRole('button', { name: 'Revoke Tablet' }).click()
    const dialog = page.getByRole('dialog')
    const cancel = dialog.getByRole('button', { name: 'Cancel' })
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    expect(await cancel.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    held.resolve()
    await dialog.getByRole('alert').getByText('Gatehouse isn’t available right now.').waitFor()
    await cancel.click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('on a phone, the button that creates a token is in view from the top of the long form', async () => {
    const page = await opened(await service.user('mia'), '/account', ownPage)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${service.gate.base}/account/tokens/new`)
    const button = page.getByRole('button', { name: 'Create token' })
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await button.waitFor()
    const [above, below] = await Promise.all([button, menu].map((each) => each.boundingBox()))
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
  })

  test('on a phone, the menu of the account shows the entry of the page', async () => {
    const page = await opened(await service.user('eli', 'admin'), '/account', ownPage)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${service.gate.base}/account/activity`)
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Activity' })
    await entry.waitFor()
    const isInView = async () => {
      const box = await entry.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 390
    }
    await expect.poll(isInView).toBe(true)
  })
})

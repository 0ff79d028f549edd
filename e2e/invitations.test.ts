import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { newPage, signedIn } from './tabs.ts'

const executablePath = program('chromium')
const cameras = {
  yard: { source: 'demo:yard', title: 'Side yard', enabled: false },
  door: { source: 'demo:door', title: 'Front door', enabled: false },
}
const chosen = 'a password that ann chose'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const account = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` }).waitFor()
const password = (page: Page) => page.getByLabel('Password', { exact: true })

/** Another person's browser. */
const opened = async (url: string): Promise<Page> => {
  const page = await newPage()
  await page.goto(url)
  return page
}

describe.skipIf(!executablePath)('an invitation and a reset link', () => {
  let service: InProcessService

  beforeAll(async () => {
    service = await startService({
      config: { tls: { enabled: false }, cameras, auth: { roles: { guard: ['yard'] } } },
    })
    await service.user('ada', 'admin')
  })
  afterAll(stopAll)

  /** An admin's page with the list of users, and the URL of a new invitation. */
  const invited = async (role: string): Promise<[admin: Page, url: string]> => {
    const page = await signedIn(service, 'ada', '/settings/users')
    await press(page, 'Invite')
    await dialog(page).getByRole('combobox', { name: 'Role' }).selectOption(role)
    await press(page, 'Create link')
    const url = await dialog(page).locator('code').innerText()
    await press(page, 'Done')
    return [page, url]
  }

  test('[LINK-4] an invited person chooses a name and a password, is signed in with the role, and only once', async () => {
    const [admin, url] = await invited('guard')
    await admin.getByText('Role guard').waitFor()
    const page = await opened(url)
    await press(page, 'Accept invitation')
    await page.getByText('Choose a username.').waitFor()
    await page.getByLabel('Username').fill('ADA')
    await password(page).fill(chosen)
    await press(page, 'Accept invitation')
    await page.getByText('This name is taken.').waitFor()
    await page.getByLabel('Username').fill('ann')
    await password(page).fill('ann')
    await press(page, 'Accept invitation')
    await page.getByText('more characters needed').waitFor()
    await password(page).fill(chosen)
    await press(page, 'Accept invitation')
    await account(page, 'ann')
    await page.locator('[data-camera="yard"]').waitFor()
    expect(await page.locator('[data-camera]').count()).toBe(1)
    const secret = new URL(url).hash.slice(1)
    expect(page.url()).not.toContain(secret)
    await page.goBack()
    expect(page.url()).not.toContain(secret)

    await heading(await opened(url), 'Link already used')
    await heading(await opened(`${url.slice(0, -3)}abc`), 'Invalid link')
    await heading(await opened(url.slice(0, url.indexOf('#'))), 'Invalid link')
  })

  test('[LINK-4] an invitation that is revoked while its page is open is no longer valid', async () => {
    const [admin, url] = await invited('viewer')
    const page = await opened(url)
    await page.getByLabel('Username').fill('eve')
    await password(page).fill(chosen)
    await admin.getByRole('button', { name: /^Revoke: Invitation/ }).click()
    await admin.getByText('Link revoked.').waitFor()
    await expect.poll(() => admin.getByRole('button', { name: /^Revoke:/ }).count()).toBe(0)
    await expect.poll(() => admin.evaluate('document.activeElement.id')).toBe('content')
    await press(page, 'Accept invitation')
    await heading(page, 'Link no longer valid')
  })

  test('[LINK-4] by a reset link a user sets a password, is signed in, and signed out everywhere else', async () => {
    await service.user('gus')
    const before = await signedIn(service, 'gus', '/')
    const admin = await signedIn(service, 'ada', '/settings/users/gus')
    await press(admin, 'Create reset link')
    const url = await dialog(admin).locator('code').innerText()
    const page = await opened(url)
    await page.getByText('For gus.').waitFor()
    await password(page).fill(chosen)
    await press(page, 'Set password and sign in')
    await account(page, 'gus')
    await before.getByText('You’ve been signed out.').waitFor()
    await heading(await opened(url), 'Link already used')
  })
})
